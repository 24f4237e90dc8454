"""Scores what is missing from the cache, once, and reads metrics from it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import chain
from math import isfinite, nan
from time import perf_counter
from typing import cast

import numpy as np

from shakeproof.metrics.asking import Usage
from shakeproof.metrics.engine.answers import RunUsage, with_answers
from shakeproof.metrics.engine.cache import Cache, key
from shakeproof.metrics.engine.distinct import DistinctKeys
from shakeproof.metrics.engine.executors.protocol import Executor, InProcess
from shakeproof.metrics.engine.jobs import Work, blocks, collect, score
from shakeproof.metrics.engine.known import KnownScores
from shakeproof.metrics.engine.known import MissingScores as MissingScores  # offered here too
from shakeproof.metrics.engine.memory import without_garbage_collection
from shakeproof.metrics.engine.retries import Execute
from shakeproof.metrics.engine.schedule import Chunk, Schedule
from shakeproof.metrics.failures import Failure, failure_of, not_finite
from shakeproof.metrics.protocols import (
    Instance,
    Metric,
    MetricInput,
    Scorer,
    ScoreRequest,
    Texts,
    Vector,
)

BLOCK_CHARACTERS = 200_000


@dataclass(frozen=True, slots=True)
class Progress:
    """What is being scored, and how many scores of how many are done."""

    what: str
    done: int
    total: int | None
    seconds: float
    workers: int = 0  # processes that rate; 0: this one alone

    @property
    def rate(self) -> float:
        """Return the scores per second so far."""
        return self.done / self.seconds if self.seconds > 0 else 0.0


class Engine:
    """Rates the distinct tuples of all metrics and conditions, and keeps scores in the cache.

    `execute` rates a job in this process; while an executor is in use, its workers rate chunks.
    """

    def __init__(
        self,
        cache: Cache,
        *,
        progress: Callable[[Progress], None] | None = None,
        execute: Execute = score,
        block_characters: int = BLOCK_CHARACTERS,
    ) -> None:
        self.cache = cache
        self._known = KnownScores(cache)
        self._usage = RunUsage(cache)
        self._progress = progress or (lambda _: None)
        self._schedule = Schedule(self._known, InProcess(execute))
        self._block_characters = block_characters

    def fill(
        self, segments: Iterable[Sequence[MetricInput]], *, total: int | None = None
    ) -> dict[str, str]:
        """Score what is missing from the cache, block by block; return errors by signature.

        A tuple that fails has no score, and the others go on. A scorer that fails on every tuple
        is an error, and is not tried again. Each block is stored when it is done, so a run that is
        killed loses at most one block.
        """
        done, answered, name, start = 0, 0, "", perf_counter()

        def show() -> None:
            workers, seconds = self._schedule.executor.workers, perf_counter() - start
            self._progress(Progress(name, done + answered, total, seconds, workers))

        def report(chunk: Chunk, new: int) -> None:
            nonlocal done, answered, name
            done, answered, name = done + new, 0, chunk.name
            show()

        def report_answers(new: int) -> None:  # of a chunk that is not completed yet
            nonlocal answered
            answered += new
            show()

        missing = map(self._missing, self._blocks(segments))
        work = (with_answers(block, self._usage, report_answers) for block in missing)
        self._schedule.run(work, report)
        return self._known.errors()

    def usage(self) -> Mapping[str, Mapping[str, Usage]]:
        """Return what all answers in the cache cost, by signature and model."""
        return self._usage.in_cache()

    def used(self) -> Mapping[str, Mapping[str, Usage]]:
        """Return what the answers cost that this process asked for, by signature and model."""
        return self._usage.of_this_process()

    @contextmanager
    def use(self, executor: Executor) -> Iterator[None]:
        """Let an executor rate what `fill` is asked for; close it at the end."""
        before, self._schedule.executor = self._schedule.executor, executor
        try:
            yield
        finally:
            self._schedule.executor = before
            executor.close()

    def missing(self, segments: Iterable[Sequence[MetricInput]]) -> int:
        """Count the distinct tuples that `fill` would score."""
        missing: dict[str, DistinctKeys] = {}
        for block in self._blocks(segments):
            for signature, (_, tuples) in self._missing(block).items():
                missing.setdefault(signature, DistinctKeys()).add(map(key, tuples))
        return sum(map(len, missing.values()))

    def _blocks(self, segments: Iterable[Sequence[MetricInput]]) -> Iterator[list[MetricInput]]:
        """Gather blocks, with garbage collection off while their many small objects are made."""
        stream = blocks(segments, self._block_characters)
        while True:
            with without_garbage_collection():
                block = next(stream, None)
            if block is None:
                return
            yield block

    @without_garbage_collection()
    def read(self, metric: Metric, instances: Sequence[Instance]) -> Vector:
        """Compute a metric from known scores alone, one number for each instance; NaN if missing.

        `failure` says why one is missing.
        """
        rows = zip(instances, self._rows(metric, instances), strict=True)
        return np.array([_combined(metric, *row)[0] for row in rows], dtype=float)

    def failure(self, metric: Metric, instance: Instance) -> Failure:
        """Return why a metric has no number for an instance that was scored."""
        for scorer, texts in metric.needs(instance):
            if failure := self._known.failure(scorer.signature, texts):
                return failure
        (scores,) = self._rows(metric, [instance])
        score, failure = _combined(metric, instance, scores)
        return failure or not_finite(score) or Failure("returned a number")

    def failed(self) -> Mapping[str, Mapping[Texts, Failure]]:
        """Return the tuples that have no score, and why, by signature."""
        return self._known.failures

    def scores(self, metric: Metric, instances: Sequence[Instance]) -> list[list[float]]:
        """Look up the scores that the metric's formula needs, one list for each instance."""
        return list(self._rows(metric, instances))

    def _rows(self, metric: Metric, instances: Sequence[Instance]) -> Iterator[list[float]]:
        """Take scores from memory; from the first instance that is not there on, use the cache."""
        seen: dict[int, tuple[Scorer, Mapping[Texts, float]]] = {}
        for position, instance in enumerate(instances):
            row: list[float | None] = []
            for scorer, texts in metric.needs(instance):
                if (known := seen.get(id(scorer))) is None:
                    known = seen[id(scorer)] = (scorer, self._known.in_memory(scorer.signature))
                row.append(known[1].get(texts))
            if None in row:
                yield from self._look_up([metric.needs(later) for later in instances[position:]])
                return
            yield cast("list[float]", row)

    def _look_up(self, needs: Sequence[Sequence[ScoreRequest]]) -> list[list[float]]:
        """Read scores from the cache, all tuples of a scorer at once."""
        by_scorer: dict[int, tuple[Scorer, list[Texts]]] = {}
        for scorer, texts in chain.from_iterable(needs):
            by_scorer.setdefault(id(scorer), (scorer, []))[1].append(texts)
        scores = {
            identity: iter(self._known.look_up(scorer.signature, tuples))
            for identity, (scorer, tuples) in by_scorer.items()
        }
        return [[next(scores[id(scorer)]) for scorer, _ in requests] for requests in needs]

    @without_garbage_collection()
    def _missing(self, block: Iterable[MetricInput]) -> Work:
        return self._known.missing(collect(block))


def _combined(
    metric: Metric, instance: Instance, scores: Sequence[float]
) -> tuple[float, Failure | None]:
    """Compute a metric from its scores, all of which must be finite; NaN and why if it fails."""
    if not all(map(isfinite, scores)):
        return nan, not_finite(next(score for score in scores if not isfinite(score)))
    try:
        return metric.combine(instance, scores), None
    except Exception as error:  # of a user's formula
        return nan, failure_of(error, _combined.__code__)
