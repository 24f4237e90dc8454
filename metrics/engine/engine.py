"""Scores what is missing from the cache, once, and reads metrics from it."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from time import perf_counter
from typing import cast

import numpy as np

from shakeproof.metrics.engine.cache import Cache, key
from shakeproof.metrics.engine.jobs import Job, Work, blocks, collect, jobs, score
from shakeproof.metrics.engine.memory import Memory, without_garbage_collection
from shakeproof.metrics.functions import function_traceback
from shakeproof.metrics.protocols import (
    Instance,
    Matrix,
    Metric,
    MetricInput,
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
        execute: Callable[[Job], Matrix] = score,
        block_characters: int = BLOCK_CHARACTERS,
    ) -> None:
        self._cache = cache
        self._progress = progress or (lambda _: None)
        self._execute = execute
        self._block_characters = block_characters
        self._errors: dict[str, str] = {}
        self._tracebacks: dict[str, str] = {}  # of users' functions; as text, to free the frames
        self._memory = Memory()

    def fill(
        self, segments: Iterable[Sequence[MetricInput]], *, total: int | None = None
    ) -> dict[str, str]:
        """Score what is missing from the cache, block by block; return errors by signature.

        A scorer that fails is not tried again, and the others go on. Each block is stored when it
        is done, so a run that is killed loses at most one block.
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
        return dict(self._errors)

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
        """Compute a metric from known scores alone, one number for each instance."""
        rows = zip(instances, self._rows(metric, instances), strict=True)
        return np.array(
            [metric.combine(instance, scores) for instance, scores in rows], dtype=float
        )

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
        if not known.all():
            reason = self._errors.get(signature, "never scored")
            missing = f"{len(tuples) - int(known.sum())} of {len(tuples)}"
            raise MissingScores(
                f"{reason} ({missing} scores of {signature!r} are missing)",
                self._tracebacks.get(signature, ""),
            )
        numbers: list[float] = scores.tolist()
        return numbers

    @without_garbage_collection()
    def _missing(self, block: Iterable[MetricInput]) -> Work:
        """List the tuples to score: neither known, nor of a scorer that has failed."""
        work = collect(block)
        wanted = {
            signature: _without(tuples, self._memory.of(signature))
            for signature, (_, tuples) in work.items()
            if signature not in self._errors
        }
        missing = {}
        for signature, known in self._cache.find(wanted).items():
            self._memory.keep(signature, known)
            if len(known) < len(wanted[signature]):
                missing[signature] = (work[signature][0], _without(wanted[signature], known))
        return missing

    def _run(self, job: Job) -> None:
        """Run a job and store its scores; note the error of a scorer that fails.

        If a job of several scorers fails, each scorer is run alone, to find the one that fails.
        """
        try:
            scores = self._execute(job)
        except Exception as error:  # whatever a model or a user's function may raise
            if len(job.scorers) > 1:
                for scorer in job.scorers:
                    self._run(Job((scorer,), job.tuples))
                return
            signature = job.scorers[0].signature
            LOG.debug("%s failed", signature, exc_info=error)
            self._errors[signature] = _one_line(error)
            self._tracebacks[signature] = function_traceback(error)
            return
        columns = {s.signature: column for s, column in zip(job.scorers, scores.T, strict=True)}
        self._cache.put(job.tuples, columns)
        for signature, column in columns.items():
            self._memory.keep(signature, dict(zip(job.tuples, column.tolist(), strict=True)))


def _without(tuples: Sequence[Texts], known: Mapping[Texts, float]) -> Sequence[Texts]:
    return [texts for texts in tuples if texts not in known] if known else tuples


def _one_line(error: Exception) -> str:
    return f"{type(error).__name__}: {' '.join(str(error).split())}".removesuffix(": ")
