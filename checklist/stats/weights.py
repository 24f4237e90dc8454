"""Bootstrap weights over segments, and how far out an interval's ends are taken."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from math import sqrt
from statistics import NormalDist
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from shakeproof.stats.observations import Matrix

Seed: TypeAlias = int | tuple[int, ...]
Counts: TypeAlias = NDArray[np.unsignedinteger]

NORMAL = NormalDist()
KEPT = 16_000_000  # counts of one or two bytes
BLOCK = 128  # segments at a time


def weights(
    segments: int, draws: int, seed: int | Sequence[int], step: int = 50
) -> Iterator[Matrix]:
    """Draw segments with replacement and count them, in chunks of (draws, segments).

    One stream per seed: items on the same segments share their draws and so are paired. Chunks
    are small enough for the processor's cache.
    """
    seeds = seed if isinstance(seed, int) else tuple(seed)
    if segments * draws <= KEPT:
        chunks: Iterable[Counts] = _kept(segments, draws, seeds, step)
    else:
        chunks = _counts(segments, draws, seeds, step)
    yield from (counts.astype(float) for counts in chunks)


@lru_cache(maxsize=3)
def _kept(segments: int, draws: int, seed: Seed, step: int) -> tuple[Counts, ...]:
    """Keep the counts of the latest draws: most items of a run are on the same segments."""
    return tuple(_counts(segments, draws, seed, step))


def _counts(segments: int, draws: int, seed: Seed, step: int) -> Iterator[Counts]:
    rng = np.random.default_rng(seed)
    smallest = np.min_scalar_type(segments)  # that can hold a count, however it falls
    for start in range(0, draws, step):
        rows = min(step, draws - start)
        drawn = rng.integers(0, segments, (rows, segments)) + np.arange(rows)[:, None] * segments
        counts = np.bincount(drawn.ravel(), minlength=rows * segments)
        yield counts.reshape(rows, segments).astype(smallest)


def weighed(weights: Matrix, sums: Matrix) -> Matrix:
    """Multiply (draws, segments) by (segments, k), some segments at a time.

    The library behind numpy shares a larger product among threads, which then wait for each
    other: beside other work on the machine it takes thirty times as long.
    """
    total = np.zeros((len(weights), sums.shape[1]))
    for start in range(0, len(sums), BLOCK):
        total += weights[:, start : start + BLOCK] @ sums[start : start + BLOCK]
    return total


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
