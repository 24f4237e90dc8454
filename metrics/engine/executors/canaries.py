"""Texts that every worker rates before its scores count, because machines may differ."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from shakeproof.metrics.engine.jobs import Job
from shakeproof.metrics.protocols import Matrix, ScoreColumn, Texts

MAX_CANARIES = 4
TOLERANCE = 1e-4  # in float32; of scores above 1, as a share
HALF_TOLERANCE = 5e-3  # in half precision and TF32
HALF = ("|precision:float16|", "|precision:bfloat16|", "|precision:tf32|")


@dataclass(frozen=True, slots=True)
class Canary:
    """Tuples with the scores that the first worker gave them: (scorers, tuples)."""

    tuples: tuple[Texts, ...]
    scores: Matrix


def make_canary(job: Job, columns: Sequence[ScoreColumn]) -> Canary | None:
    """Take some tuples of a chunk that was rated; None if none has all its scores."""
    scores = np.stack([column.scores for column in columns])
    rated = np.flatnonzero(np.isfinite(scores).all(axis=0))
    if not len(rated):
        return None
    chosen = rated[np.unique(np.linspace(0, len(rated) - 1, MAX_CANARIES).astype(int))]
    return Canary(tuple(job.tuples[at] for at in chosen), scores[:, chosen])


def difference(canary: Canary, columns: Sequence[ScoreColumn], signatures: Sequence[str]) -> str:
    """Say how scores of the canaries differ from those of the first worker; "" if they do not."""
    for expected, column, signature in zip(canary.scores, columns, signatures, strict=True):
        tolerance = tolerance_of(signature) * np.maximum(1, np.abs(expected))
        apart = ~(np.abs(column.scores - expected) <= tolerance)  # also where one is missing
        if apart.any():
            at = int(np.flatnonzero(apart)[0])
            numbers = f"{column.scores[at]:.6g} instead of {expected[at]:.6g}"
            return f"it rates the same texts differently from another worker ({numbers})"
    return ""


def tolerance_of(signature: str) -> float:
    """Return by how much scores of a scorer may differ between machines, by its precision."""
    half = any(precision in f"{signature}|" for precision in HALF)
    return HALF_TOLERANCE if half else TOLERANCE
