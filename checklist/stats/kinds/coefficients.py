"""Coefficients of agreement with people, as sums over segments: Pearson's r, Spearman's rho."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Protocol

import numpy as np

from shakeproof.stats.intervals import USUAL, IntervalTraits
from shakeproof.stats.observations import (
    Candidates,
    Ints,
    Mask,
    Matrix,
    Observations,
    ScoreKey,
    Vector,
)
from shakeproof.stats.rows import (
    TIE,
    by_segment,
    midranks,
    ratio,
    rows_per_segment,
    tie_width,
    to_grid,
)

NO_VARIANCE = 1e-12  # of the whole data's variance: a draw with less is undefined
PEARSON_STRETCH = 3.0  # chosen by simulation, benchmarks/coverage.py

NOTHING_USABLE = "no candidate has both a score and a judgement"


def rated(candidates: Candidates) -> Mask:
    """Mark the candidates that have a rating."""
    return np.isfinite(candidates.rating)


def no_pairs(candidates: Candidates, rows: Mask) -> str:
    """Return that no segment has two usable candidates, if so."""
    if not rows.any():
        return NOTHING_USABLE
    if rows_per_segment(candidates, rows).max() > 1:
        return ""
    return (
        "no segment has two candidates with a score and a rating, so there are no pairs; "
        "pearson, spearman and tau-b compare candidates of different segments"
    )


class Coefficient(Protocol):
    """How scores are compared with what people said; most coefficients go by ratings."""

    extremes: ClassVar[tuple[float, float] | None] = None  # values if no pair is right, and if all
    largest_change: ClassVar[float | None] = None  # of a segment's own number, if it has one
    has_thresholds: ClassVar[bool] = False  # scores closer than a calibrated threshold are ties
    exact_under_swaps: ClassVar[bool] = False  # the others are linearised at the data as it is

    @property
    def interval_traits(self) -> IntervalTraits:
        """Return what the intervals of its values have to allow for."""
        return USUAL

    def rows(self, candidates: Candidates) -> Mask:
        """Mark the candidates that people judged: (rows,)."""
        return rated(candidates)

    def counts(self, candidates: Candidates, scores: Matrix, rows: Mask) -> Ints:
        """Count what each segment has to compare, given the usable rows: (segments,)."""
        return rows_per_segment(candidates, rows)

    def calibrate(
        self, observed: Observations, anchors: Sequence[ScoreKey], rows: Mask
    ) -> Coefficient:
        """Return the coefficient with thresholds set on one anchor's scores per score vector."""
        return self

    def sums(self, candidates: Candidates, scores: Matrix, rows: Mask) -> Matrix:
        """Sum by segment for several score vectors (vectors, rows): (segments, vectors, k)."""
        ...

    def value(self, totals: Matrix) -> Vector:
        """Turn totals (..., k) into coefficients (...); NaN where undefined."""
        ...

    def nothing_to_compare(self, candidates: Candidates, rows: Mask) -> str:
        """Explain why no segment has anything to compare, given the usable rows."""
        return NOTHING_USABLE

    def remark(self, candidates: Candidates, scores: Matrix, rows: Mask) -> str:
        """Explain in one line why the value is undefined or what was left out; "" if nothing."""
        return ""


@dataclass(frozen=True, slots=True)
class Pearson(Coefficient):
    """Pearson's r over all rated candidates; exact."""

    exact_under_swaps: ClassVar[bool] = True

    tie: float = TIE

    @property
    def interval_traits(self) -> IntervalTraits:
        """Widen intervals more: without the few segments that move r most, no draw shows them."""
        return IntervalTraits(stretch=PEARSON_STRETCH)

    def sums(self, candidates: Candidates, scores: Matrix, rows: Mask) -> Matrix:
        """Sum 1, x, y, x², y², xy, standardised first so that squares lose no digits."""
        y = standardise(candidates.rating[rows], 0.0)
        ones, segment = np.ones(len(y)), candidates.segment[rows]
        standardised = [standardise(vector[rows], self.tie) for vector in scores]
        tables = [
            by_segment(candidates.segments, segment, ones, x, y, x * x, y * y, x * y)
            for x in standardised
        ]
        return np.stack(tables, axis=1)

    def value(self, totals: Matrix) -> Vector:
        n, x, y, xx, yy, xy = np.moveaxis(totals, -1, 0)
        vx, vy = ratio(xx - ratio(x * x, n), n), ratio(yy - ratio(y * y, n), n)
        covariance = ratio(xy - ratio(x * y, n), n)
        return ratio(covariance, np.sqrt(defined(vx) * defined(vy)))


def standardise(values: Vector, tie: float) -> Vector:
    """Centre and scale; constant values become 0, and their correlation undefined."""
    if not len(values) or np.ptp(values) <= tie_width(values, tie):
        return np.zeros(len(values))
    centred = values - values.mean()
    deviation: Vector = centred / np.sqrt(np.mean(centred * centred))
    return deviation


def defined(variance: Vector) -> Vector:
    """Replace variances that are only rounding errors by NaN."""
    return np.where(variance > NO_VARIANCE, variance, np.nan)


@dataclass(frozen=True, slots=True)
class Spearman(Coefficient):
    """Spearman's rho over all rated candidates; linearised, the total is exact.

    Ranks depend on all rows, so a row's share is its own product plus its effect on the ranks of
    the others. The bootstrap's standard error is within 0.2 % of re-ranking.
    """

    tie: float = TIE

    def sums(self, candidates: Candidates, scores: Matrix, rows: Mask) -> Matrix:
        """Sum the linearised products of ranks."""
        y, segment = candidates.rating[rows], candidates.segment[rows]
        shares = [spearman_rows(to_grid(vector[rows], self.tie), y) for vector in scores]
        tables = [by_segment(candidates.segments, segment, *share.T) for share in shares]
        return np.stack(tables, axis=1)

    def value(self, totals: Matrix) -> Vector:
        xy, xx, yy = np.moveaxis(totals, -1, 0)
        positive = (xx > NO_VARIANCE) & (yy > NO_VARIANCE)
        return ratio(xy, np.sqrt(np.where(positive, xx * yy, np.nan)))


def spearman_rows(x: Vector, y: Vector) -> Matrix:
    """Return each row's share in the sums of FG, FF and GG, F and G being centred ranks / N."""
    if not len(x):
        return np.zeros((0, 3))
    f, g = ((midranks(v) - 0.5) / len(v) - 0.5 for v in (x, y))
    return np.stack(
        [
            f * g + rank_effect(x, g) + rank_effect(y, f) - 2 * (f * g).mean(),
            f * f + 2 * rank_effect(x, f) - 2 * (f * f).mean(),
            g * g + 2 * rank_effect(y, g) - 2 * (g * g).mean(),
        ],
        axis=1,
    )


def rank_effect(values: Vector, weight: Vector) -> Vector:
    """Return each row's effect on the ranks of the others, as a mean weighted by `weight`."""
    distinct, place = np.unique(values, return_inverse=True)
    mass = np.bincount(place, weight, len(distinct))
    below = np.cumsum(mass) - mass / 2
    effect: Vector = (mass.sum() / 2 - below)[place] / len(values)
    return effect
