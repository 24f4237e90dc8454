"""The weight of ParaScore's second term, chosen on rated items."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from shakeproof.metrics.kinds.parascore import ParaScore
from shakeproof.metrics.protocols import Instance, Vector

STEP = 0.01
STEPS = 100  # 0.00 to 0.99, as in the code of Shen et al. 2022


def tune_omega(
    similarities: Vector, divergences: Vector, ratings: Vector, *, published: bool = False
) -> float:
    """Choose the omega of highest Pearson correlation with the ratings, the first if several.

    The released code goes on to use the step after the one it chose; `published` repeats that.
    """
    weights = np.arange(STEPS) * STEP
    scores = similarities + weights[:, np.newaxis] * divergences
    correlations = _pearson(scores, ratings)
    if np.isnan(correlations).all():
        raise ValueError("omega cannot be tuned: all ratings or all scores are equal")
    best = int(np.nanargmax(correlations))
    return round((best + published) * STEP, 2)


def tuned(
    metric: ParaScore,
    instances: Sequence[Instance],
    scores: Sequence[Sequence[float]],
    ratings: Sequence[float],
    *,
    published: bool = False,
) -> ParaScore:
    """Fix the metric's omega, given development items, their scores and what people said."""
    parts = [metric.parts(instance, each) for instance, each in zip(instances, scores, strict=True)]
    omega = tune_omega(
        np.array([part.similarity for part in parts]),
        np.array([part.divergence for part in parts]),
        np.asarray(ratings, dtype=float),
        published=published,
    )
    return replace(metric, omega=omega)


def _pearson(rows: Vector, ratings: Vector) -> Vector:
    """Correlate every row with the ratings; not a number where either does not vary."""
    centred = rows - rows.mean(axis=-1, keepdims=True)
    rated = ratings - ratings.mean()
    norms = np.sqrt((centred**2).sum(axis=-1) * (rated**2).sum())
    correlations: Vector = np.full(len(rows), np.nan)
    np.divide(centred @ rated, norms, out=correlations, where=norms > 0)
    return correlations
