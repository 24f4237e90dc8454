"""What a copied input costs: the penalty, and the dossier beside it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from shakeproof.stats.agreement import Agreement, correlation
from shakeproof.stats.coefficients import Coefficient
from shakeproof.stats.frame import Block, Frame, Ints, Mask, Matrix, Observations, Vector
from shakeproof.stats.rows import TIE, best_rows, finite_rows, ratio
from shakeproof.stats.scores import in_spreads, no_spread, over_spread, segment_means
from shakeproof.stats.shares import share_sums, share_value

EVERY = 5  # inputs of which one is copied in the extended data (Shen et al. 2022)


def best_scores(observed: Observations, clean: Block) -> Vector:
    """Average the best-rated candidates of each segment."""
    rows = best_rows(observed.frame) & finite_rows(observed, clean)
    return segment_means(observed.frame, observed.scores[clean], rows)


def copy_scores(observed: Observations, copy: Block) -> Vector:
    """Give the score of each segment's copy, which all its rows hold."""
    return segment_means(observed.frame, observed.scores[copy], finite_rows(observed, copy))


def judged_rows(frame: Frame) -> Mask:
    """Mark the candidates that were rated or compared."""
    judged = np.isfinite(frame.rating)
    judged[frame.pairs.ravel()] = True
    return judged


@dataclass(frozen=True, slots=True)
class CopyPenalty:
    """Mean over inputs of the best-rated candidates' mean score minus the copy's score."""

    clean: Block
    copy: Block  # every candidate replaced by the source
    spread: bool = True

    def contributes(self, observed: Observations) -> Mask:
        """Mark the inputs with a best candidate and a copy."""
        return np.isfinite(self.penalties(observed))

    def penalties(self, observed: Observations) -> Vector:
        """Give each input's penalty; NaN where it has none."""
        return best_scores(observed, self.clean) - copy_scores(observed, self.copy)

    def sums(self, observed: Observations) -> Matrix:
        """Sum penalties and count inputs, then the columns of the spread."""
        frame, penalties = observed.frame, self.penalties(observed)
        rows = finite_rows(observed, self.clean)
        clean = observed.scores[self.clean]
        scale, columns = in_spreads(frame, clean, rows) if self.spread else (1.0, None)
        table = np.stack([np.nan_to_num(penalties) / scale, np.isfinite(penalties)], axis=1)
        return np.hstack([table, *([] if columns is None else [columns])])

    def value(self, totals: Matrix) -> Vector:
        """Average over inputs and express in spreads."""
        mean = ratio(totals[..., 0], totals[..., 1])
        return over_spread(mean, totals[..., 2:]) if self.spread else mean

    def note(self, observed: Observations) -> str:
        """Say why there is no number."""
        if not self.contributes(observed).any():
            return "no input has both a best-rated candidate and a copy"
        rows = finite_rows(observed, self.clean)
        return no_spread(observed, self.clean, rows) if self.spread else ""


@dataclass(frozen=True, slots=True)
class CopyFigure:
    """Mean over inputs of one number each, on the inputs that have a penalty.

    The score of the copy, of the best-rated or of all judged candidates; or the percentile of the
    copy among the judged candidates, ties counted half.
    """

    kind: Literal["copy", "best", "judged", "percentile"]
    clean: Block
    copy: Block
    tie: float = TIE

    def numbers(self, observed: Observations) -> Vector:
        """Give each input's number; NaN where it has none."""
        if self.kind == "copy":
            return copy_scores(observed, self.copy)
        if self.kind == "best":
            return best_scores(observed, self.clean)
        frame, scores = observed.frame, observed.scores[self.clean]
        rows = judged_rows(frame) & finite_rows(observed, self.clean)
        if self.kind == "judged":
            return segment_means(frame, scores, rows)
        ahead = copy_scores(observed, self.copy)[frame.segment] - scores
        return segment_means(frame, np.where(ahead > self.tie, 1.0, (ahead >= -self.tie) / 2), rows)

    def sums(self, observed: Observations) -> Matrix:
        """Sum over the inputs with a penalty, so that the means compare."""
        counted = CopyPenalty(self.clean, self.copy).contributes(observed)
        return np.stack([np.where(counted, self.numbers(observed), 0.0), counted], axis=1)

    def value(self, totals: Matrix) -> Vector:
        """Divide."""
        return ratio(totals[..., 0], totals[..., 1])


@dataclass(frozen=True, slots=True)
class CopyWins:
    """Share of inputs whose copy scores above the best-rated candidates' mean."""

    clean: Block
    copy: Block
    tie: float = TIE

    def outcomes(self, observed: Observations) -> Vector:
        """Compare each copy with the best-rated candidates."""
        ahead = copy_scores(observed, self.copy) - best_scores(observed, self.clean)
        return np.where(np.isfinite(ahead), ahead > self.tie, np.nan)

    def sums(self, observed: Observations) -> Matrix:
        """Count wins and inputs."""
        return share_sums(self.outcomes(observed))

    def value(self, totals: Matrix) -> Vector:
        """Divide."""
        return share_value(totals)


@dataclass(frozen=True, slots=True)
class Extended:
    """A correlation on the data with every fifth input's copy added, rated 0 (Shen et al. 2022).

    Where ratings go below 0, the copy gets the lowest of them.
    """

    coefficient: Coefficient
    clean: Block
    copy: Block

    @property
    def _plain(self) -> Agreement:
        return correlation(self.coefficient, [self.clean])

    def contributes(self, observed: Observations) -> Mask:
        """Mark the segments with something to compare."""
        return self._plain.contributes(self.extend(observed))

    def sums(self, observed: Observations) -> Matrix:
        """Sum with the copies among the rows."""
        return self._plain.sums(self.extend(observed))

    def value(self, totals: Matrix) -> Vector:
        """Take the value of the correlation."""
        return self._plain.value(totals)

    def note(self, observed: Observations) -> str:
        """Say what holds for the extended data."""
        return self._plain.note(self.extend(observed))

    def extend(self, observed: Observations) -> Observations:
        """Add a row for the copy to every fifth segment that has one."""
        frame, copies = observed.frame, copy_scores(observed, self.copy)
        fifth = np.arange(frame.segments) % EVERY == 0
        chosen: Ints = np.flatnonzero(fifth & np.isfinite(copies))
        worst = min(0.0, float(np.nanmin(frame.rating, initial=0.0)))
        order = np.argsort(np.append(frame.segment, chosen), kind="stable")
        place = np.argsort(order)[: len(frame.segment)]
        extended = replace(
            frame,
            segment=np.append(frame.segment, chosen)[order],
            rating=np.append(frame.rating, np.full(len(chosen), worst))[order],
            pairs=place[frame.pairs],
            members=None,
        )
        scores = np.append(observed.scores[self.clean], copies[chosen])[order]
        return Observations(extended, {self.clean: scores}, {})


def break_even(omega: float, gamma: float = 0.35) -> float:
    """Give the similarity above which a paraphrase can beat a copy under ParaScore.

    A copy has similarity 1 and divergence -1; a paraphrase has at most divergence gamma.
    """
    return 1 - omega * (1 + gamma)
