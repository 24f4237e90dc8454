"""What comparisons of two candidates in both orders show about the judge that makes them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from shakeproof.results import counted
from shakeproof.stats.kinds.shares import share_value
from shakeproof.stats.observations import Ints, Matrix, Observations, ScoreKey, Vector
from shakeproof.stats.rows import TIE, by_segment, finite_rows

NO_COMPARISON = "no two different candidates were compared"


@dataclass(frozen=True, slots=True)
class ComparisonShare:
    """Mean over all comparisons of a number between 0 and 1, known as each candidate's mean."""

    extremes: ClassVar[tuple[float, float]] = (0.0, 1.0)

    means: tuple[ScoreKey, ...]  # by perturbation seed: over the comparisons of each candidate
    counts: tuple[ScoreKey, ...]  # by perturbation seed: of these comparisons

    def sums(self, observed: Observations) -> Matrix:
        """Sum the number and the comparisons, over seeds."""
        candidates = observed.candidates
        table: Matrix = np.zeros((candidates.segments, 2))
        for mean, count in zip(self.means, self.counts, strict=True):
            rows = finite_rows(observed, mean, count)
            weight, segment = observed.scores[count][rows], candidates.segment[rows]
            total = observed.scores[mean][rows] * weight
            table = table + by_segment(candidates.segments, segment, total, weight)
        return table

    def value(self, totals: Matrix) -> Vector:
        return share_value(totals)

    def note(self, observed: Observations) -> str:
        """Return why there is no number."""
        return "" if finite_rows(observed, *self.means).any() else NO_COMPARISON


@dataclass(frozen=True, slots=True)
class SharedPreferences:
    """Share of people's preferences that a judge shares when it compares the two candidates.

    A tie is not shared. Pairs that the judge did not compare are left out: of many candidates
    each meets only the next ones of its segment.
    """

    extremes: ClassVar[tuple[float, float]] = (0.0, 1.0)

    rivals: tuple[ScoreKey, ...]  # preference for each candidate over the next one, the second next

    def sums(self, observed: Observations) -> Matrix:
        """Count the preferences that are shared, and all that can be."""
        candidates = observed.candidates
        better = candidates.pairs[:, 0]
        preference = self._preferences(observed)
        known = np.isfinite(preference)
        shared = preference[known] > 0.5 + TIE
        segment = candidates.segment[better[known]]
        return by_segment(candidates.segments, segment, shared, np.ones(len(shared)))

    def value(self, totals: Matrix) -> Vector:
        return share_value(totals)

    def note(self, observed: Observations) -> str:
        """Count the preferences that are left out."""
        unknown = int(np.isnan(self._preferences(observed)).sum())
        pairs = counted(unknown, "preference")
        return f"{pairs} left out: the judge did not compare the two" if unknown else ""

    def _preferences(self, observed: Observations) -> Vector:
        """Return for each pair how far the judge prefers the better one; NaN if not compared."""
        candidates = observed.candidates
        better, worse = candidates.pairs.T
        sizes = np.bincount(candidates.segment, minlength=candidates.segments)
        size = sizes[candidates.segment[better]]
        scores = np.stack([observed.scores[key] for key in self.rivals])
        ahead = _preference_over(scores, better, (worse - better) % size)
        behind = 1 - _preference_over(scores, worse, (better - worse) % size)
        return np.where(np.isfinite(ahead), ahead, behind)


def _preference_over(scores: Matrix, rows: Ints, steps: Ints) -> Vector:
    """Return the preference for rows over those so many steps further on; NaN if not compared."""
    met = (steps > 0) & (steps <= len(scores))
    preference = np.full(len(rows), np.nan)
    preference[met] = scores[steps[met] - 1, rows[met]]
    return preference
