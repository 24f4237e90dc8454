"""Scorers that ask a language model, one for each draw."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from importlib.util import find_spec
from typing import Any, TypeAlias

from shakeproof.metrics.asking import Answer, AnswerStore
from shakeproof.metrics.failures import Failure, RatingFailed
from shakeproof.metrics.judges.asked import Asker, Outcome, RunState
from shakeproof.metrics.judges.budget import Budget
from shakeproof.metrics.judges.client import Server
from shakeproof.metrics.judges.endpoint import check_endpoint, read_secret
from shakeproof.metrics.judges.gate import Gate
from shakeproof.metrics.judges.questions import Question, byte_length
from shakeproof.metrics.judges.session import Session
from shakeproof.metrics.protocols import ScoreColumn, Texts, Vector, column_of

Variables: TypeAlias = Callable[[Texts], dict[str, Any]]


@dataclass(frozen=True, slots=True)
class Service:
    """How a judge is reached; nothing of it changes what the judge answers."""

    endpoint: str
    key: str | None = None  # the environment variable; None: the default one, if it is set
    timeout: float = 60.0
    concurrency: int = 32
    attempts: int = 6
    offline: bool = False
    calls: int | None = None  # the budget of a run
    tokens: int | None = None


@dataclass(frozen=True, slots=True)
class Judge:
    """A question, where it is asked, and how many draws of its answer there are.

    `variables` makes what the prompt shows of a tuple of texts: one candidate, or a pair.
    """

    question: Question
    variables: Variables
    service: Service
    draws: int = 1

    def signature(self, draw: int) -> str:
        """Return the signature of one draw."""
        return f"{self.question.signature}|draw:{draw}"

    def prompt(self, texts: Texts) -> str:
        """Return what is asked about texts."""
        return self.question.render(self.variables(texts))

    def ask(self, tuples: Sequence[Texts], answers: AnswerStore) -> ScoreColumn:
        """Ask about each tuple; RatingFailed if no other question would be answered either."""
        state = self._state(answers)
        if state.failure is not None:
            raise RatingFailed(state.failure, permanent=True)
        self._check()
        gate, attempts = self._gate(answers), self.service.attempts
        asker = Asker(self.question, self._server(), state, gate, attempts)
        prompts = [partial(self.prompt, texts) for texts in tuples]
        results: dict[int, float | Failure] = {}

        def store(outcomes: Sequence[Outcome]) -> None:
            results.update(_stored(outcomes, answers))

        Session(asker, prompts, self.service.concurrency, store).run()
        if state.failure is not None:
            raise RatingFailed(state.failure, permanent=True)
        return column_of(results[position] for position in range(len(tuples)))

    def _check(self) -> None:
        if self.service.offline:
            message = "answers are not in the cache, and an offline run asks no judge"
            raise RatingFailed(Failure(f"{message}; run once without offline"), permanent=True)
        for library in ("aiohttp", "certifi"):
            if find_spec(library) is None:
                advice = "not installed here; run pip install 'shakeproof[judges]'"
                raise RatingFailed(Failure(f"judges need {library}, {advice}"), permanent=True)

    def _server(self) -> Server:
        try:
            endpoint = check_endpoint(self.service.endpoint)
        except ValueError as error:
            raise RatingFailed(Failure(str(error)), permanent=True) from None
        return Server(endpoint, read_secret(self.service.key), self.service.timeout)

    def _state(self, answers: AnswerStore) -> RunState:
        """Return what is known about this judge in this run."""
        key = ("judge", self.question.signature)
        if key not in answers.shared:
            budget = Budget(self.service.calls, self.service.tokens)
            must = frozenset({self.question.reported} if self.question.reported else ())
            answers.shared[key] = RunState(budget, must)
        state: RunState = answers.shared[key]
        state.models = state.models or answers.models
        draws = [self.signature(draw) for draw in range(1, self.draws + 1)]
        state.budget.begin(answers.spent(draws))
        return state

    def _gate(self, answers: AnswerStore) -> Gate:
        key = ("endpoint", self.service.endpoint, self.service.concurrency)
        gate: Gate = answers.shared.setdefault(key, Gate(self.service.concurrency))
        return gate


def _stored(
    outcomes: Sequence[Outcome], answers: AnswerStore
) -> Iterator[tuple[int, float | Failure]]:
    """Store outcomes, and yield scores and failures by position."""
    usable = [one.result for one in outcomes if isinstance(one.result, Answer)]
    if usable:
        answers.keep(usable)
    for outcome in outcomes:
        for model, usage in outcome.unusable:
            answers.note_unusable(model, usage)
        result = outcome.result
        yield outcome.position, result.score if isinstance(result, Answer) else result


@dataclass(frozen=True, slots=True)
class JudgeScorer:
    """One draw of a judge's answers.

    An answer is the score of a candidate, or, of a judge of pairs, the preference for the first
    of two candidates: 1, 0.5 or 0.
    """

    judge: Judge
    draw: int = 1
    signature: str = field(init=False)  # asked for often

    def __post_init__(self) -> None:
        object.__setattr__(self, "signature", self.judge.signature(self.draw))

    def score(self, tuples: Sequence[Texts]) -> Vector:
        raise ValueError("a judge is asked by the engine, which stores what was paid for")

    def ask(self, tuples: Sequence[Texts], answers: AnswerStore) -> ScoreColumn:
        return self.judge.ask(tuples, answers)

    def prompt_bytes(self, texts: Texts) -> int:
        """Return the length of the prompt about a tuple of texts, in bytes of UTF-8."""
        return byte_length(self.judge.prompt(texts))
