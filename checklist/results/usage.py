"""What the answers of a judge cost: calls, tokens and, if prices are given, money."""

from __future__ import annotations

from collections.abc import Iterable

from shakeproof.results.plain import Plain


class CallCount(Plain):
    """A number of calls, their tokens, and their price if prices are given."""

    calls: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    money: float | None = None  # in the currency of the given prices

    @property
    def tokens(self) -> int:
        """Return the tokens of questions and answers together."""
        return self.input_tokens + self.output_tokens


class AnswerCount(Plain):
    """What the answers of one model to the questions of one scorer cost."""

    scorer: str  # its signature
    model: str  # as the server names it
    run: CallCount = CallCount()  # asked for by this run
    cached: CallCount = CallCount()  # all that the cache has, those of this run included


class UsageRecord(Plain):
    """What a metric that asks a service cost."""

    model: str  # that was asked for
    answers: tuple[AnswerCount, ...] = ()

    @property
    def reported(self) -> tuple[str, ...]:
        """Return the models that answered, as the server names them."""
        return tuple(dict.fromkeys(answer.model for answer in self.answers))

    @property
    def run(self) -> CallCount:
        """Return what this run asked for."""
        return total(answer.run for answer in self.answers)

    @property
    def cached(self) -> CallCount:
        """Return what all answers in the cache cost."""
        return total(answer.cached for answer in self.answers)


def total(counts: Iterable[CallCount]) -> CallCount:
    """Add up counts; there is money if any of them has a price."""
    members = list(counts)
    prices = [count.money for count in members if count.money is not None]
    return CallCount(
        calls=sum(count.calls for count in members),
        input_tokens=sum(count.input_tokens for count in members),
        output_tokens=sum(count.output_tokens for count in members),
        money=sum(prices) if prices else None,
    )


def merged_usage(records: Iterable[UsageRecord]) -> UsageRecord:
    """Join the records of several processes: each asked on its own, and all share a cache."""
    members = list(records)
    answers: dict[tuple[str, str], list[AnswerCount]] = {}
    for answer in (answer for record in members for answer in record.answers):
        answers.setdefault((answer.scorer, answer.model), []).append(answer)
    return UsageRecord(
        model=members[0].model,
        answers=tuple(
            AnswerCount(
                scorer=scorer,
                model=model,
                run=total(answer.run for answer in same),
                cached=max((answer.cached for answer in same), key=lambda count: count.calls),
            )
            for (scorer, model), same in answers.items()
        ),
    )
