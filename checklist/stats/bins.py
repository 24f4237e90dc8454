"""Bins: many segments gathered at random, so that the cost of a bootstrap stops growing.

A draw of bins spreads like a draw of segments. The studentised interval takes its standard error
from the single segments, so bins only decide the shape of the distribution; where the draws
themselves give the interval, their spread is off by about 1 / sqrt(2 * MAX_UNITS), 1.6 %.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from shakeproof.stats.observations import Matrix, Vector

MAX_UNITS = 2_000  # that are drawn; more of them are gathered in so many bins


def binned(rows: Matrix, seed: Sequence[int]) -> Matrix:
    """Sum rows by bin, where there are many; equal numbers of rows make the same bins."""
    count = len(rows)
    if count <= MAX_UNITS:
        return rows
    order = np.random.default_rng((*seed, count)).permutation(count)
    starts = np.linspace(0, count, MAX_UNITS, endpoint=False).astype(int)
    sums: Matrix = np.add.reduceat(rows[order], starts, axis=0)
    return sums


def binned_influence(psi: Vector, seed: Sequence[int]) -> Vector:
    """Return the influences of bins: their mean stays the same."""
    known = np.nan_to_num(psi)
    sums: Vector = binned(known[:, None], seed)[:, 0]
    return sums * (len(sums) / max(len(psi), 1))
