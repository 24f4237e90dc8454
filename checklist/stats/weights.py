"""Bootstrap weights over segments, and how far out an interval's ends are taken."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import sqrt
from statistics import NormalDist

import numpy as np

from shakeproof.stats.frame import Matrix

NORMAL = NormalDist()


def weights(
    segments: int, draws: int, seed: int | Sequence[int], step: int = 50
) -> Iterator[Matrix]:
    """Draw segments with replacement and count them, in chunks of (draws, segments).

    One stream per seed: items on the same segments share their draws and so are paired. Chunks
    are small enough for the processor's cache, and for products that need no second thread.
    """
    rng = np.random.default_rng(seed)
    for start in range(0, draws, step):
        rows = min(step, draws - start)
        drawn = rng.integers(0, segments, (rows, segments)) + np.arange(rows)[:, None] * segments
        counts = np.bincount(drawn.ravel(), minlength=rows * segments)
        yield counts.reshape(rows, segments).astype(float)


def tail(confidence: float, segments: int) -> float:
    """Give the share of draws outside each end: the expanded percentile (Hesterberg 2015).

    A little less than (1 - confidence) / 2, so that few segments are not flattered.
    """
    from scipy.special import stdtrit

    quantile = float(stdtrit(segments - 1, (1 + confidence) / 2))
    return NORMAL.cdf(-sqrt(segments / (segments - 1)) * quantile)


def untail(share: float, segments: int) -> float:
    """Turn a share of draws into a p-value: the inverse of `tail`, one-sided."""
    from scipy.special import stdtr

    if not 0 < share < 1:
        return float(share >= 1)
    z = NORMAL.inv_cdf(share)
    return float(stdtr(segments - 1, z * sqrt((segments - 1) / segments)))
