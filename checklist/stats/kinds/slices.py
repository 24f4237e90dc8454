"""Correlation on part of the candidates: equal shares, higher by one metric, difference pairs."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar, TypeAlias

import numpy as np

from shakeproof.stats.intervals import IntervalTraits
from shakeproof.stats.kinds.agreement import Agreement
from shakeproof.stats.kinds.coefficients import rated
from shakeproof.stats.observations import Ints, Mask, Matrix, Observations, ScoreKey, Vector
from shakeproof.stats.rows import by_segment, finite_rows, ratio, usable_pairs


@dataclass(frozen=True, slots=True)
class EqualShare:
    """The candidates whose score by another metric lies in one of `parts` equal shares."""

    by: ScoreKey
    part: int
    parts: int = 4

    def rows(self, observed: Observations, usable: Mask) -> Mask:
        """Cut the usable candidates at quantiles of the whole data; equal scores stay together."""
        scores = observed.scores[self.by]
        known = usable & np.isfinite(scores)
        if not known.any():
            return known
        cuts = np.quantile(scores[known], np.arange(1, self.parts) / self.parts)
        inside: Mask = known & (np.searchsorted(cuts, scores, side="left") == self.part)
        return inside


@dataclass(frozen=True, slots=True)
class ScoresHigher:
    """The candidates that score higher by one metric than by another; equal ones are left out."""

    by: ScoreKey
    than: ScoreKey

    def rows(self, observed: Observations, usable: Mask) -> Mask:
        return usable & (observed.scores[self.by] > observed.scores[self.than])


Slice: TypeAlias = EqualShare | ScoresHigher


@dataclass(frozen=True, slots=True)
class Sliced:
    """A correlation on the candidates of a slice."""

    agreement: Agreement
    chosen: Slice

    @property
    def is_correlation(self) -> bool:
        return self.agreement.is_correlation

    @property
    def interval_traits(self) -> IntervalTraits:
        """Predict new data where correlations do."""
        return IntervalTraits(predicts=self.agreement.coefficient.interval_traits.predicts)

    def contributes(self, observed: Observations) -> Mask:
        return self.agreement.contributes(self._inside(observed))

    def sums(self, observed: Observations) -> Matrix:
        return self.agreement.sums(self._inside(observed))

    def value(self, totals: Matrix) -> Vector:
        return self.agreement.value(totals)

    def note(self, observed: Observations) -> str:
        """Return that the slice is empty, or what holds for its candidates."""
        inside = self._inside(observed)
        if not self.agreement.rows(inside).any():
            return "no candidate in this slice"
        return self.agreement.reason(inside)

    def _inside(self, observed: Observations) -> Observations:
        """Blank the scores outside the slice, which takes those candidates out."""
        rows = self.chosen.rows(observed, self.agreement.rows(observed))
        blank = {
            score_key: np.where(rows, observed.scores[score_key], np.nan)
            for score_key in self.agreement.score_keys
        }
        return replace(observed, scores={**observed.scores, **blank})


@dataclass(frozen=True, slots=True)
class SliceShare:
    """The share of candidates that lie in a slice, of all that lie in one of several."""

    agreement: Agreement
    chosen: Slice
    among: tuple[Slice, ...]

    def sums(self, observed: Observations) -> Matrix:
        """Count the candidates in the slice, and in all slices."""
        candidates, usable = observed.candidates, self.agreement.rows(observed)
        inside = self.chosen.rows(observed, usable)
        in_any = np.logical_or.reduce([part.rows(observed, usable) for part in self.among])
        return by_segment(candidates.segments, candidates.segment, inside, in_any)

    def value(self, totals: Matrix) -> Vector:
        return ratio(totals[..., 0], totals[..., 1])


@dataclass(frozen=True, slots=True)
class DifferencePairs:
    """Correlation of differences in score and rating where one quantity is held, another varied.

    Pairs of candidates of one input whose scores by `held` differ by at most `within` and by
    `varied` by at least `apart` (Shen et al. 2022, section 4). Each pair counts both ways round,
    so both means are 0 and the sums are exact. With `up_to`, only pairs whose smaller `varied` is
    no more than that; with `beyond`, the others.
    """

    is_correlation: ClassVar[bool] = True

    score_key: ScoreKey
    held: ScoreKey
    varied: ScoreKey
    within: float = 0.05
    apart: float = 0.15
    up_to: float | None = None
    beyond: float | None = None

    def sums(self, observed: Observations) -> Matrix:
        """Sum products and squares of the differences."""
        candidates, (first, second) = observed.candidates, self.chosen(observed)
        scores = observed.scores[self.score_key]
        dm, dh = (values[first] - values[second] for values in (scores, candidates.rating))
        return by_segment(candidates.segments, candidates.segment[first], dm * dh, dm * dm, dh * dh)

    def value(self, totals: Matrix) -> Vector:
        xy, xx, yy = np.moveaxis(totals, -1, 0)
        return ratio(xy, np.sqrt(np.where((xx > 1e-12) & (yy > 1e-12), xx * yy, np.nan)))

    def note(self, observed: Observations) -> str:
        """Count the pairs."""
        return f"{len(self.chosen(observed)[0]):,} pairs"

    def chosen(self, observed: Observations) -> tuple[Ints, Ints]:
        """Choose the pairs, as rows of their two candidates."""
        rows = rated(observed.candidates) & finite_rows(
            observed, self.score_key, self.held, self.varied
        )
        first, second = usable_pairs(observed.candidates, rows)
        held, varied = observed.scores[self.held], observed.scores[self.varied]
        kept = np.abs(held[first] - held[second]) <= self.within
        kept &= np.abs(varied[first] - varied[second]) >= self.apart
        least = np.minimum(varied[first], varied[second])
        if self.up_to is not None:
            kept &= least <= self.up_to
        if self.beyond is not None:
            kept &= least > self.beyond
        return first[kept], second[kept]


@dataclass(frozen=True, slots=True)
class PairCount:
    """How many pairs are compared."""

    pairs: DifferencePairs

    def contributes(self, observed: Observations) -> Mask:
        """Mark all segments: to have no pair counts too."""
        return np.ones(observed.candidates.segments, bool)

    def sums(self, observed: Observations) -> Matrix:
        """Count the pairs of each segment."""
        first, _ = self.pairs.chosen(observed)
        candidates = observed.candidates
        return by_segment(candidates.segments, candidates.segment[first], np.ones(len(first)))

    def value(self, totals: Matrix) -> Vector:
        return totals[..., 0]
