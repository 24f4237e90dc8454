"""What judges cost: what a run asked them for, and what the next run would ask them for."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Protocol, TypeAlias, runtime_checkable

from shakeproof.errors import SpecError, one_line
from shakeproof.metrics.asking import AskingScorer, Usage
from shakeproof.metrics.protocols import Instance, Metric, Texts
from shakeproof.plan.items import Plan
from shakeproof.results import AnswerCount, CallCount, UsageRecord
from shakeproof.scoring.score_table import instances_of

UsageTable: TypeAlias = Mapping[str, Mapping[str, Usage]]  # by signature and reported model

BYTES_PER_TOKEN = 4  # of English text, about
ANSWER_TOKENS = 10  # of an answer as short as {"score": 4}
NOT_SHOWN = "a model whose name is not shown"
MAX_INSTANCES = 1000  # that are looked at for one with something to ask about
MILLION = 1_000_000


@runtime_checkable
class HasPrompts(Protocol):
    """A scorer that knows how long the question about some texts would be."""

    def prompt_bytes(self, texts: Texts) -> int:
        """Return the length of the prompt about a tuple of texts, in bytes of UTF-8."""
        ...


class Prices(Protocol):
    """What a million tokens cost."""

    @property
    def input(self) -> float:
        """Return the price of a million tokens that are sent."""
        ...

    @property
    def output(self) -> float:
        """Return the price of a million tokens that are answered."""
        ...


class Budget(Protocol):
    """What one run may ask for at most; None: no limit."""

    @property
    def calls(self) -> int | None:
        """Return the number of calls."""
        ...

    @property
    def tokens(self) -> int | None:
        """Return the number of tokens, sent and answered."""
        ...


@dataclass(frozen=True, slots=True)
class Judge:
    """A metric that asks a service: its scorers, and what its options say about costs."""

    metric: str
    signatures: tuple[str, ...]
    model: str
    prices: Prices | None = None
    budget: Budget | None = None

    def count(self, usage: Usage) -> CallCount:
        """Return calls and tokens with their price."""
        money = None
        if self.prices is not None:
            paid = usage.input_tokens * self.prices.input + usage.output_tokens * self.prices.output
            money = paid / MILLION
        return CallCount(
            calls=usage.calls,
            input_tokens=usage.input_tokens,
            output_tokens=usage.output_tokens,
            money=money,
        )


@dataclass(frozen=True, slots=True)
class JudgeForecast:
    """What a run would ask a judge for; tokens are an estimate."""

    metric: str
    to_ask: CallCount
    max_calls: int | None = None
    max_tokens: int | None = None

    @property
    def calls_suffice(self) -> bool:
        """Return whether the budget has enough calls."""
        return self.max_calls is None or self.to_ask.calls <= self.max_calls

    @property
    def tokens_suffice(self) -> bool:
        """Return whether the budget probably has enough tokens."""
        return self.max_tokens is None or self.to_ask.tokens <= self.max_tokens


def find_judges(plan: Plan) -> list[Judge]:
    """List the metrics of a plan that ask a service."""
    instances = _first_instances(plan)
    judges = (_judge(plan, name, instances) for name in plan.metrics)
    return [judge for judge in judges if judge.signatures]


def _judge(plan: Plan, name: str, instances: Sequence[Instance]) -> Judge:
    options = plan.checklist.metrics[name].options
    return Judge(
        metric=name,
        signatures=asking_signatures(plan.metrics[name], instances),
        model=str(getattr(options, "model", "")),
        prices=getattr(options, "price", None),
        budget=getattr(options, "budget", None),
    )


def _first_instances(plan: Plan) -> list[Instance]:
    """Return some instances; none of a file that changed since, which the items report."""
    instances = (one for segment in plan.segments for one in instances_of(segment))
    try:
        return list(islice(instances, MAX_INSTANCES))
    except SpecError:
        return []


def asking_signatures(metric: Metric, instances: Iterable[Instance]) -> tuple[str, ...]:
    """Return the signatures of a metric's scorers that ask a service.

    They are read off the first instance that the metric needs a score for. A metric that fails
    there has none: its items report the failure.
    """
    for instance in instances:
        try:
            requests = metric.needs(instance)
            scorers = [scorer for scorer, _ in requests if isinstance(scorer, AskingScorer)]
        except Exception:  # of a user's formula
            return ()
        if requests:
            return tuple(dict.fromkeys(scorer.signature for scorer in scorers))
    return ()


def usage_record(
    judge: Judge, cached: UsageTable, used: UsageTable, *, texts: bool = True
) -> UsageRecord:
    """Record what a judge cost: all answers in the cache, and those that this run asked for.

    Without texts nothing that a server says is shown, so neither is another name of the model.
    """
    return UsageRecord(
        model=judge.model,
        answers=tuple(
            AnswerCount(
                scorer=signature,
                model=_shown_model(model, judge.model, texts=texts),
                run=judge.count(used.get(signature, {}).get(model, Usage())),
                cached=judge.count(cached.get(signature, {}).get(model, Usage())),
            )
            for signature in judge.signatures
            for model in sorted({*cached.get(signature, {}), *used.get(signature, {})})
        ),
    )


def _shown_model(reported: str, asked: str, *, texts: bool) -> str:
    """Return the name of a model in one line, for the terminal; a server may say anything."""
    return one_line(reported) if texts or reported == asked else NOT_SHOWN


def forecast_judge(
    judge: Judge, prompts: Mapping[str, Sequence[int]], cached: UsageTable
) -> JudgeForecast:
    """Estimate what a judge would be asked for, given the bytes of each prompt by signature."""
    lengths = [length for one in judge.signatures for length in prompts.get(one, ())]
    expected = Usage(
        calls=len(lengths),
        input_tokens=sum(-(-length // BYTES_PER_TOKEN) for length in lengths),
        output_tokens=round(len(lengths) * _answer_tokens(judge, cached)),
    )
    budget = judge.budget
    return JudgeForecast(
        metric=judge.metric,
        to_ask=judge.count(expected),
        max_calls=budget.calls if budget else None,
        max_tokens=budget.tokens if budget else None,
    )


def _answer_tokens(judge: Judge, cached: UsageTable) -> float:
    """Return the mean length of the answers in the cache; without any, that of a short one."""
    usages = [usage for one in judge.signatures for usage in cached.get(one, {}).values()]
    answered = sum(usages, Usage())
    return answered.output_tokens / answered.calls if answered.calls else ANSWER_TOKENS
