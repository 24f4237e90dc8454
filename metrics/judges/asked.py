"""One question on its way to a score, or to the reason why there is none."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from random import Random
from typing import TYPE_CHECKING, Any

from shakeproof.metrics.asking import Answer, Usage
from shakeproof.metrics.failures import Failure, RatingFailed, one_line
from shakeproof.metrics.judges.answers import NoLogprobs
from shakeproof.metrics.judges.budget import Budget, BudgetSpent
from shakeproof.metrics.judges.client import GiveUp, Refused, Server, TryAgain
from shakeproof.metrics.judges.gate import Gate
from shakeproof.metrics.judges.questions import Question

if TYPE_CHECKING:
    import aiohttp

FIRST_DELAY = 0.5  # seconds before the second attempt; twice as long before each further one
MAX_DELAY = 30.0
MAX_WAIT = 300.0  # seconds; a server that asks for more is not waited for
MAX_TOKENS = 10**9  # of one answer; a server may say anything
MAX_MODEL = 200  # characters of a model's name
FIRST_ANSWERS = 20  # if none of them can be used, no more are asked for
OTHER_MODELS = 5  # answers of another model in a row, after which no more are asked for
EXHAUSTED = 5  # questions in a row of which all attempts failed
KEPT = "the answers so far are kept, so run again later"


class OtherModel(Exception):
    """An answer came from another model than the one that answers the rest."""

    def __init__(self, failure: Failure) -> None:
        super().__init__(failure.kind)
        self.failure = failure


@dataclass(slots=True)
class RunState:
    """What is known about a judge in one run, from all its draws and batches."""

    budget: Budget
    models: frozenset[str] = frozenset()  # that may answer; empty: the first one to answer
    answered: bool = False  # there was a usable answer in this run
    useless: int = 0  # questions without a usable answer, before the first with one
    other_models: int = 0  # in a row
    exhausted: int = 0  # in a row
    failure: Failure | None = None  # why nothing is asked any more


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of a question, and what its answers without a score cost."""

    position: int
    result: Answer | Failure
    unusable: tuple[tuple[str, Usage], ...] = ()
    gives_up: bool = False  # no other question would be answered either


@dataclass(frozen=True, slots=True)
class Asker:
    """Asks one question after the other; what they have in common."""

    question: Question
    server: Server
    state: RunState
    gate: Gate
    attempts: int
    sending: set[object] = field(default_factory=set)  # tasks whose request is under way

    async def outcome(
        self, client: aiohttp.ClientSession, position: int, prompt: Callable[[], str]
    ) -> Outcome:
        """Ask until there is a score, or a reason why there is none."""
        asked = _Asked(self, client, position)
        result: Answer | Failure
        try:
            result = await asked.result(prompt())
        except (RatingFailed, BudgetSpent) as error:
            result = error.failure
        except GiveUp as error:
            return Outcome(position, error.failure, tuple(asked.unusable), gives_up=True)
        return Outcome(position, result, tuple(asked.unusable))

    async def attempt(
        self, client: aiohttp.ClientSession, request: bytes, most_tokens: int
    ) -> dict[str, Any]:
        """Send a request once, when there is a place and budget for it."""
        async with self.gate.open() as started:
            await self.state.budget.reserve(most_tokens)
            task = asyncio.current_task()
            self.sending.add(task)
            try:
                content = await self.server.ask(client, request)
            except TryAgain as again:
                self._note_try_again(again, started, most_tokens)
                raise
            except (Refused, GiveUp):
                self.state.budget.give_back(most_tokens)
                raise
            finally:
                self.sending.discard(task)
            self.gate.note_success()
            used = usage_in(content)
            total = used.input_tokens + used.output_tokens
            self.state.budget.settle(most_tokens, total or None)
            return content

    def _note_try_again(self, again: TryAgain, started: float, most_tokens: int) -> None:
        """Count what may have to be paid; wait, and ask less at once, if the server wants it."""
        if again.taken:
            self.state.budget.settle(most_tokens, None)
        else:
            self.state.budget.give_back(most_tokens)
        if again.overloaded:
            self.gate.note_refusal(started)
        if again.wait is not None:
            if again.wait > MAX_WAIT:
                message = f"the server asks to wait {again.wait:,.0f} seconds; {KEPT}"
                raise GiveUp(Failure(message, again.failure.detail))
            self.gate.pause(again.wait)
        if again.unreachable and not self.state.answered:
            raise GiveUp(again.failure)

    def exhausted(self, again: TryAgain) -> Failure:
        """Return why a question has no answer; GiveUp if the server seems to be gone."""
        failure = Failure(
            f"no answer in {self.attempts} attempts: {again.failure.kind}", again.failure.detail
        )
        self.state.exhausted += 1
        if again.unreachable or self.state.exhausted >= EXHAUSTED:
            raise GiveUp(Failure(f"{failure.kind}; {KEPT}", failure.detail))
        return failure

    def read(self, content: Mapping[str, Any], position: int) -> tuple[Answer | Failure, bool]:
        """Read an answer: a score or why there is none, and whether to ask once more."""
        model, used = self.model_in(content), usage_in(content)
        self.state.exhausted = 0
        self._check_model(model)
        choice = _first_choice(content)
        finish = choice.get("finish_reason")
        if finish == "length":
            kind = f"the answer is cut off after {self.question.answer_tokens} tokens"
            return Failure(f"{kind}; raise max_tokens"), False
        if finish == "content_filter":
            return Failure("the server's filter withheld the answer"), False
        try:
            score = self.question.form.read(choice)
        except NoLogprobs:
            if self.state.answered:
                return Failure("the answer does not fit: no log-probabilities"), True
            message = "the server sends no log-probabilities; write answer: {from: schema}"
            raise GiveUp(Failure(message)) from None
        if isinstance(score, Failure):
            detail = self.server.secret.hidden_in(score.detail)
            return Failure(score.kind, detail), True
        self._note_usable(model)
        return Answer(position, score, model, used.input_tokens, used.output_tokens), False

    def model_in(self, content: Mapping[str, Any]) -> str:
        """Return the model that answered, as the server names it."""
        model = content.get("model") or self.question.model
        return one_line(self.server.secret.hidden_in(str(model)), MAX_MODEL)

    def _check_model(self, model: str) -> None:
        """Refuse the answer of a model other than the one that answered before."""
        expected = self.state.models
        if not expected or model in expected:
            self.state.other_models = 0
            return
        kind = "answered by another model than before"
        if self.question.reported:
            kind = "answered by another model than the one that must answer"
        detail = f"answered by {model!r} instead of {', '.join(map(repr, sorted(expected)))}"
        self.state.other_models += 1
        if self.state.other_models >= OTHER_MODELS:
            message = f"{kind}, {OTHER_MODELS} times in a row"
            advice = f"{detail}; to score everything by it, write reported: {model}"
            raise GiveUp(Failure(message, advice))
        raise OtherModel(Failure(kind, detail))

    def _note_usable(self, model: str) -> None:
        self.state.answered = True
        self.state.models = self.state.models or frozenset({model})

    def note_useless(self, failure: Failure) -> None:
        """Count questions without a usable answer; GiveUp if the first were all of this kind."""
        self.state.useless += not self.state.answered
        if self.state.useless >= FIRST_ANSWERS:
            kind = f"none of the first {FIRST_ANSWERS} questions has a usable answer"
            raise GiveUp(Failure(f"{kind}: {failure.kind}", failure.detail))


@dataclass(frozen=True, slots=True)
class _Asked:
    """A question, and what its answers without a score cost."""

    asker: Asker
    client: aiohttp.ClientSession
    position: int
    unusable: list[tuple[str, Usage]] = field(default_factory=list)

    async def result(self, prompt: str) -> Answer | Failure:
        """Ask, and once more if the answer does not fit."""
        request = self.asker.question.request(prompt)
        most_tokens = self.asker.question.tokens_at_most(prompt)
        result: Answer | Failure
        for last in (False, True):
            try:
                content = await self._answer(request, most_tokens)
            except Refused as refused:
                result = refused.failure
                break
            if isinstance(content, Failure):
                return content
            self.unusable.append((self.asker.model_in(content), usage_in(content)))
            result, again = self._read(content)
            if isinstance(result, Answer):
                self.unusable.pop()
                return result
            if last or not again:
                break
        if isinstance(result, Failure):
            self.asker.note_useless(result)
        return result

    def _read(self, content: Mapping[str, Any]) -> tuple[Answer | Failure, bool]:
        try:
            return self.asker.read(content, self.position)
        except OtherModel as error:
            return error.failure, False

    async def _answer(self, request: bytes, most_tokens: int) -> dict[str, Any] | Failure:
        """Send a request until it is answered, or until all attempts failed."""
        for attempt in range(1, self.asker.attempts + 1):
            try:
                return await self.asker.attempt(self.client, request, most_tokens)
            except TryAgain as again:
                if attempt == self.asker.attempts:
                    return self.asker.exhausted(again)
                if self.asker.state.failure is not None:  # of another question
                    raise GiveUp(self.asker.state.failure) from None
                await asyncio.sleep(delay_after(attempt, self.position))
        raise ValueError("no attempt is allowed")


def delay_after(attempt: int, position: int) -> float:
    """Return the seconds before the next attempt, different for questions that failed together."""
    delay: float = min(MAX_DELAY, FIRST_DELAY * 2 ** (attempt - 1))
    return delay * (0.5 + Random(position).random())


def usage_in(content: Mapping[str, Any]) -> Usage:
    """Return what the server counts for an answer; no tokens if it counts none."""
    counted = content.get("usage")
    counted = counted if isinstance(counted, dict) else {}
    sent, received = (_count(counted.get(f"{kind}_tokens")) for kind in ("prompt", "completion"))
    return Usage(1, sent, received)


def _count(number: object) -> int:
    return min(max(0, number), MAX_TOKENS) if isinstance(number, int) else 0


def _first_choice(content: Mapping[str, Any]) -> Mapping[str, Any]:
    choices = content.get("choices")
    first = choices[0] if isinstance(choices, list) and choices else None
    return first if isinstance(first, dict) else {}
