"""Kendall's tau: over all rated candidates, linearised, and within segments, exact."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from shakeproof.stats.kinds.coefficients import Coefficient, no_pairs
from shakeproof.stats.observations import Candidates, Ints, Mask, Matrix, Vector
from shakeproof.stats.rows import (
    TIE,
    by_segment,
    ratio,
    rows_per_segment,
    tie_width,
    to_grid,
    usable_pairs,
)

CHUNK = 256  # rows compared with all others at once
MOST_UNDEFINED = 0.1  # share of segments in which a metric may be constant


@dataclass(frozen=True, slots=True)
class Tau(Coefficient):
    """Kendall's tau-b or tau-c over all rated candidates; linearised, the total is exact.

    Each row's comparisons with all others are counted once. The count is quadratic in the
    weights of a draw, and is replaced by its tangent: standard errors agree to 0.1 %.
    """

    variant: Literal["b", "c"] = "b"
    tie: float = TIE

    def sums(self, candidates: Candidates, scores: Matrix, rows: Mask) -> Matrix:
        """Sum comparisons by segment, as the tangent at the whole data."""
        y, segment = candidates.rating[rows], candidates.segment[rows]
        columns = [self._columns(to_grid(vector[rows], self.tie), y) for vector in scores]
        tables = [by_segment(candidates.segments, segment, *column.T) for column in columns]
        present = (rows_per_segment(candidates, rows) > 0)[:, None]
        tangents = [
            np.where(present, 2 * table - table.sum(axis=0) / max(present.sum(), 1), 0.0)
            for table in tables
        ]
        return np.stack(tangents, axis=1)

    def value(self, totals: Matrix) -> Vector:
        """Divide concordant minus discordant pairs by the number of pairs that are untied."""
        surplus, x, y = np.moveaxis(totals, -1, 0)
        return ratio(surplus, np.sqrt(np.where((x > 0) & (y > 0), x * y, np.nan)))

    def _columns(self, x: Vector, y: Vector) -> Matrix:
        columns = comparisons(x, y)
        if self.variant == "b" or not len(x):
            return columns
        least = min(len(np.unique(x)), len(np.unique(y)))
        all_rows = np.full(len(x), float(len(x)))
        surplus = columns[:, 0] * least / max(least - 1, 1)
        usable = all_rows * (least > 1)
        return np.stack([surplus, usable, usable], axis=1)


def comparisons(x: Vector, y: Vector) -> Matrix:
    """Compare each row with all: concordant minus discordant, untied in x, untied in y."""
    chunks = [
        _compare(x[start : start + CHUNK], y[start : start + CHUNK], x, y)
        for start in range(0, len(x), CHUNK)
    ]
    return np.concatenate(chunks) if chunks else np.zeros((0, 3))


def _compare(some_x: Vector, some_y: Vector, x: Vector, y: Vector) -> Matrix:
    dx, dy = (np.sign(np.subtract.outer(a, b)) for a, b in ((some_x, x), (some_y, y)))
    return np.stack([(dx * dy).sum(axis=1), np.abs(dx).sum(axis=1), np.abs(dy).sum(axis=1)], axis=1)


@dataclass(frozen=True, slots=True)
class Within(Coefficient):
    """A coefficient within each segment, averaged over segments; exact.

    A segment in which the scores are constant under any compared condition leaves all of them.
    If more than a tenth do, there is no number: a coefficient that is always defined, such as
    wmt-kendall or acc-eq, should be used instead.
    """

    largest_change: ClassVar[float | None] = 2.0

    kind: Literal["pearson", "spearman", "tau-b"] = "tau-b"
    tie: float = TIE

    def counts(self, candidates: Candidates, scores: Matrix, rows: Mask) -> Ints:
        """Mark the segments that have a coefficient under every condition."""
        return self._everywhere(self.coefficients(candidates, scores, rows)).astype(np.int64)

    def nothing_to_compare(self, candidates: Candidates, rows: Mask) -> str:
        constant = "scores or ratings are constant in every segment"
        return no_pairs(candidates, rows) or constant

    def sums(self, candidates: Candidates, scores: Matrix, rows: Mask) -> Matrix:
        """Return each segment's coefficient, and a 1 that counts it."""
        by_vector = self.coefficients(candidates, scores, rows)
        everywhere = self._everywhere(by_vector)
        lost, usable = self._lost(candidates, by_vector, rows)
        if lost > MOST_UNDEFINED * usable:
            return np.full((candidates.segments, len(scores), 2), np.nan)
        kept = np.where(everywhere, by_vector, 0.0).T
        return np.stack([kept, np.broadcast_to(everywhere[:, None], kept.shape)], axis=2)

    def value(self, totals: Matrix) -> Vector:
        return ratio(totals[..., 0], totals[..., 1])

    def remark(self, candidates: Candidates, scores: Matrix, rows: Mask) -> str:
        """Count the segments that were left out."""
        lost, usable = self._lost(candidates, self.coefficients(candidates, scores, rows), rows)
        if not lost:
            return ""
        text = f"scores constant in {lost:,} of {usable:,} segments, left out"
        return f"{text}; use wmt-kendall or acc-eq" if lost > MOST_UNDEFINED * usable else text

    def coefficients(self, candidates: Candidates, scores: Matrix, rows: Mask) -> Matrix:
        """Return the coefficient within each segment, NaN where undefined: (vectors, segments)."""
        return np.stack([self._within(candidates, vector, rows) for vector in scores])

    def _within(self, candidates: Candidates, x: Vector, rows: Mask) -> Vector:
        y = candidates.rating
        if self.kind == "pearson":
            return segment_pearson(candidates, x, y, rows, tie_width(x[rows], self.tie) ** 2)
        rounded = to_grid_rows(x, rows, self.tie)
        if self.kind == "tau-b":
            return segment_tau(candidates, rounded, y, rows)
        ranks = [segment_ranks(candidates, values, rows) for values in (rounded, y)]
        return segment_pearson(candidates, ranks[0], ranks[1], rows)

    def _lost(self, candidates: Candidates, by_vector: Matrix, rows: Mask) -> tuple[int, int]:
        """Count the segments left out because scores are constant, and those with ratings."""
        usable = np.isfinite(segment_tau(candidates, candidates.rating, candidates.rating, rows))
        return int((usable & ~self._everywhere(by_vector)).sum()), int(usable.sum())

    @staticmethod
    def _everywhere(by_vector: Matrix) -> Mask:
        everywhere: Mask = np.isfinite(by_vector.sum(axis=0))
        return everywhere


def to_grid_rows(scores: Vector, rows: Mask, tie: float) -> Vector:
    """Round the usable scores to the tie tolerance, in its units, and set the others to NaN."""
    rounded = np.full(len(scores), np.nan)
    rounded[rows] = to_grid(scores[rows], tie)
    return rounded


def segment_tau(candidates: Candidates, x: Vector, y: Vector, rows: Mask) -> Vector:
    """Return tau-b within each segment."""
    first, second = usable_pairs(candidates, rows)
    dx, dy = np.sign(x[first] - x[second]), np.sign(y[first] - y[second])
    segment = candidates.segment[first]
    surplus, nx, ny = by_segment(candidates.segments, segment, dx * dy, np.abs(dx), np.abs(dy)).T
    return ratio(surplus, np.sqrt(nx * ny))


def segment_ranks(candidates: Candidates, values: Vector, rows: Mask) -> Vector:
    """Rank the usable rows within each segment, ties sharing their mean."""
    first, second = usable_pairs(candidates, rows)
    ahead = np.sign(values[first] - values[second]) / 2
    n = len(values)
    won, lost = (by_segment(n, row, ahead)[:, 0] for row in (first, second))
    return won - lost


def segment_pearson(
    candidates: Candidates, x: Vector, y: Vector, rows: Mask, least: float = 1e-12
) -> Vector:
    """Return Pearson's r within each segment; NaN where the squares of x sum to `least` or less."""
    segment = candidates.segment[rows]
    n = np.maximum(rows_per_segment(candidates, rows), 1)
    dx, dy = (
        values[rows] - (np.bincount(segment, values[rows], candidates.segments) / n)[segment]
        for values in (x, y)
    )
    xy, xx, yy = by_segment(candidates.segments, segment, dx * dy, dx * dx, dy * dy).T
    varied = (xx > least) & (yy > tie_width(y[rows]) ** 2)
    return ratio(xy, np.sqrt(np.where(varied, xx * yy, 0.0)))
