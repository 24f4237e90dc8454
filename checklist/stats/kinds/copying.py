"""What a copied input costs: the penalty, and the numbers that explain it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from shakeproof.stats.kinds.scores import in_spreads, no_spread, over_spread, segment_means
from shakeproof.stats.kinds.shares import share_sums, share_value
from shakeproof.stats.observations import Candidates, Mask, Matrix, Observations, ScoreKey, Vector
from shakeproof.stats.rows import (
    TIE,
    best_rows,
    by_segment,
    finite_rows,
    original_rows,
    ratio,
)


def best_scores(observed: Observations, clean: ScoreKey) -> Vector:
    """Average the best of each segment's candidates that have a score."""
    rows = best_rows(observed.candidates, finite_rows(observed, clean))
    return segment_means(observed.candidates, observed.scores[clean], rows)


def copy_scores(observed: Observations, copy: ScoreKey) -> Vector:
    """Return the score of each segment's copy, which all its rows hold."""
    return segment_means(observed.candidates, observed.scores[copy], finite_rows(observed, copy))


def judged_rows(candidates: Candidates) -> Mask:
    """Mark the candidates that people rated or compared, added copies left out."""
    judged = np.isfinite(candidates.rating)
    judged[candidates.pairs.ravel()] = True
    return judged & original_rows(candidates)


def first_scores(observed: Observations, score_key: ScoreKey) -> Vector:
    """Return the score of each segment's first candidate; NaN where there is none."""
    segments, rows = np.unique(observed.candidates.segment, return_index=True)
    scores = np.full(observed.candidates.segments, np.nan)
    scores[segments] = observed.scores[score_key][rows]
    return np.where(np.isfinite(scores), scores, np.nan)


@dataclass(frozen=True, slots=True)
class CopyPenalty:
    """Mean over inputs of the best-rated candidates' mean score minus the copy's score."""

    clean: ScoreKey
    copy: ScoreKey  # every candidate replaced by the source
    spread: bool = True

    def contributes(self, observed: Observations) -> Mask:
        """Mark the inputs with a best candidate and a copy."""
        return np.isfinite(self.penalties(observed))

    def penalties(self, observed: Observations) -> Vector:
        """Return each input's penalty; NaN where it has none."""
        return best_scores(observed, self.clean) - copy_scores(observed, self.copy)

    def sums(self, observed: Observations) -> Matrix:
        """Sum penalties and count inputs, then the columns of the spread."""
        candidates, penalties = observed.candidates, self.penalties(observed)
        rows = finite_rows(observed, self.clean)
        clean = observed.scores[self.clean]
        scale, columns = in_spreads(candidates, clean, rows) if self.spread else (1.0, None)
        table = np.stack([np.nan_to_num(penalties) / scale, np.isfinite(penalties)], axis=1)
        return np.hstack([table, *([] if columns is None else [columns])])

    def value(self, totals: Matrix) -> Vector:
        """Average over inputs and express in spreads."""
        mean = ratio(totals[..., 0], totals[..., 1])
        return over_spread(mean, totals[..., 2:]) if self.spread else mean

    def note(self, observed: Observations) -> str:
        """Return why there is no number."""
        if not self.contributes(observed).any():
            return "no input has both a best-rated candidate and a copy"
        rows = finite_rows(observed, self.clean)
        return no_spread(observed, self.clean, rows) if self.spread else ""


@dataclass(frozen=True, slots=True)
class CopyMean:
    """Mean over inputs of one number each, on the inputs that have a penalty.

    The score of the copy, of a near-copy in the place of the first candidate, of the best-rated or
    of all judged candidates; or the percentile of the copy among the judged candidates of its
    input, ties counted half.
    """

    kind: Literal["copy", "near-copy", "best", "judged", "percentile"]
    clean: ScoreKey
    copy: ScoreKey
    near: ScoreKey | None = None  # the first candidate replaced by a near-copy
    tie: float = TIE

    def numbers(self, observed: Observations) -> Vector:
        """Return each input's number; NaN where it has none."""
        if self.kind == "copy":
            return copy_scores(observed, self.copy)
        if self.kind == "best":
            return best_scores(observed, self.clean)
        if self.kind == "near-copy":
            return first_scores(observed, self.near)
        candidates, scores = observed.candidates, observed.scores[self.clean]
        rows = judged_rows(candidates) & finite_rows(observed, self.clean)
        if self.kind == "judged":
            return segment_means(candidates, scores, rows)
        ahead = copy_scores(observed, self.copy)[candidates.segment] - scores
        return segment_means(
            candidates, np.where(ahead > self.tie, 1.0, (ahead >= -self.tie) / 2), rows
        )

    def sums(self, observed: Observations) -> Matrix:
        """Sum over the inputs with a penalty, so that the means compare."""
        numbers = self.numbers(observed)
        counted = CopyPenalty(self.clean, self.copy).contributes(observed) & np.isfinite(numbers)
        return np.stack([np.where(counted, numbers, 0.0), counted], axis=1)

    def value(self, totals: Matrix) -> Vector:
        return ratio(totals[..., 0], totals[..., 1])


@dataclass(frozen=True, slots=True)
class CopyRank:
    """Percentile of the copies among the judged candidates of all inputs, ties counted half.

    Both sides are drawn, copies and candidates, so the count is quadratic in the weights of a
    draw; it is replaced by its tangent, and the total is exact.
    """

    clean: ScoreKey
    copy: ScoreKey
    tie: float = TIE

    def contributes(self, observed: Observations) -> Mask:
        """Mark the inputs with a copy or with judged candidates."""
        mask: Mask = np.abs(self.sums(observed)[:, 1:]).sum(axis=1) > 0
        return mask

    def sums(self, observed: Observations) -> Matrix:
        """Sum who is ahead of whom as the tangent, then count copies and candidates."""
        candidates, scores = observed.candidates, observed.scores[self.clean]
        copies = copy_scores(observed, self.copy)
        rows = judged_rows(candidates) & finite_rows(observed, self.clean)
        known = np.isfinite(copies)
        below = beaten(copies, scores[rows], self.tie)
        above = known.sum() - beaten(scores[rows], copies[known], self.tie)
        lost, n = by_segment(
            candidates.segments, candidates.segment[rows], above, np.ones(len(above))
        ).T
        present = known | (n > 0)
        tangent = np.where(known, below, 0.0) + lost
        tangent -= np.where(present, lost.sum() / max(present.sum(), 1), 0.0)
        return np.stack([tangent, known, n], axis=1)

    def value(self, totals: Matrix) -> Vector:
        """Divide by all comparisons."""
        ahead, copies, candidates = np.moveaxis(totals, -1, 0)
        return ratio(ahead, copies * candidates)


def beaten(values: Vector, others: Vector, tie: float) -> Vector:
    """Count, for each value, the others below it, ties counted half."""
    ordered = np.sort(others)
    below = np.searchsorted(ordered, values - tie, side="left")
    not_above = np.searchsorted(ordered, values + tie, side="right")
    counts: Vector = (below + not_above) / 2
    return counts


@dataclass(frozen=True, slots=True)
class CopyWins:
    """Share of inputs whose copy scores above the best-rated candidates' mean."""

    clean: ScoreKey
    copy: ScoreKey
    tie: float = TIE

    def outcomes(self, observed: Observations) -> Vector:
        """Compare each copy with the best-rated candidates."""
        ahead = copy_scores(observed, self.copy) - best_scores(observed, self.clean)
        return np.where(np.isfinite(ahead), ahead > self.tie, np.nan)

    def sums(self, observed: Observations) -> Matrix:
        """Count wins and inputs."""
        return share_sums(self.outcomes(observed))

    def value(self, totals: Matrix) -> Vector:
        return share_value(totals)


def break_even(omega: float, gamma: float = 0.35) -> float:
    """Return the similarity above which a paraphrase can beat a copy under ParaScore.

    A copy has similarity 1 and divergence -1; a paraphrase has at most divergence gamma.
    """
    return 1 - omega * (1 + gamma)
