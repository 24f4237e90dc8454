"""Correlations, drops and differences of drops: one coefficient on several score vectors."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from shakeproof.stats.kinds.accuracy import AccuracyEq
from shakeproof.stats.kinds.coefficients import Coefficient, Remarking, rated
from shakeproof.stats.messages import count, figure
from shakeproof.stats.observations import Mask, Matrix, Observations, ScoreKey, Vector
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
    score_keys: tuple[ScoreKey, ...]
    weights: tuple[float, ...]
    anchors: tuple[ScoreKey, ...] = ()  # one for each block; without any, each is its own

    def rows(self, observed: Observations) -> Mask:
        """Mark the candidates that every block and people rated."""
        usable = finite_rows(observed, *self.score_keys, *self.anchors)
        return self.coefficient.rows(observed.candidates) & usable

    def contributes(self, observed: Observations) -> Mask:
        """Mark the segments with something to compare."""
        rows = self.rows(observed)
        mask: Mask = self.coefficient.counts(observed.candidates, self._scores(observed), rows) > 0
        return mask

    def sums(self, observed: Observations) -> Matrix:
        """Lay the blocks' sums side by side."""
        candidates, scores, rows = observed.candidates, self._scores(observed), self.rows(observed)
        if isinstance(self.coefficient, AccuracyEq):
            widths = self._widths(self.coefficient, observed, rows)
            sums = self.coefficient.sums_within(candidates, scores, rows, widths)
        else:
            sums = self.coefficient.sums(candidates, scores, rows)
        segments, score_keys, width = sums.shape
        return sums.reshape(segments, score_keys * width)

    def value(self, totals: Matrix) -> Vector:
        """Weigh the blocks' coefficients."""
        width = totals.shape[-1] // len(self.score_keys)
        by_block = totals.reshape(*totals.shape[:-1], len(self.score_keys), width)
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
        missing = int((self.coefficient.rows(observed.candidates) & ~self.rows(observed)).sum())
        left_out = f"{count(missing, 'candidate')} without a score left out" if missing else ""
        return "; ".join(text for text in (self.reason(observed), left_out) if text)

    def reason(self, observed: Observations) -> str:
        """Say what is constant, or what else makes the coefficient undefined or partial."""
        if not self.contributes(observed).any():
            return "no candidate has both a score and a judgement"
        rows = self.rows(observed)
        notes = [
            constant_note(observed.scores[score_key][rows], "scores")
            for score_key in self.score_keys
        ]
        judged = observed.candidates.rating[rows & rated(observed.candidates)]
        notes.append(constant_note(judged, "ratings"))
        if isinstance(self.coefficient, AccuracyEq):
            widths = self._widths(self.coefficient, observed, rows)
            notes.append(self.coefficient.told(self.anchors or self.score_keys, widths))
        if isinstance(self.coefficient, Remarking):
            notes.append(self.coefficient.remark(observed.candidates, self._scores(observed), rows))
        return "; ".join(dict.fromkeys(note for note in notes if note))

    def _widths(self, coefficient: AccuracyEq, observed: Observations, rows: Mask) -> Matrix:
        """Give each block's thresholds, segment by segment; those of equal anchors are equal."""
        anchors = self.anchors or self.score_keys
        found = {
            score_key: coefficient.widths(
                observed.candidates, observed.scores[score_key], rows, score_key
            )
            for score_key in dict.fromkeys(anchors)
        }
        return np.stack([found[score_key] for score_key in anchors])

    def _scores(self, observed: Observations) -> Matrix:
        return np.stack([observed.scores[score_key] for score_key in self.score_keys])


def constant_note(values: Vector, what: str) -> str:
    """Say that all values are the same, if they are."""
    if len(values) and np.ptp(values) <= TIE:
        return f"all {count(len(values), what)} are {figure(float(values[0]))}"
    return ""


def correlation(
    coefficient: Coefficient, score_keys: Iterable[ScoreKey], anchor: ScoreKey | None = None
) -> Agreement:
    """Average the coefficient over blocks, most often the seeds of one condition.

    Thresholds are set on the `anchor`, if there is one, else on each block itself.
    """
    score_keys = tuple(score_keys)
    n = len(score_keys)
    return Agreement(coefficient, score_keys, (1 / n,) * n, () if anchor is None else (anchor,) * n)


def difference(first: Agreement, second: Agreement, share: float = 1.0) -> Agreement:
    """Take `share` of the second from the first, on the candidates both have."""
    weights = (*first.weights, *(-share * weight for weight in second.weights))
    anchors: tuple[ScoreKey, ...] = ()
    if first.anchors or second.anchors:
        anchors = (*(first.anchors or first.score_keys), *(second.anchors or second.score_keys))
    return Agreement(first.coefficient, (*first.score_keys, *second.score_keys), weights, anchors)
