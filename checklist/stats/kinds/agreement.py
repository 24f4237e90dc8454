"""Correlations, drops and differences of drops: one coefficient on several score vectors."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from math import isclose

import numpy as np

from shakeproof.results import counted
from shakeproof.stats.kinds.coefficients import Coefficient, rated
from shakeproof.stats.messages import figure
from shakeproof.stats.observations import Mask, Matrix, Observations, ScoreKey, Vector
from shakeproof.stats.rows import TIE, finite_rows, tie_width, to_grid

ROUNDING = 1e-9  # of sums of weights


@dataclass(frozen=True, slots=True)
class Agreement:
    """A weighted sum of one coefficient over several score vectors, all on the same candidates.

    The clean correlation has one vector of weight 1; a drop has a second one of weight -1, or
    one per seed; retention, areas and differences between metrics have others. A candidate that
    lacks a score in any vector leaves all of them. Where the coefficient has a threshold, it is
    set on the scores of the vector's anchor.
    """

    coefficient: Coefficient
    score_keys: tuple[ScoreKey, ...]
    weights: tuple[float, ...]
    anchors: tuple[ScoreKey, ...] = ()  # one for each score key; without any, each is its own

    def rows(self, observed: Observations) -> Mask:
        """Mark the candidates that people judged and that have all scores."""
        usable = finite_rows(observed, *self.score_keys, *self.anchors)
        return self.coefficient.rows(observed.candidates) & usable

    def contributes(self, observed: Observations) -> Mask:
        rows = self.rows(observed)
        mask: Mask = self.coefficient.counts(observed.candidates, self._scores(observed), rows) > 0
        return mask

    def sums(self, observed: Observations) -> Matrix:
        """Lay the sums of the score vectors side by side."""
        rows = self.rows(observed)
        sums = self._calibrated(observed, rows).sums(
            observed.candidates, self._scores(observed), rows
        )
        segments, vectors, width = sums.shape
        return sums.reshape(segments, vectors * width)

    def value(self, totals: Matrix) -> Vector:
        """Return the weighted sum of the coefficients."""
        width = totals.shape[-1] // len(self.score_keys)
        by_vector = totals.reshape(*totals.shape[:-1], len(self.score_keys), width)
        value: Vector = self.coefficient.value(by_vector) @ np.array(self.weights)
        return value

    @property
    def extremes(self) -> tuple[float, float] | None:
        """Return the values if no pair is right and if all are, where pairs are counted."""
        return self.coefficient.extremes if min(self.weights) >= 0 else None

    @property
    def is_correlation(self) -> bool:
        """Return whether the value is a mean of correlations, and not a difference."""
        return min(self.weights) >= 0 and isclose(sum(self.weights), 1)

    def unseen_change(self, sums: Matrix) -> float:
        """Return how far one segment can move a difference, if none of these segments does."""
        largest = self.coefficient.largest_change
        if largest is None or min(self.weights) >= 0:
            return 0.0
        by_vector = sums.reshape(len(sums), len(self.weights), -1)
        moves = np.einsum("svk,v->sk", by_vector - by_vector[:, :1], np.array(self.weights))
        if np.abs(moves).max(initial=0.0) > ROUNDING:
            return 0.0
        after = np.array(self.weights[1:])  # a segment goes from all right to none, or back
        return largest * float(max(after[after > 0].sum(), -after[after < 0].sum()))

    def same_scores(self, observed: Observations) -> bool:
        """Return whether what is subtracted has the very scores that it is subtracted from."""
        rows, weights = self.rows(observed), dict[bytes, float]()
        for vector, weight in zip(self._scores(observed), self.weights, strict=True):
            scores = to_grid(vector[rows], TIE).tobytes()
            weights[scores] = weights.get(scores, 0.0) + weight
        _, *others = weights.values()
        return all(abs(weight) < ROUNDING for weight in others)

    def note(self, observed: Observations) -> str:
        """Explain why the value is undefined, if so, and count the candidates left out."""
        missing = int((self.coefficient.rows(observed.candidates) & ~self.rows(observed)).sum())
        left_out = f"{counted(missing, 'candidate')} without a score left out" if missing else ""
        return "; ".join(text for text in (self.reason(observed), left_out) if text)

    def reason(self, observed: Observations) -> str:
        """Name what is constant, or what else makes the coefficient undefined or partial."""
        candidates, rows = observed.candidates, self.rows(observed)
        if not self.contributes(observed).any():
            return self.coefficient.nothing_to_compare(candidates, rows)
        notes = [
            *(constant_note(observed.scores[key][rows], "score") for key in self.score_keys),
            constant_note(candidates.rating[rows & rated(candidates)], "rating"),
            self._calibrated(observed, rows).remark(candidates, self._scores(observed), rows),
        ]
        return "; ".join(dict.fromkeys(note for note in notes if note))

    def _calibrated(self, observed: Observations, rows: Mask) -> Coefficient:
        return self.coefficient.calibrate(observed, self.anchors or self.score_keys, rows)

    def _scores(self, observed: Observations) -> Matrix:
        return np.stack([observed.scores[score_key] for score_key in self.score_keys])


def constant_note(values: Vector, noun: str) -> str:
    """Return that all values are the same, if they are."""
    if len(values) and np.ptp(values) <= tie_width(values):
        return f"all {counted(len(values), noun)} are {figure(float(values[0]))}"
    return ""


def correlation(
    coefficient: Coefficient, score_keys: Iterable[ScoreKey], anchor: ScoreKey | None = None
) -> Agreement:
    """Average the coefficient over score vectors, most often the seeds of one condition.

    Thresholds, where the coefficient has any, are set on the scores of the `anchor`, or without
    one on each vector itself.
    """
    score_keys = tuple(score_keys)
    n = len(score_keys)
    anchored = anchor is not None and coefficient.has_thresholds
    return Agreement(coefficient, score_keys, (1 / n,) * n, (anchor,) * n if anchored else ())


def difference(first: Agreement, second: Agreement, share: float = 1.0) -> Agreement:
    """Subtract `share` of the second from the first, on the candidates both have."""
    weights = (*first.weights, *(-share * weight for weight in second.weights))
    anchors: tuple[ScoreKey, ...] = ()
    if first.anchors or second.anchors:
        anchors = (*(first.anchors or first.score_keys), *(second.anchors or second.score_keys))
    return Agreement(first.coefficient, (*first.score_keys, *second.score_keys), weights, anchors)
