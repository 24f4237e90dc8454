"""Pairwise accuracy with calibrated ties (Deutsch et al. 2023)."""

from __future__ import annotations

from dataclasses import dataclass
from zlib import crc32

import numpy as np

from shakeproof.stats.coefficients import rated
from shakeproof.stats.frame import Frame, Ints, Mask, Matrix, Vector
from shakeproof.stats.rows import TIE, by_segment, ratio, usable_pairs


@dataclass(frozen=True, slots=True)
class AccuracyEq:
    """Share of candidate pairs of a segment that metric and people order, or tie, alike.

    The metric ties scores closer than a threshold. It is set on the first block, the clean one,
    and kept for the others; each half of the segments, by a hash of their ids, takes the one that
    suits the other half best, since a threshold tuned on the judged segments flatters them.
    `own` sets it anew for each block; `ties` counts the metric's ties instead.
    """

    own: bool = False
    ties: bool = False
    tie: float = TIE

    @property
    def extremes(self) -> tuple[float, float]:
        """Give the values at which none or all pairs are right."""
        return 0.0, 1.0

    def rows(self, frame: Frame) -> Mask:
        """Take what is rated."""
        return rated(frame)

    def counts(self, frame: Frame, scores: Matrix, rows: Mask) -> Ints:
        """Count pairs of rated candidates."""
        first, _ = usable_pairs(frame, rows)
        return np.bincount(frame.segment[first], minlength=frame.segments)

    def sums(self, frame: Frame, scores: Matrix, rows: Mask) -> Matrix:
        """Count the pairs that are right, and all."""
        first, second = usable_pairs(frame, rows)
        human = np.sign(frame.rating[first] - frame.rating[second])
        half, segment = halves(frame)[frame.segment[first]], frame.segment[first]
        margins = [row[first] - row[second] for row in scores]
        tables = []
        for margin in margins:
            widths = cross_fit(human, margin if self.own else margins[0], half, self.tie)
            tied = np.abs(margin) <= widths
            right = tied if self.ties else np.where(tied, human == 0, np.sign(margin) == human)
            tables.append(by_segment(frame.segments, segment, right, np.ones(len(right))))
        return np.stack(tables, axis=1)

    def value(self, totals: Matrix) -> Vector:
        """Divide."""
        return ratio(totals[..., 0], totals[..., 1])


def halves(frame: Frame) -> Mask:
    """Split segments in two by a hash of their ids, whatever their order."""
    names = frame.ids or [str(at) for at in range(frame.segments)]
    return np.array([crc32(name.encode("utf-8", "replace")) % 2 == 1 for name in names], bool)


def cross_fit(human: Vector, margin: Vector, half: Mask, tie: float) -> Vector:
    """Give each pair the threshold that suits the other half best."""
    widths = np.empty(len(human))
    for side in (False, True):
        widths[half == side] = best_threshold(human[half != side], margin[half != side], tie)
    return widths


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
