"""Agreement over judged pairs of candidates: exact counts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from shakeproof.stats.kinds.coefficients import NOTHING_USABLE, Coefficient, no_pairs, rated
from shakeproof.stats.observations import Candidates, Ints, Mask, Matrix, Vector
from shakeproof.stats.rows import (
    TIE,
    by_segment,
    preference_pairs,
    ratio,
    rows_per_segment,
    tie_width,
)


@dataclass(frozen=True, slots=True)
class WmtKendall(Coefficient):
    """Pairs ordered as people order them minus the rest, over all; a tie is wrong (WMT).

    The pairs are people's preferences or, with `rating_gap`, the candidates of a segment whose
    ratings lie at least that far apart.
    """

    extremes: ClassVar[tuple[float, float] | None] = (-1.0, 1.0)
    largest_change: ClassVar[float | None] = 2.0
    exact_under_swaps: ClassVar[bool] = True

    rating_gap: float | None = None
    tie: float = TIE

    def rows(self, candidates: Candidates) -> Mask:
        """Mark every candidate: people judged pairs, not candidates."""
        return np.ones(len(candidates.segment), bool)

    def counts(self, candidates: Candidates, scores: Matrix, rows: Mask) -> Ints:
        """Count judged pairs."""
        better, _ = self._usable(candidates, rows)
        return rows_per_segment(candidates, better)

    def sums(self, candidates: Candidates, scores: Matrix, rows: Mask) -> Matrix:
        """Count the pairs in the right order, and all."""
        better, worse = self._usable(candidates, rows)
        segment, ones = candidates.segment[better], np.ones(len(better))
        right = [vector[better] - vector[worse] > tie_width(vector, self.tie) for vector in scores]
        tables = [by_segment(candidates.segments, segment, mask, ones) for mask in right]
        return np.stack(tables, axis=1)

    def nothing_to_compare(self, candidates: Candidates, rows: Mask) -> str:
        if self.rating_gap is None:
            return NOTHING_USABLE
        far = f"no two candidates of a segment have ratings {self.rating_gap:g} or more apart"
        return no_pairs(candidates, rows & rated(candidates)) or far

    def value(self, totals: Matrix) -> Vector:
        """Turn the share of right pairs into a number from -1 to 1."""
        right, pairs = np.moveaxis(totals, -1, 0)
        return ratio(2 * right - pairs, pairs)

    def _usable(self, candidates: Candidates, rows: Mask) -> tuple[Ints, Ints]:
        pairs = preference_pairs(candidates, self.rating_gap)
        kept = pairs[rows[pairs].all(axis=1)]
        return kept[:, 0], kept[:, 1]


@dataclass(frozen=True, slots=True)
class PairShare(Coefficient):
    """Share of judged pairs that are in the right order, or that the metric ties."""

    extremes: ClassVar[tuple[float, float] | None] = (0.0, 1.0)
    largest_change: ClassVar[float | None] = 1.0

    kind: Literal["right", "tied"]
    rating_gap: float | None = None
    tie: float = TIE

    def rows(self, candidates: Candidates) -> Mask:
        return self._kendall.rows(candidates)

    def counts(self, candidates: Candidates, scores: Matrix, rows: Mask) -> Ints:
        return self._kendall.counts(candidates, scores, rows)

    def sums(self, candidates: Candidates, scores: Matrix, rows: Mask) -> Matrix:
        """Count right or tied pairs, and all; tied are those that are right neither way round."""
        right = self._kendall.sums(candidates, scores, rows)
        if self.kind == "right":
            return right
        wrong = self._kendall.sums(candidates, -scores, rows)
        pairs = right[..., 1]
        return np.stack([pairs - right[..., 0] - wrong[..., 0], pairs], axis=-1)

    def nothing_to_compare(self, candidates: Candidates, rows: Mask) -> str:
        return self._kendall.nothing_to_compare(candidates, rows)

    def value(self, totals: Matrix) -> Vector:
        return ratio(totals[..., 0], totals[..., 1])

    @property
    def _kendall(self) -> WmtKendall:
        return WmtKendall(self.rating_gap, self.tie)
