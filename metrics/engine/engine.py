"""Scores what is missing, once, and hands the numbers to the metrics' formulas."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from time import perf_counter
from typing import cast

import numpy as np

from shakeproof.metrics.engine.cache import Cache, key
from shakeproof.metrics.engine.jobs import Job, Rating, Work, blocks, collect, jobs, score
from shakeproof.metrics.engine.memory import Memory, without_garbage_collection
from shakeproof.metrics.protocols import (
    Instance,
    Matrix,
    Metric,
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
        """Give the scores per second so far."""
        return self.done / self.seconds if self.seconds > 0 else 0.0


class MissingScores(LookupError):
    """Some scores were asked for that the cache does not have."""


class Engine:
    """Rates unique tuples across all metrics and conditions, through the cache.

    `execute` runs one job; another executor may send jobs elsewhere.
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
        self._memory = Memory()

    def fill(
        self, segments: Iterable[Sequence[Rating]], *, total: int | None = None
    ) -> dict[str, str]:
        """Score what the cache lacks, block by block; return the errors of failed scorers.

        A scorer that fails is left out from then on and the others go on. What is done
        is kept, so that a run that is killed loses at most the block it was in.
        """
        done, start = 0, perf_counter()
        for block in self._blocks(segments):
            lacking = self._lacking(block)
            for job in jobs(lacking):
                what = ", ".join(scorer.signature for scorer in job.scorers)
                self._progress(Progress(what, done, total, perf_counter() - start))
                self._run(job)
                done += sum(len(lacking[scorer.signature][1]) for scorer in job.scorers)
                self._progress(Progress(what, done, total, perf_counter() - start))
        return dict(self._errors)

    def missing(self, segments: Iterable[Sequence[Rating]]) -> int:
        """Count the unique tuples that `fill` would have to score."""
        lacking: set[tuple[str, bytes]] = set()
        for block in self._blocks(segments):
            for signature, (_, tuples) in self._lacking(block).items():
                lacking.update((signature, key(texts)) for texts in tuples)
        return len(lacking)

    def _blocks(self, segments: Iterable[Sequence[Rating]]) -> Iterator[list[Rating]]:
        """Gather blocks; the collector rests while the many ratings of one are made."""
        stream = blocks(segments, self._block_characters)
        while True:
            with without_garbage_collection():
                block = next(stream, None)
            if block is None:
                return
            yield block

    @without_garbage_collection()
    def read(self, metric: Metric, instances: Sequence[Instance]) -> Vector:
        """Rate the items from the cache alone."""
        rows = zip(instances, self._rows(metric, instances), strict=True)
        return np.array(
            [metric.combine(instance, scores) for instance, scores in rows], dtype=float
        )

    def scores(self, metric: Metric, instances: Sequence[Instance]) -> list[list[float]]:
        """Look up what the metric's formula needs, one list for each item."""
        return list(self._rows(metric, instances))

    def _rows(self, metric: Metric, instances: Sequence[Instance]) -> Iterator[list[float]]:
        """Recall what each item needs; from the first that is not remembered on, look it up."""
        seen: dict[int, tuple[Scorer, Mapping[Texts, float]]] = {}
        for position, instance in enumerate(instances):
            row: list[float | None] = []
            for scorer, texts in metric.needs(instance):
                if (known := seen.get(id(scorer))) is None:
                    known = seen[id(scorer)] = (scorer, self._memory.of(scorer.signature))
                row.append(known[1].get(texts))
            if None in row:
                yield from self._looked_up([metric.needs(each) for each in instances[position:]])
                return
            yield cast("list[float]", row)

    def _looked_up(self, needs: Sequence[Sequence[ScoreRequest]]) -> list[list[float]]:
        asked: dict[int, tuple[Scorer, list[Texts]]] = {}
        for scorer, texts in chain.from_iterable(needs):
            asked.setdefault(id(scorer), (scorer, []))[1].append(texts)
        found = {identity: iter(self._known(*each)) for identity, each in asked.items()}
        return [[next(found[id(scorer)]) for scorer, _ in row] for row in needs]

    @without_garbage_collection()
    def _lacking(self, block: Iterable[Rating]) -> Work:
        work = collect(block)
        asked = {
            signature: _without(tuples, self._memory.of(signature))
            for signature, (_, tuples) in work.items()
            if signature not in self._errors
        }
        lacking = {}
        for signature, found in self._cache.find(asked).items():
            self._memory.keep(signature, found)
            if len(found) < len(asked[signature]):
                lacking[signature] = (work[signature][0], _without(asked[signature], found))
        return lacking

    def _run(self, job: Job) -> None:
        try:
            scores = self._execute(job)
        except Exception as error:  # whatever a model or a user's function may raise
            self._fail(job, error)
            return
        columns = {s.signature: column for s, column in zip(job.scorers, scores.T, strict=True)}
        self._cache.put(job.tuples, columns)
        for signature, column in columns.items():
            self._memory.keep(signature, dict(zip(job.tuples, column.tolist(), strict=True)))

    def _fail(self, job: Job, error: Exception) -> None:
        """Find out who of a company fails, and note the error of a scorer on its own."""
        if len(job.scorers) > 1:
            for scorer in job.scorers:
                self._run(Job((scorer,), job.tuples))
            return
        signature = job.scorers[0].signature
        LOG.debug("%s failed", signature, exc_info=error)
        self._errors[signature] = _one_line(error)

    def _known(self, scorer: Scorer, tuples: Sequence[Texts]) -> list[float]:
        signature = scorer.signature
        found, mask = self._cache.get_many(signature, tuples)
        if not mask.all():
            reason = self._errors.get(signature, "never scored")
            lacking = f"{len(tuples) - int(mask.sum())} of {len(tuples)}"
            raise MissingScores(f"{reason} ({lacking} scores of {signature!r} are missing)")
        scores: list[float] = found.tolist()
        return scores


def _without(tuples: Sequence[Texts], known: Mapping[Texts, float]) -> Sequence[Texts]:
    return [texts for texts in tuples if texts not in known] if known else tuples


def _one_line(error: Exception) -> str:
    return f"{type(error).__name__}: {' '.join(str(error).split())}".removesuffix(": ")
