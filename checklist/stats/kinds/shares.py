"""Shares of segments, which take an exact binomial interval instead of a bootstrap."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from shakeproof.stats.binomial import Threshold
from shakeproof.stats.kinds.scores import Direction, Shift, by_cluster, spread_influence, spread_of
from shakeproof.stats.observations import Mask, Matrix, Observations, ScoreKey, Vector
from shakeproof.stats.rows import TIE, by_segment, finite_rows, ratio, tie_width


def share_sums(outcomes: Vector) -> Matrix:
    """Count the segments that behave, and those that count: (segments, 2)."""
    return np.stack([np.nan_to_num(outcomes), np.isfinite(outcomes)], axis=1)


def share_value(totals: Matrix) -> Vector:
    """Divide."""
    return ratio(totals[..., 0], totals[..., 1])


@dataclass(frozen=True, slots=True)
class Behaving:
    """Share of changed segments whose mean score moves as expected.

    A drop or rise must be more than `by`, an absolute change no more; in units of the spread of
    the whole data, or raw. Seeds are averaged within the segment.
    """

    clean: ScoreKey
    perturbed: tuple[ScoreKey, ...]
    direction: Direction
    by: float
    spread: bool = True
    tie: float = TIE

    def outcomes(self, observed: Observations) -> Vector:
        """Compare each segment's mean movement with the margin."""
        moved = self._movements(observed)
        margin = self.by * self._unit(observed, self._shift.rows(observed))
        tie = tie_width(observed.scores[self.clean], self.tie)
        behaves = moved <= margin + tie if self.direction == "change" else moved > margin
        beyond_tie = np.abs(moved) > tie
        right = behaves if self.direction == "change" else behaves & beyond_tie
        return np.where(np.isfinite(moved) & np.isfinite(margin), right, np.nan)

    def threshold(self, observed: Observations) -> Threshold | None:
        """Return the margin with the error of the spread; None if it is in raw units, or 0."""
        rows = self._shift.rows(observed)
        unit = self._unit(observed, rows)
        if not self.spread or self.by == 0 or not unit > 0:
            return None
        outcomes, moved = self.outcomes(observed), self._movements(observed)
        counted, candidates = np.isfinite(outcomes), observed.candidates
        if not counted.any():
            return None
        excess = np.where(counted, outcomes - outcomes[counted].mean(), 0.0)
        return Threshold(
            multiples=moved[counted] / (self.by * unit),
            above=self.direction != "change",
            influence=spread_influence(candidates, observed.scores[self.clean], rows),
            excess=by_cluster(candidates, excess),
        )

    @property
    def _shift(self) -> Shift:
        return Shift(self.clean, self.perturbed, self.direction, spread=False)

    def _movements(self, observed: Observations) -> Vector:
        """Return each segment's mean movement over seeds; NaN where no text changed."""
        by_seed = self._shift.sums(observed).reshape(observed.candidates.segments, -1, 2)
        return ratio(by_seed[..., 0].sum(axis=1), by_seed[..., 1].sum(axis=1))

    def _unit(self, observed: Observations, rows: Mask) -> float:
        if not self.spread:
            return 1.0
        unit = spread_of(observed.candidates, observed.scores[self.clean], rows)
        return unit or (0.0 if self.by == 0 else float("nan"))

    def sums(self, observed: Observations) -> Matrix:
        """Count segments that behave, and all changed ones."""
        return share_sums(self.outcomes(observed))

    def value(self, totals: Matrix) -> Vector:
        return share_value(totals)


@dataclass(frozen=True, slots=True)
class PrefersOriginal:
    """Share of changed candidates that score higher unperturbed; a tie is wrong."""

    extremes: ClassVar[tuple[float, float]] = (0.0, 1.0)

    clean: ScoreKey
    perturbed: tuple[ScoreKey, ...]
    tie: float = TIE

    def sums(self, observed: Observations) -> Matrix:
        """Count the originals that score higher, and all, over seeds."""
        candidates = observed.candidates
        rows = finite_rows(observed, self.clean, *self.perturbed)
        clean = observed.scores[self.clean]
        table: Matrix = np.zeros((candidates.segments, 2))
        for score_key in self.perturbed:
            changed = rows & observed.changed[score_key]
            right = (clean - observed.scores[score_key])[changed] > tie_width(clean, self.tie)
            segment = candidates.segment[changed]
            table = table + by_segment(candidates.segments, segment, right, np.ones(len(right)))
        return table

    def value(self, totals: Matrix) -> Vector:
        return share_value(totals)
