"""Pairwise accuracy with calibrated ties (Deutsch et al. 2023)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar
from zlib import crc32

import numpy as np

from shakeproof.stats.kinds.coefficients import Coefficient, no_pairs, rated
from shakeproof.stats.observations import (
    Candidates,
    Ints,
    Mask,
    Matrix,
    Observations,
    ScoreKey,
    Vector,
)
from shakeproof.stats.rows import TIE, by_segment, ratio, rows_per_segment, tie_width, usable_pairs


@dataclass(frozen=True, slots=True)
class AccuracyEq(Coefficient):
    """Share of candidate pairs of a segment that metric and people order, or tie, alike.

    The metric ties scores closer than a threshold. The threshold was set elsewhere, on a
    development part, or is set here: each half of the segments, by a hash of their ids, takes the
    one that suits the other half best, since a threshold tuned on the judged segments flatters
    them. The caller decides which scores it is set on, clean or perturbed ones. `ties` counts the
    metric's ties instead of the pairs that are right.
    """

    extremes: ClassVar[tuple[float, float] | None] = (0.0, 1.0)
    largest_change: ClassVar[float | None] = 1.0
    has_thresholds: ClassVar[bool] = True

    ties: bool = False
    tie: float = TIE
    known: tuple[tuple[ScoreKey, float], ...] = ()  # thresholds that were set elsewhere
    thresholds: Matrix | None = None  # (vectors, segments), once calibrated
    origins: tuple[str, ...] = ()  # where the thresholds of each vector were set

    def counts(self, candidates: Candidates, scores: Matrix, rows: Mask) -> Ints:
        """Count pairs of rated candidates."""
        first, _ = usable_pairs(candidates, rows)
        return rows_per_segment(candidates, first)

    def nothing_to_compare(self, candidates: Candidates, rows: Mask) -> str:
        return no_pairs(candidates, rows)

    def calibrate(
        self, observed: Observations, anchors: Sequence[ScoreKey], rows: Mask
    ) -> AccuracyEq:
        known = dict(self.known)
        thresholds = {
            anchor: np.full(observed.candidates.segments, known[anchor])
            if anchor in known
            else self._cross_fitted(observed.candidates, observed.scores[anchor], rows)
            for anchor in dict.fromkeys(anchors)
        }
        return replace(
            self,
            thresholds=np.stack([thresholds[anchor] for anchor in anchors]),
            origins=tuple(
                "development part" if anchor in known else "other half of the segments"
                for anchor in anchors
            ),
        )

    def sums(self, candidates: Candidates, scores: Matrix, rows: Mask) -> Matrix:
        """Count the pairs that are right, and all; uncalibrated, by each vector's own threshold."""
        thresholds = self.thresholds
        if thresholds is None:
            thresholds = np.stack([self._cross_fitted(candidates, row, rows) for row in scores])
        first, second = usable_pairs(candidates, rows)
        human = np.sign(candidates.rating[first] - candidates.rating[second])
        segment = candidates.segment[first]
        tables = []
        for vector, threshold in zip(scores, thresholds, strict=True):
            margin = vector[first] - vector[second]
            tied = np.abs(margin) <= threshold[segment]
            right = tied if self.ties else np.where(tied, human == 0, np.sign(margin) == human)
            tables.append(by_segment(candidates.segments, segment, right, np.ones(len(right))))
        return np.stack(tables, axis=1)

    def value(self, totals: Matrix) -> Vector:
        return ratio(totals[..., 0], totals[..., 1])

    def remark(self, candidates: Candidates, scores: Matrix, rows: Mask) -> str:
        """Name the thresholds that were used, and where they were set."""
        if self.thresholds is None:
            return ""
        texts = (
            f"{' and '.join(f'{one:.3g}' for one in np.unique(widths))}, set on the {origin}"
            for widths, origin in zip(self.thresholds, self.origins, strict=True)
        )
        return f"ties within {'; '.join(dict.fromkeys(texts))}"

    def _cross_fitted(self, candidates: Candidates, scores: Vector, rows: Mask) -> Vector:
        """Return the threshold of each segment, set on the half it is not in."""
        first, second = usable_pairs(candidates, rows)
        human = np.sign(candidates.rating[first] - candidates.rating[second])
        half = halves(candidates)
        margin = scores[first] - scores[second]
        tie = tie_width(scores[rows], self.tie)
        return np.where(half, *cross_fit(human, margin, half[candidates.segment[first]], tie))


def halves(candidates: Candidates) -> Mask:
    """Split segments in two by a hash of their ids, whatever their order."""
    names = candidates.ids or [str(number) for number in range(candidates.segments)]
    return np.array([crc32(name.encode("utf-8", "replace")) % 2 == 1 for name in names], bool)


def cross_fit(human: Vector, margin: Vector, half: Mask, tie: float) -> tuple[float, float]:
    """Return the threshold of the first half (True) and of the second, each set on the other."""
    return (
        best_threshold(human[~half], margin[~half], tie),
        best_threshold(human[half], margin[half], tie),
    )


def development_threshold(candidates: Candidates, scores: Vector, tie: float = TIE) -> float | None:
    """Set a threshold on data that nothing is checked on; None where there are no pairs."""
    first, second = usable_pairs(candidates, rated(candidates) & np.isfinite(scores))
    if not len(first):
        return None
    human = np.sign(candidates.rating[first] - candidates.rating[second])
    return best_threshold(human, scores[first] - scores[second], tie_width(scores, tie))


def best_threshold(human: Vector, margin: Vector, tie: float = TIE) -> float:
    """Find the threshold under which most pairs are right, the smallest of them.

    Widening it turns one pair after the other into a tie: a gain if people tied it, a loss if it
    was in the right order.
    """
    order = np.argsort(np.abs(margin), kind="stable")
    width, human, margin = np.abs(margin)[order], human[order], margin[order]
    gain = np.cumsum((human == 0) * 1.0 - ((human != 0) & (np.sign(margin) == human)))
    last = np.append(np.diff(width) > 0, True)  # pairs of one width tie together
    steps, widths = gain[last[: len(gain)]], width[last[: len(gain)]]
    beyond = widths > tie
    steps, widths = steps[beyond], widths[beyond]
    start = gain[width <= tie][-1] if (width <= tie).any() else 0.0
    if not len(steps) or steps.max() <= start:
        return tie
    return float(widths[steps.argmax()])
