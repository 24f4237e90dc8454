"""Batches that fail are rated again in parts, down to the single tuple that fails."""

from __future__ import annotations

import logging
from collections import Counter, deque
from collections.abc import Callable, Hashable, Iterable, Sequence
from math import nan
from typing import TypeAlias

import numpy as np

from shakeproof.metrics.engine.database import CacheError
from shakeproof.metrics.engine.jobs import Job
from shakeproof.metrics.failures import Failure, RatingFailed, failure_of
from shakeproof.metrics.models.devices import DeviceNotFound
from shakeproof.metrics.protocols import ScoreColumn

Execute: TypeAlias = Callable[[Job], Sequence[ScoreColumn]]

PROBES = 5  # tuples of a failed batch that are rated alone; if all fail, the scorer is broken
MAX_SLOW_PROBES = 2  # the same, of those that take longer than the time limit
MAX_TIMEOUTS = 20  # of one scorer in a run; each costs the whole time limit
MAX_FAILURES = 1_000  # of one scorer in a run that are looked for one by one
LOG = logging.getLogger(__name__)


def rate_or_fail(execute: Execute, job: Job) -> Sequence[ScoreColumn]:
    """Rate a job; raise RatingFailed, whatever its scorers raise.

    A cache that cannot be written, by a scorer that stores its answers, ends the run.
    """
    try:
        return execute(job)
    except (RatingFailed, CacheError):
        raise
    except (Exception, SystemExit) as error:  # whatever a model or a user's function may raise
        LOG.debug("%s failed", job.scorers[0].signature, exc_info=error)
        permanent = isinstance(error, ImportError | DeviceNotFound)
        raise RatingFailed(failure_of(error), permanent=permanent) from error


class Retries:
    """Rates the tuples of one scorer at a time, and counts the failures of each scorer."""

    def __init__(self, execute: Execute) -> None:
        self._execute = execute
        self._in_a_row: Counter[str] = Counter()  # tuples that failed alone since the last score
        self._timeouts: Counter[str] = Counter()
        self._failed: Counter[str] = Counter()
        self._broken_groups: set[tuple[Hashable, str]] = set()  # with the reason

    def rate_parts(self, job: Job, failed: RatingFailed) -> ScoreColumn:
        """Rate all tuples of a job that failed, in parts.

        Raise RatingFailed, permanent, if the scorer seems to fail on each.
        """
        self._timeouts[job.scorers[0].signature] += failed.timed_out
        if failed.permanent or self._broke_group(job, failed.failure):
            raise RatingFailed(failed.failure, permanent=True) from failed
        parts = self._probe(job, failed)
        self._rate_rest(job, failed, parts)
        return parts.column()

    def note_success(self, job: Job) -> None:
        """Note that a job was rated, so that its scorers are not taken for broken."""
        for scorer in job.scorers:
            self._in_a_row[scorer.signature] = 0

    def _attempt(self, job: Job) -> ScoreColumn:
        try:
            (column,) = rate_or_fail(self._execute, job)
        except RatingFailed as failed:
            self._timeouts[job.scorers[0].signature] += failed.timed_out
            raise
        self.note_success(job)
        return column

    def _probe(self, job: Job, first: RatingFailed) -> _Parts:
        """Rate some tuples of a failed batch alone, until one has a score."""
        signature, parts, slow = job.scorers[0].signature, _Parts(len(job.tuples)), 0
        for position in _spread(len(job.tuples), PROBES):
            failed = first
            if len(job.tuples) > 1:
                try:
                    parts.take([position], self._attempt(_part(job, [position])))
                    break
                except RatingFailed as alone:
                    failed = alone
            self._note(parts, position, failed, signature)
            slow += failed.timed_out
            enough = self._in_a_row[signature] >= PROBES or slow >= MAX_SLOW_PROBES
            if enough or failed.permanent:
                self._broken_groups.add((_group(job), first.failure.reason))
                raise RatingFailed(
                    first.failure, timed_out=failed.timed_out, permanent=True
                ) from None
        return parts

    def _rate_rest(self, job: Job, failed: RatingFailed, parts: _Parts) -> None:
        """Rate what was not rated alone; a part that fails is split where it failed, or in two."""
        signature, rest = job.scorers[0].signature, parts.missing()
        at = rest.index(failed.position) if failed.position in rest else None
        waiting = deque(_split(rest, at))
        while waiting:
            positions = waiting.popleft()
            try:
                parts.take(positions, self._attempt(_part(job, positions)))
            except RatingFailed as again:
                if again.permanent or self._exhausted(signature):
                    raise RatingFailed(again.failure, permanent=True) from None
                if len(positions) == 1:
                    self._note(parts, positions[0], again, signature)
                else:
                    waiting.extendleft(reversed(_split(positions, again.position)))
        if parts.rated:
            self._in_a_row[signature] = 0

    def _broke_group(self, job: Job, failure: Failure) -> bool:
        """Return whether another scorer of the same model was given up for the same reason."""
        return _group(job) is not None and (_group(job), failure.reason) in self._broken_groups

    def _note(self, parts: _Parts, position: int, failed: RatingFailed, signature: str) -> None:
        self._in_a_row[signature] += 1
        self._failed[signature] += 1
        parts.failures[position] = failed.failure

    def _exhausted(self, signature: str) -> bool:
        return self._timeouts[signature] >= MAX_TIMEOUTS or self._failed[signature] >= MAX_FAILURES


class _Parts:
    """The scores of a batch that is rated part by part."""

    def __init__(self, size: int) -> None:
        self.scores = np.full(size, nan)
        self.failures: dict[int, Failure] = {}
        self.rated: set[int] = set()

    def take(self, positions: Sequence[int], column: ScoreColumn) -> None:
        """Take in the scores of the tuples at these positions."""
        self.scores[list(positions)] = column.scores
        self.failures |= {positions[at]: failure for at, failure in column.failures.items()}
        self.rated.update(positions)

    def missing(self) -> list[int]:
        """Return the positions that were not rated, alone or together."""
        return [at for at in range(len(self.scores)) if at not in self.rated | {*self.failures}]

    def column(self) -> ScoreColumn:
        """Return all scores, and all failures by position."""
        return ScoreColumn(self.scores, dict(sorted(self.failures.items())))


def _part(job: Job, positions: Iterable[int]) -> Job:
    return Job(job.scorers, tuple(job.tuples[position] for position in positions))


def _group(job: Job) -> Hashable:
    return getattr(job.scorers[0], "group", None)


def _spread(size: int, most: int) -> list[int]:
    """Choose up to `most` positions from the first to the last, evenly."""
    if size <= most:
        return list(range(size))
    return [number * (size - 1) // (most - 1) for number in range(most)]


def _split(positions: list[int], at: int | None) -> list[list[int]]:
    """Split positions around the one at `at`, which is tried alone, or else in two halves."""
    if at is None or at >= len(positions):
        middle = (len(positions) + 1) // 2
        parts = [positions[:middle], positions[middle:]]
    else:
        parts = [positions[:at], positions[at : at + 1], positions[at + 1 :]]
    return [part for part in parts if part]
