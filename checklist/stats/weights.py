"""Weights of bootstrap draws: how often each segment is drawn, and sums weighted by them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from shakeproof.stats.observations import Matrix

Seed: TypeAlias = int | tuple[int, ...]
Counts: TypeAlias = NDArray[np.unsignedinteger]

MAX_CACHED_COUNTS = 32_000_000  # of one byte each
SEGMENTS_PER_PRODUCT = 128


def bootstrap_weights(
    segments: int, draws: int, seed: int | Sequence[int], step: int = 50
) -> Iterator[Matrix]:
    """Draw segments with replacement and count them, in chunks of (draws, segments).

    One stream per seed: items on the same segments share their draws and so are paired. Chunks
    are small enough for the processor's cache.
    """
    seeds = seed if isinstance(seed, int) else tuple(seed)
    if segments * draws <= MAX_CACHED_COUNTS:
        chunks: Iterable[Counts] = _cached_counts(segments, draws, seeds, step)
    else:
        chunks = _draw_counts(segments, draws, seeds, step)
    yield from (counts.astype(float) for counts in chunks)


@lru_cache(maxsize=3)
def _cached_counts(segments: int, draws: int, seed: Seed, step: int) -> tuple[Counts, ...]:
    """Keep the counts of the latest draws: most items of a run are on the same segments."""
    return tuple(_draw_counts(segments, draws, seed, step))


def _draw_counts(segments: int, draws: int, seed: Seed, step: int) -> Iterator[Counts]:
    rng = np.random.default_rng(seed)
    for start in range(0, draws, step):
        rows = min(step, draws - start)
        drawn = rng.integers(0, segments, (rows, segments)) + np.arange(rows)[:, None] * segments
        counts = np.bincount(drawn.ravel(), minlength=rows * segments)
        yield counts.reshape(rows, segments).astype(np.min_scalar_type(counts.max()))


def weighted_sums(weights: Matrix, sums: Matrix) -> Matrix:
    """Multiply (draws, segments) by (segments, k), some segments at a time.

    NumPy's linear algebra library shares a larger product among threads, which then wait for each
    other: with other work on the machine it takes thirty times as long.
    """
    total = np.zeros((len(weights), sums.shape[1]))
    for start in range(0, len(sums), SEGMENTS_PER_PRODUCT):
        end = start + SEGMENTS_PER_PRODUCT
        total += weights[:, start:end] @ sums[start:end]
    return total
