"""Soft pairwise accuracy: how near p-values of metric and people are (Thompson et al. 2024)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from shakeproof.stats.intervals import IntervalTraits
from shakeproof.stats.kinds.coefficients import Coefficient, rated
from shakeproof.stats.kinds.systems import FEWEST, known_systems, memberships, too_few_systems
from shakeproof.stats.observations import Candidates, Ints, Mask, Matrix, Vector
from shakeproof.stats.rows import TIE, by_segment, ratio, tie_width

COLUMNS = 4  # of each pair: sums of differences and of their squares, of ratings and of scores


@dataclass(frozen=True, slots=True)
class SoftPairwise(Coefficient):
    """Mean of 1 - |p of people - p of the metric| over pairs of systems.

    Each p is that of a paired permutation test, one-sided. Randomly swapped, differences d have a
    sum with mean 0 and variance Σd², so p has the limit Φ(-Σd / √Σd²), a function of sums.
    """

    tie: float = TIE

    @property
    def interval_traits(self) -> IntervalTraits:
        """Predict new data: p may go from 0 to 1 within the error of a difference."""
        return IntervalTraits(predicts=True)

    def rows(self, candidates: Candidates) -> Mask:
        """Mark what is rated and of a known system."""
        return rated(candidates) & known_systems(candidates)

    def counts(self, candidates: Candidates, scores: Matrix, rows: Mask) -> Ints:
        """Count the systems of each segment that has two or more."""
        systems = np.isfinite(system_table(candidates, candidates.rating, rows)).sum(axis=1)
        return np.where(systems > 1, systems, 0)

    def sums(self, candidates: Candidates, scores: Matrix, rows: Mask) -> Matrix:
        """Sum differences and their squares of each pair of systems, over segments of both."""
        human = pair_differences(system_table(candidates, candidates.rating, rows), 0.0)
        tables = []
        for vector in scores:
            by_system = system_table(candidates, vector, rows)
            width = tie_width(vector[rows], self.tie)
            metric = pair_differences(by_system, width)
            columns = np.stack([human, human**2, metric, metric**2], axis=-1)
            tables.append(columns.reshape(candidates.segments, -1))
        return np.stack(tables, axis=1)

    def value(self, totals: Matrix) -> Vector:
        pairs = totals.reshape(*totals.shape[:-1], totals.shape[-1] // COLUMNS, COLUMNS)
        if pairs.shape[-2] < FEWEST * (FEWEST - 1) // 2:
            return np.full(totals.shape[:-1], np.nan)
        human, human_squares, metric, metric_squares = np.moveaxis(pairs, -1, 0)
        varied = (human_squares > 0).any(axis=-1) & (metric_squares > 0).any(axis=-1)
        apart = np.abs(
            limit_p_values(human, human_squares) - limit_p_values(metric, metric_squares)
        )
        return np.where(varied, 1 - apart.mean(axis=-1), np.nan)

    def remark(self, candidates: Candidates, scores: Matrix, rows: Mask) -> str:
        """Return that there are too few systems, if so."""
        return too_few_systems(candidates, rows)


def system_table(candidates: Candidates, values: Vector, rows: Mask) -> Matrix:
    """Lay out usable values by segment and system: NaN where there is none, means of several."""
    members = memberships(candidates)
    members = members[rows[members[:, 0]]]
    present, system = np.unique(members[:, 1], return_inverse=True)
    row, cells = members[:, 0], candidates.segments * len(present)
    place = candidates.segment[row] * len(present) + system
    total, count = by_segment(cells, place, values[row], np.ones(len(row))).T
    return ratio(total, count).reshape(candidates.segments, len(present))


def pair_differences(table: Matrix, tie: float) -> Matrix:
    """Subtract systems in pairs: (segments, pairs); 0 where one is missing or they tie.

    Pairs of systems that have no segment in common are left out.
    """
    first, second = np.triu_indices(table.shape[1], 1)
    differences = table[:, first] - table[:, second]
    compared = np.isfinite(differences).any(axis=0)
    apart = np.abs(differences) > tie  # NaN: no
    return np.where(apart, differences, 0.0)[:, compared]


def limit_p_values(sums: Vector, squares: Vector) -> Vector:
    """Return p of many segments, from sums of differences and of their squares; 1 if all are 0."""
    from scipy.special import ndtr

    p: Vector = ndtr(-ratio(sums, np.sqrt(squares)))
    return np.where(squares > 0, p, 1.0)


def permutation_p_values(scores: Matrix, draws: int = 1000, seed: int = 4) -> Matrix:
    """Return p of "system i is better than system j" for i < j, NaN elsewhere: (systems, systems).

    `scores` is (systems, segments). Segments of two systems are swapped at random, the same ones in
    all pairs; p is the share of draws whose difference is at least the real one. By default, the
    numbers are WMT's own, to the last digit: its generator, seed and single precision.
    """
    table = scores.astype(np.float32)
    systems, segments = table.shape
    rng = np.random.default_rng(seed)
    signs = 2 * np.rint(rng.random((draws, segments), dtype=np.float32)) - 1
    totals, swapped = table.sum(axis=1), signs @ table.T
    p = np.full((systems, systems), np.nan)
    for first, second in zip(*np.triu_indices(systems, 1), strict=True):
        reached = swapped[:, first] - swapped[:, second] >= totals[first] - totals[second]
        p[first, second] = reached.sum() / draws
    return p


def soft_pairwise_accuracy(
    human: Matrix, metric: Matrix, draws: int = 1000, seed: int = 4
) -> float:
    """Return soft pairwise accuracy as WMT computes it, from random swaps: (systems, segments)."""
    apart = permutation_p_values(human, draws, seed) - permutation_p_values(metric, draws, seed)
    return float(1 - np.abs(apart[np.triu_indices(len(apart), 1)]).mean())
