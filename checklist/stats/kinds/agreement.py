"""Correlations, drops and differences of drops: one coefficient on several score vectors."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from shakeproof.stats.format import count, figure
from shakeproof.stats.frame import Block, Mask, Matrix, Observations, Vector
from shakeproof.stats.kinds.accuracy import AccuracyEq
from shakeproof.stats.kinds.coefficients import Coefficient, Remarking, rated
from shakeproof.stats.rows import TIE, finite_rows


@dataclass(frozen=True, slots=True)
class Agreement:
    """A weighted sum of one coefficient over several blocks, all on the same candidates.

    The clean correlation has one block of weight 1; a drop has a second one of weight -1, or
    one per seed; retention, areas and differences between metrics have others. A candidate that
    lacks a score in any block leaves all of them. Where the coefficient has a threshold, it is set
    on the scores of the block's anchor.
    """

    coefficient: Coefficient
    blocks: tuple[Block, ...]
    weights: tuple[float, ...]
    anchors: tuple[Block, ...] = ()  # one for each block; without any, each is its own

    def rows(self, observed: Observations) -> Mask:
        """Mark the candidates that every block and people rated."""
        usable = finite_rows(observed, *self.blocks, *self.anchors)
        return self.coefficient.rows(observed.frame) & usable

    def contributes(self, observed: Observations) -> Mask:
        """Mark the segments with something to compare."""
        rows = self.rows(observed)
        mask: Mask = self.coefficient.counts(observed.frame, self._scores(observed), rows) > 0
        return mask

    def sums(self, observed: Observations) -> Matrix:
        """Lay the blocks' sums side by side."""
        frame, scores, rows = observed.frame, self._scores(observed), self.rows(observed)
        if isinstance(self.coefficient, AccuracyEq):
            widths = self._widths(self.coefficient, observed, rows)
            sums = self.coefficient.sums_within(frame, scores, rows, widths)
        else:
            sums = self.coefficient.sums(frame, scores, rows)
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
        if isinstance(self.coefficient, AccuracyEq):
            widths = self._widths(self.coefficient, observed, rows)
            notes.append(self.coefficient.told(self.anchors or self.blocks, widths))
        if isinstance(self.coefficient, Remarking):
            notes.append(self.coefficient.remark(observed.frame, self._scores(observed), rows))
        return "; ".join(dict.fromkeys(note for note in notes if note))

    def _widths(self, coefficient: AccuracyEq, observed: Observations, rows: Mask) -> Matrix:
        """Give each block's thresholds, segment by segment; those of equal anchors are equal."""
        anchors = self.anchors or self.blocks
        found = {
            block: coefficient.widths(observed.frame, observed.scores[block], rows, block)
            for block in dict.fromkeys(anchors)
        }
        return np.stack([found[block] for block in anchors])

    def _scores(self, observed: Observations) -> Matrix:
        return np.stack([observed.scores[block] for block in self.blocks])


def constant_note(values: Vector, what: str) -> str:
    """Say that all values are the same, if they are."""
    if len(values) and np.ptp(values) <= TIE:
        return f"all {count(len(values), what)} are {figure(float(values[0]))}"
    return ""


def correlation(
    coefficient: Coefficient, blocks: Iterable[Block], anchor: Block | None = None
) -> Agreement:
    """Average the coefficient over blocks, most often the seeds of one condition.

    Thresholds are set on the `anchor`, if there is one, else on each block itself.
    """
    blocks = tuple(blocks)
    n = len(blocks)
    return Agreement(coefficient, blocks, (1 / n,) * n, () if anchor is None else (anchor,) * n)


def difference(first: Agreement, second: Agreement, share: float = 1.0) -> Agreement:
    """Take `share` of the second from the first, on the candidates both have."""
    weights = (*first.weights, *(-share * weight for weight in second.weights))
    anchors: tuple[Block, ...] = ()
    if first.anchors or second.anchors:
        anchors = (*(first.anchors or first.blocks), *(second.anchors or second.blocks))
    return Agreement(first.coefficient, (*first.blocks, *second.blocks), weights, anchors)
