"""How many texts a worker gets at a time: as many as it rates in half a second."""

from __future__ import annotations

from typing import TypeAlias

from shakeproof.metrics.engine.jobs import Job
from shakeproof.metrics.models.runtime import uses_model
from shakeproof.metrics.protocols import Scorer

Key: TypeAlias = tuple[str, ...]  # the signatures of a chunk's scorers

FIRST_CHARACTERS = 2_000  # in a chunk of scorers whose speed is not known yet
CHUNK_SECONDS = 0.5
MIN_SECONDS = 1e-6  # a clock may show none


def key_of(job: Job) -> Key:
    """Return the signatures of a job's scorers."""
    return tuple(scorer.signature for scorer in job.scorers)


class ChunkSizes:
    """The speed of scorers as measured by workers, in characters per second."""

    def __init__(self) -> None:
        self._speeds: dict[Key, float] = {}

    def note(self, job: Job, seconds: float) -> None:
        """Note how long a worker took for a chunk."""
        characters = sum(len(text) for texts in job.tuples for text in texts)
        self._speeds[key_of(job)] = characters / max(seconds, MIN_SECONDS)

    def characters(self, job: Job) -> int | None:
        """Return how long the texts of a chunk may be together; None: the job is not split.

        The last digits of a score may depend on the batch that a model or a user's function gets,
        so these get the same jobs as in one process.
        """
        if any(map(rates_batches, job.scorers)):
            return None
        speed = self._speeds.get(key_of(job))
        return FIRST_CHARACTERS if speed is None else int(speed * CHUNK_SECONDS)


def rates_batches(scorer: Scorer) -> bool:
    """Return whether a scorer reads many texts at once."""
    return uses_model(scorer) or bool(getattr(scorer, "batch", False))
