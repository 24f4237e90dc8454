"""Pairwise accuracy with calibrated ties (Deutsch et al. 2023)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from zlib import crc32

import numpy as np

from shakeproof.stats.kinds.coefficients import rated
from shakeproof.stats.observations import Candidates, Ints, Mask, Matrix, ScoreKey, Vector
from shakeproof.stats.rows import TIE, by_segment, ratio, usable_pairs


@dataclass(frozen=True, slots=True)
class AccuracyEq:
    """Share of candidate pairs of a segment that metric and people order, or tie, alike.

    The metric ties scores closer than a threshold, one that was set elsewhere, on a development
    part, or is set here: each half of the segments, by a hash of their ids, takes the one that
    suits the other half best, since a threshold tuned on the judged segments flatters them. Which
    scores it is set on, clean or perturbed ones, others decide. `ties` counts the metric's ties.
    """

    ties: bool = False
    tie: float = TIE
    known: tuple[tuple[ScoreKey, float], ...] = ()  # thresholds set elsewhere, by block

    @property
    def extremes(self) -> tuple[float, float]:
        """Give the values at which none or all pairs are right."""
        return 0.0, 1.0

    def rows(self, candidates: Candidates) -> Mask:
        """Take what is rated."""
        return rated(candidates)

    def counts(self, candidates: Candidates, scores: Matrix, rows: Mask) -> Ints:
        """Count pairs of rated candidates."""
        first, _ = usable_pairs(candidates, rows)
        return np.bincount(candidates.segment[first], minlength=candidates.segments)

    def sums(self, candidates: Candidates, scores: Matrix, rows: Mask) -> Matrix:
        """Count with thresholds set on each vector of scores itself."""
        widths = np.stack([self.widths(candidates, row, rows) for row in scores])
        return self.sums_within(candidates, scores, rows, widths)

    def sums_within(
        self, candidates: Candidates, scores: Matrix, rows: Mask, widths: Matrix
    ) -> Matrix:
        """Count the pairs that are right, and all; thresholds are (blocks, segments)."""
        first, second = usable_pairs(candidates, rows)
        human, segment = (
            np.sign(candidates.rating[first] - candidates.rating[second]),
            candidates.segment[first],
        )
        tables = []
        for row, width in zip(scores, widths, strict=True):
            margin = row[first] - row[second]
            tied = np.abs(margin) <= width[segment]
            right = tied if self.ties else np.where(tied, human == 0, np.sign(margin) == human)
            tables.append(by_segment(candidates.segments, segment, right, np.ones(len(right))))
        return np.stack(tables, axis=1)

    def widths(
        self, candidates: Candidates, scores: Vector, rows: Mask, score_key: ScoreKey | None = None
    ) -> Vector:
        """Give the threshold of each segment, for scores that go by the name of a block."""
        known = dict(self.known)
        if score_key in known:
            return np.full(candidates.segments, known[score_key])
        first, second = usable_pairs(candidates, rows)
        human = np.sign(candidates.rating[first] - candidates.rating[second])
        half = halves(candidates)
        margin = scores[first] - scores[second]
        return np.where(half, *cross_fit(human, margin, half[candidates.segment[first]], self.tie))

    def value(self, totals: Matrix) -> Vector:
        """Divide."""
        return ratio(totals[..., 0], totals[..., 1])

    def told(self, score_keys: Sequence[ScoreKey], widths: Matrix) -> str:
        """Say which thresholds were used, and where they were set."""
        known = dict(self.known)
        said = (
            _told(row, score_key in known)
            for score_key, row in zip(score_keys, widths, strict=True)
        )
        return f"ties within {'; '.join(dict.fromkeys(said))}"


def _told(widths: Vector, known: bool) -> str:
    shown = " and ".join(f"{one:.3g}" for one in np.unique(widths))
    return f"{shown}, set on the {'development part' if known else 'other half of the segments'}"


def halves(candidates: Candidates) -> Mask:
    """Split segments in two by a hash of their ids, whatever their order."""
    names = candidates.ids or [str(at) for at in range(candidates.segments)]
    return np.array([crc32(name.encode("utf-8", "replace")) % 2 == 1 for name in names], bool)


def cross_fit(human: Vector, margin: Vector, half: Mask, tie: float) -> tuple[float, float]:
    """Give the threshold of the first half (True) and of the second, each set on the other."""
    first, second = (best_threshold(human[half != one], margin[half != one], tie) for one in (1, 0))
    return first, second


def development_threshold(candidates: Candidates, scores: Vector, tie: float = TIE) -> float | None:
    """Set a threshold on data that nothing is checked on; None where there are no pairs."""
    first, second = usable_pairs(candidates, rated(candidates) & np.isfinite(scores))
    if not len(first):
        return None
    human = np.sign(candidates.rating[first] - candidates.rating[second])
    return best_threshold(human, scores[first] - scores[second], tie)


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
