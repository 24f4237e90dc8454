"""Scorers that ask a service, as the engine runs them: their answers are stored as they come."""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import Any
from uuid import uuid4

from shakeproof.metrics.asking import Answer, AskingScorer, Usage
from shakeproof.metrics.engine.cache import Cache
from shakeproof.metrics.engine.database import CacheError
from shakeproof.metrics.engine.stored_usage import Counter, UsageByModel, summed, total
from shakeproof.metrics.failures import RatingFailed, failure_of
from shakeproof.metrics.protocols import ScoreColumn, Scorer, Texts, Vector


class RunUsage:
    """What the answers of this run cost, and what its scorers share."""

    def __init__(self, cache: Cache) -> None:
        self.cache = cache
        self.run = uuid4().hex
        self.shared: dict[Hashable, Any] = {}
        self._before = self.in_cache()

    def in_cache(self) -> UsageByModel:
        """Return what all answers in the cache cost."""
        return summed(self.cache.usage())

    def of_this_process(self) -> UsageByModel:
        """Return what the answers cost that this process asked for."""
        return summed(one for one in self.cache.usage() if one.run == self.run)

    def since_start(self, signatures: Collection[str]) -> Usage:
        """Return what answers cost since the run began, by all processes that share the cache."""
        now, before = (total(one, signatures) for one in (self.in_cache(), self._before))
        return Usage(
            now.calls - before.calls,
            now.input_tokens - before.input_tokens,
            now.output_tokens - before.output_tokens,
        )


@dataclass(frozen=True, slots=True)
class StoredAnswers:
    """The answers of one scorer in the score cache; `tuples` are those that it is asked about."""

    signature: str
    tuples: Sequence[Texts]
    usage: RunUsage
    report: Callable[[int], None] = field(default=lambda _: None)  # told how many were stored

    @property
    def models(self) -> frozenset[str]:
        return self.usage.cache.scored_models(self.signature)

    @property
    def shared(self) -> dict[Hashable, Any]:
        return self.usage.shared

    def keep(self, answers: Sequence[Answer]) -> None:
        scores = {self.tuples[answer.position]: answer.score for answer in answers}
        in_order = sorted(answers, key=lambda answer: answer.model)
        counters = [
            self._counter(model, True, map(_cost, group))
            for model, group in groupby(in_order, key=lambda answer: answer.model)
        ]
        self.usage.cache.put_answers(scores, counters)
        self.report(len(answers))

    def note_unusable(self, model: str, usage: Usage) -> None:
        self.usage.cache.put_answers({}, [self._counter(model, False, [usage])])

    def spent(self, signatures: Collection[str]) -> Usage:
        return self.usage.since_start(signatures)

    def _counter(self, model: str, scored: bool, costs: Iterable[Usage]) -> Counter:
        return Counter(self.usage.run, self.signature, model, scored, sum(costs, Usage()))


def _cost(answer: Answer) -> Usage:
    return Usage(1, answer.input_tokens, answer.output_tokens)


@dataclass(frozen=True, slots=True)
class Asking:
    """A scorer that asks, with the place for its answers; executors see a scorer like others."""

    scorer: AskingScorer
    usage: RunUsage
    report: Callable[[int], None]

    @property
    def signature(self) -> str:
        return self.scorer.signature

    def score(self, tuples: Sequence[Texts]) -> Vector:
        return self.score_column(tuples).scores

    def score_column(self, tuples: Sequence[Texts]) -> ScoreColumn:
        """Ask once; whatever is raised, nothing is asked again, because it may be paid for."""
        store = StoredAnswers(self.signature, tuples, self.usage, self.report)
        try:
            return self.scorer.ask(tuples, store)
        except (RatingFailed, CacheError):
            raise
        except Exception as error:
            raise RatingFailed(failure_of(error), permanent=True) from error


def with_answers(
    work: Mapping[str, tuple[Scorer, Sequence[Texts]]],
    usage: RunUsage,
    report: Callable[[int], None],
) -> dict[str, tuple[Scorer, Sequence[Texts]]]:
    """Give scorers that ask a place for their answers."""
    return {
        signature: (Asking(scorer, usage, report), tuples)
        if isinstance(scorer, AskingScorer)
        else (scorer, tuples)
        for signature, (scorer, tuples) in work.items()
    }
