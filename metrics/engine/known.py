"""What is known of scores: those in memory and in the cache, and why others are missing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import compress
from math import isfinite, nan
from time import time

import numpy as np

from shakeproof.metrics.engine.answers import Asking
from shakeproof.metrics.engine.cache import Cache
from shakeproof.metrics.engine.jobs import Job, Work
from shakeproof.metrics.engine.memory import Memory
from shakeproof.metrics.failures import Failure, RatingFailed, not_finite
from shakeproof.metrics.protocols import ScoreColumn, Texts, Vector

SCORER: Texts = ()  # stands for the scorer itself among the tuples that failed


class MissingScores(LookupError):
    """Some scores are not in the cache, because of a failure."""

    def __init__(self, failure: Failure, count: str) -> None:
        super().__init__(f"{failure.reason} ({count})")
        self.failure = failure
        self._count = count

    def described(self, *, texts: bool) -> str:
        """Return the message; without texts it quotes none of the data."""
        return f"{self.failure.described(texts=texts)} ({self._count})"


class KnownScores:
    """Scores and failures by signature and texts; this process alone writes its cache."""

    def __init__(self, cache: Cache) -> None:
        self._cache = cache
        self._memory = Memory()
        self._errors: dict[str, Failure] = {}  # of scorers that fail on every text, by signature
        self.failures: dict[str, dict[Texts, Failure]] = {}  # of single tuples, by signature
        self._working: set[str] = set()  # signatures with a score that is a number
        self._started = time()

    def in_memory(self, signature: str) -> Mapping[Texts, float]:
        """Return the scores of a signature that are in memory; NaN for tuples that failed."""
        return self._memory.of(signature)

    def failure(self, signature: str, texts: Texts) -> Failure | None:
        """Return why a tuple has no score, if it failed."""
        return self.failures.get(signature, {}).get(texts)

    def look_up(self, signature: str, tuples: Sequence[Texts]) -> list[float]:
        """Read scores from the cache; raise MissingScores for tuples that were never rated."""
        scores, known = self._cache.get_many(signature, tuples)
        failures = self.failures.get(signature, {})
        unknown = compress(tuples, ~known)
        missing = sum(texts not in failures for texts in unknown)
        if missing:
            error = self._errors.get(signature, Failure("never scored"))
            count = f"{missing} of {len(tuples)} scores of {signature!r} are missing"
            raise MissingScores(error, count)
        numbers: list[float] = scores.tolist()
        return numbers

    def missing(self, work: Work) -> Work:
        """List the tuples to score: neither known, nor failed, nor of a scorer that failed."""
        wanted = {
            signature: _without(
                _without(tuples, self._memory.of(signature)), self.failures.get(signature, {})
            )
            for signature, (_, tuples) in work.items()
            if signature not in self._errors
        }
        missing = {}
        for signature, known in self._cache.find(wanted).items():
            self._keep(signature, known)
            if len(known) < len(wanted[signature]):
                rest = _without(wanted[signature], known)
                rest = _without(rest, self._failed_elsewhere(signature, rest))
                if rest:
                    missing[signature] = (work[signature][0], rest)
        return missing

    def _failed_elsewhere(self, signature: str, tuples: Sequence[Texts]) -> Mapping[Texts, Failure]:
        """Take over which tuples failed in another process of this run, such as one of xdist.

        What failed before this engine began is tried again.
        """
        kinds = self._cache.find_failures(signature, [SCORER, *tuples], self._started)
        if SCORER in kinds:
            error = self._errors[signature] = Failure(kinds[SCORER])
            return dict.fromkeys(tuples, error)
        if signature not in self._working:
            return {}
        failures = {texts: Failure(kind) for texts, kind in kinds.items()}
        if failures:
            self._remember(signature, failures)
        return failures

    def store(self, job: Job, columns: Sequence[ScoreColumn]) -> None:
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
        """Remember why tuples have no score, and tell the other processes."""
        self._remember(signature, failures)
        kinds = {texts: failure.kind for texts, failure in failures.items()}
        self._cache.put_failures(signature, kinds, time())

    def _remember(self, signature: str, failures: Mapping[Texts, Failure]) -> None:
        """Remember why tuples have no score; one traceback for each scorer is enough."""
        known = self.failures.setdefault(signature, {})
        for texts, failure in failures.items():
            known[texts] = replace(failure, traceback="") if known else failure
        self._memory.keep(signature, dict.fromkeys(failures, nan))

    def give_up(self, job: Job, failed: RatingFailed) -> None:
        """Note that all tuples of a job failed; the scorer is an error unless it worked before.

        One that asks a service is an error in any case: it gives up when no other tuple can be
        rated, and what was answered so far is in the cache.
        """
        signature, asks = job.scorers[0].signature, isinstance(job.scorers[0], Asking)
        if signature in self._working and not asks:
            self._note(signature, dict.fromkeys(job.tuples, failed.failure))
            return
        self._errors[signature] = failed.failure
        if failed.timed_out or asks:  # so that no other process waits as long to find the same
            self._cache.put_failures(signature, {SCORER: failed.failure.kind}, time())

    def has_given_up(self, signature: str) -> bool:
        """Return whether a scorer fails on every text, so that it is not tried again."""
        return signature in self._errors

    def errors(self) -> dict[str, str]:
        """Return why scorers fail, by signature; one that never returned a number is one."""
        for signature in [name for name in self.failures if name not in self._working]:
            failures = self.failures.pop(signature)
            self._memory.forget(signature, failures)
            self._errors.setdefault(signature, next(iter(failures.values())))
        return {signature: failure.reason for signature, failure in self._errors.items()}


def _without(tuples: Sequence[Texts], known: Mapping[Texts, object]) -> Sequence[Texts]:
    return [texts for texts in tuples if texts not in known] if known else tuples
