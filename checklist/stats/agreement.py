"""Correlations, drops and differences of drops: one coefficient on several score vectors."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from shakeproof.stats.coefficients import Coefficient, Remarking, rated
from shakeproof.stats.figures import count, figure
from shakeproof.stats.frame import Block, Mask, Matrix, Observations, Vector
from shakeproof.stats.rows import TIE, finite_rows


@dataclass(frozen=True, slots=True)
class Agreement:
    """A weighted sum of one coefficient over several blocks, all on the same candidates.

    The clean correlation has one block of weight 1; a drop has a second one of weight -1, or
    one per seed; retention, areas and differences between metrics have others. A candidate that
    lacks a score in any block leaves all of them.
    """

    coefficient: Coefficient
    blocks: tuple[Block, ...]
    weights: tuple[float, ...]

    def rows(self, observed: Observations) -> Mask:
        """Mark the candidates that every block and people rated."""
        return self.coefficient.rows(observed.frame) & finite_rows(observed, *self.blocks)

    def contributes(self, observed: Observations) -> Mask:
        """Mark the segments with something to compare."""
        rows = self.rows(observed)
        mask: Mask = self.coefficient.counts(observed.frame, self._scores(observed), rows) > 0
        return mask

    def sums(self, observed: Observations) -> Matrix:
        """Lay the blocks' sums side by side."""
        sums = self.coefficient.sums(observed.frame, self._scores(observed), self.rows(observed))
        segments, blocks, width = sums.shape
        return sums.reshape(segments, blocks * width)

    def value(self, totals: Matrix) -> Vector:
        """Weigh the blocks' coefficients."""
        width = totals.shape[-1] // len(self.blocks)
        by_block = totals.reshape(*totals.shape[:-1], len(self.blocks), width)
        value: Vector = self.coefficient.value(by_block) @ np.array(self.weights)
        return value

    @property
    def extremes(self) -> tuple[float, float] | None:
        """Give the values at which none or all pairs are right, if a share of pairs is shown."""
        one = min(self.weights) >= 0
        ends: tuple[float, float] | None = getattr(self.coefficient, "extremes", None)
        return ends if one else None

    def note(self, observed: Observations) -> str:
        """Say why there is no number, if so, and how many candidates were left out."""
        missing = int((self.coefficient.rows(observed.frame) & ~self.rows(observed)).sum())
        left_out = f"{count(missing, 'candidate')} without a score left out" if missing else ""
        return "; ".join(text for text in (self.reason(observed), left_out) if text)

    def reason(self, observed: Observations) -> str:
        """Say what is constant, or what else makes the coefficient undefined or partial."""
        if not self.contributes(observed).any():
            return "no candidate has both a score and a judgement"
        rows = self.rows(observed)
        notes = [constant_note(observed.scores[block][rows], "scores") for block in self.blocks]
        judged = observed.frame.rating[rows & rated(observed.frame)]
        notes.append(constant_note(judged, "ratings"))
        if isinstance(self.coefficient, Remarking):
            notes.append(self.coefficient.remark(observed.frame, self._scores(observed), rows))
        return "; ".join(dict.fromkeys(note for note in notes if note))

    def _scores(self, observed: Observations) -> Matrix:
        return np.stack([observed.scores[block] for block in self.blocks])


def constant_note(values: Vector, what: str) -> str:
    """Say that all values are the same, if they are."""
    if len(values) and np.ptp(values) <= TIE:
        return f"all {count(len(values), what)} are {figure(float(values[0]))}"
    return ""


def correlation(
    coefficient: Coefficient, blocks: Iterable[Block], first: Block | None = None
) -> Agreement:
    """Average the coefficient over blocks, most often the seeds of one condition.

    `first` stands before them without weight: thresholds are set on it.
    """
    blocks = tuple(blocks)
    weights = (1 / len(blocks),) * len(blocks)
    if first is None:
        return Agreement(coefficient, blocks, weights)
    return Agreement(coefficient, (first, *blocks), (0.0, *weights))


def difference(first: Agreement, second: Agreement, share: float = 1.0) -> Agreement:
    """Take `share` of the second from the first, on the candidates both have."""
    weights = (*first.weights, *(-share * weight for weight in second.weights))
    return Agreement(first.coefficient, (*first.blocks, *second.blocks), weights)
