"""Scores what is missing from the cache, once, and reads metrics from it."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain, compress
from math import isfinite, nan
from time import perf_counter
from typing import cast

import numpy as np

from shakeproof.metrics.engine.cache import Cache, key
from shakeproof.metrics.engine.jobs import Job, Work, blocks, collect, jobs, score
from shakeproof.metrics.engine.memory import Memory, without_garbage_collection
from shakeproof.metrics.engine.retries import Execute, Retries
from shakeproof.metrics.failures import Failure, RatingFailed, failure_of, not_finite
from shakeproof.metrics.protocols import (
    Instance,
    Metric,
    MetricInput,
    ScoreColumn,
    Scorer,
    ScoreRequest,
    Texts,
    Vector,
)

BLOCK_CHARACTERS = 200_000
LOG = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Progress:
    """What is being scored, and how many scores of how many are done."""

    what: str
    done: int
    total: int | None
    seconds: float

    @property
    def rate(self) -> float:
        """Return the scores per second so far."""
        return self.done / self.seconds if self.seconds > 0 else 0.0


class MissingScores(LookupError):
    """Some scores are not in the cache; `traceback` shows where a user's function raised."""

    def __init__(self, message: str, traceback: str = "") -> None:
        super().__init__(message)
        self.traceback = traceback


class Engine:
    """Rates the distinct tuples of all metrics and conditions, and keeps scores in the cache.

    `execute` runs one job; another function may run it in another process.
    """

    def __init__(
        self,
        cache: Cache,
        *,
        progress: Callable[[Progress], None] | None = None,
        execute: Execute = score,
        block_characters: int = BLOCK_CHARACTERS,
    ) -> None:
        self._cache = cache
        self._progress = progress or (lambda _: None)
        self._execute = execute
        self._block_characters = block_characters
        self._retries = Retries(execute)
        self._errors: dict[str, Failure] = {}  # of scorers that fail on every text, by signature
        self._failures: dict[str, dict[Texts, Failure]] = {}  # of single tuples, by signature
        self._working: set[str] = set()  # signatures with a score that is a number
        self._memory = Memory()

    def fill(
        self, segments: Iterable[Sequence[MetricInput]], *, total: int | None = None
    ) -> dict[str, str]:
        """Score what is missing from the cache, block by block; return errors by signature.

        A tuple that fails has no score, and the others go on. A scorer that fails on every tuple
        is an error, and is not tried again. Each block is stored when it is done, so a run that is
        killed loses at most one block.
        """
        done, start = 0, perf_counter()
        for block in self._blocks(segments):
            missing = self._missing(block)
            for job in jobs(missing):
                what = ", ".join(scorer.signature for scorer in job.scorers)
                self._progress(Progress(what, done, total, perf_counter() - start))
                self._run(job)
                done += sum(len(missing[scorer.signature][1]) for scorer in job.scorers)
                self._progress(Progress(what, done, total, perf_counter() - start))
        self._find_errors()
        return {signature: failure.reason for signature, failure in self._errors.items()}

    def _find_errors(self) -> None:
        """Make one error of the failures of a scorer that never returned a number."""
        for signature in [name for name in self._failures if name not in self._working]:
            failures = self._failures.pop(signature)
            self._memory.forget(signature, failures)
            self._errors.setdefault(signature, next(iter(failures.values())))

    def missing(self, segments: Iterable[Sequence[MetricInput]]) -> int:
        """Count the distinct tuples that `fill` would score."""
        missing: set[tuple[str, bytes]] = set()
        for block in self._blocks(segments):
            for signature, (_, tuples) in self._missing(block).items():
                missing.update((signature, key(texts)) for texts in tuples)
        return len(missing)

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
            if failure := self._failures.get(scorer.signature, {}).get(texts):
                return failure
        (scores,) = self._rows(metric, [instance])
        score, failure = _combined(metric, instance, scores)
        return failure or not_finite(score) or Failure("returned a number")

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
                    known = seen[id(scorer)] = (scorer, self._memory.of(scorer.signature))
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
            identity: iter(self._from_cache(scorer, tuples))
            for identity, (scorer, tuples) in by_scorer.items()
        }
        return [[next(scores[id(scorer)]) for scorer, _ in requests] for requests in needs]

    def _from_cache(self, scorer: Scorer, tuples: Sequence[Texts]) -> list[float]:
        signature = scorer.signature
        scores, known = self._cache.get_many(signature, tuples)
        failures = self._failures.get(signature, {})
        unknown = compress(tuples, ~known)
        missing = sum(texts not in failures for texts in unknown)
        if missing:
            error = self._errors.get(signature, Failure("never scored"))
            raise MissingScores(
                f"{error.reason} ({missing} of {len(tuples)} scores of {signature!r} are missing)",
                error.traceback,
            )
        numbers: list[float] = scores.tolist()
        return numbers

    @without_garbage_collection()
    def _missing(self, block: Iterable[MetricInput]) -> Work:
        """List the tuples to score: neither known, nor failed, nor of a scorer that failed."""
        work = collect(block)
        wanted = {
            signature: _without(
                _without(tuples, self._memory.of(signature)), self._failures.get(signature, {})
            )
            for signature, (_, tuples) in work.items()
            if signature not in self._errors
        }
        missing = {}
        for signature, known in self._cache.find(wanted).items():
            self._keep(signature, known)
            if len(known) < len(wanted[signature]):
                missing[signature] = (work[signature][0], _without(wanted[signature], known))
        return missing

    def _run(self, job: Job) -> None:
        """Rate a job and store its scores; note failures.

        If a job of several scorers fails, each scorer is run alone, to find the one that fails.
        """
        if len(job.scorers) == 1:
            self._run_one(job)
            return
        try:
            columns = self._execute(job)
        except Exception as error:  # whatever a model may raise
            LOG.debug("a group of scorers failed", exc_info=error)
            for scorer in job.scorers:
                self._run_one(Job((scorer,), job.tuples))
            return
        self._store(job, columns)

    def _run_one(self, job: Job) -> None:
        """Rate the tuples of one scorer; if all fail, the scorer fails unless it worked before."""
        signature = job.scorers[0].signature
        try:
            self._store(job, [self._retries.rate(job)])
        except RatingFailed as failed:
            if signature in self._working:
                self._note(signature, dict.fromkeys(job.tuples, failed.failure))
            else:
                self._errors[signature] = failed.failure

    def _store(self, job: Job, columns: Sequence[ScoreColumn]) -> None:
        """Put scores into the cache, and note why others are missing.

        A metric that answers with NaN or an infinity would do so again, so these are cached.
        """
        complete: dict[str, Vector] = {}
        for scorer, column in zip(job.scorers, columns, strict=True):
            scores = dict(zip(job.tuples, column.scores.tolist(), strict=True))
            failures = {
                job.tuples[at]: failure
                for at, failure in column.failures.items()
                if failure != not_finite(float(column.scores[at]))
            }
            if failures:
                self._note(scorer.signature, failures)
                scores = {texts: score for texts, score in scores.items() if texts not in failures}
                self._cache.put_many(scorer.signature, [*scores], np.array([*scores.values()]))
            else:
                complete[scorer.signature] = column.scores
            self._keep(scorer.signature, scores)
        self._cache.put(job.tuples, complete)

    def _keep(self, signature: str, scores: Mapping[Texts, float]) -> None:
        """Keep known scores in memory, and remember that the scorer works."""
        self._memory.keep(signature, scores)
        if signature not in self._working and any(map(isfinite, scores.values())):
            self._working.add(signature)

    def _note(self, signature: str, failures: Mapping[Texts, Failure]) -> None:
        """Remember why tuples have no score; one traceback for each scorer is enough."""
        known = self._failures.setdefault(signature, {})
        for texts, failure in failures.items():
            known[texts] = replace(failure, traceback="") if known else failure
        self._memory.keep(signature, dict.fromkeys(failures, nan))


def _without(tuples: Sequence[Texts], known: Mapping[Texts, object]) -> Sequence[Texts]:
    return [texts for texts in tuples if texts not in known] if known else tuples


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
