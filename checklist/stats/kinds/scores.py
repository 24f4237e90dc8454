"""How far scores move, in units of spread."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from shakeproof.stats.observations import Candidates, Mask, Matrix, Observations, ScoreKey, Vector
from shakeproof.stats.rows import by_segment, changed_segments, finite_rows, ratio, tie_width

NO_SPREAD = 1e-12  # of the whole data's variance within segments: a draw with less is undefined
Direction = Literal["change", "rise", "drop"]


def movement(rise: Vector, direction: Direction) -> Vector:
    """Return rises of scores as movements in a direction; a change is absolute."""
    return {"change": np.abs(rise), "rise": rise, "drop": -rise}[direction]


def segment_means(candidates: Candidates, scores: Vector, rows: Mask) -> Vector:
    """Average the chosen rows of each segment; NaN where there is none."""
    n, total = by_segment(
        candidates.segments, candidates.segment[rows], np.ones(rows.sum()), scores[rows]
    ).T
    return ratio(total, n)


def spread_columns(candidates: Candidates, scores: Vector, rows: Mask) -> Matrix:
    """Return squares around the segment's mean, and degrees of freedom: (segments, 2)."""
    means = segment_means(candidates, scores, rows)
    segment = candidates.segment[rows]
    away = scores[rows] - means[segment]
    squares, n = by_segment(candidates.segments, segment, away * away, np.ones(len(away))).T
    return np.stack([squares, np.maximum(n - 1, 0)], axis=1)


def spread_of(candidates: Candidates, scores: Vector, rows: Mask) -> float:
    """Return the pooled standard deviation within segments; 0 if there is nothing to pool."""
    squares, freedom = spread_columns(candidates, scores, rows).sum(axis=0)
    spread = float(np.sqrt(squares / freedom)) if freedom > 0 else 0.0
    return spread if spread > tie_width(scores[rows]) else 0.0


def by_cluster(candidates: Candidates, numbers: Vector) -> Vector:
    """Sum a number of each segment over what is resampled together, if that is not the segment."""
    if candidates.cluster is None:
        return numbers
    _, unit = np.unique(candidates.cluster, return_inverse=True)
    sums: Vector = np.bincount(unit, numbers).astype(float)
    return sums


def spread_influence(candidates: Candidates, scores: Vector, rows: Mask) -> Vector:
    """Return the influence of each segment, or document, on the logarithm of the spread."""
    squares, freedom = spread_columns(candidates, scores, rows).T
    away = by_cluster(candidates, squares - freedom * squares.sum() / freedom.sum())
    influence: Vector = len(away) * away / (2 * squares.sum())
    return influence


def in_spreads(candidates: Candidates, scores: Vector, rows: Mask) -> tuple[float, Matrix]:
    """Return a scale that scores are divided by to keep digits, and the columns of the spread.

    Both are in units of the whole data's spread, so the columns' ratio is 1 in total.
    """
    spread = spread_of(candidates, scores, rows)
    scale = spread or 1.0
    columns = spread_columns(candidates, scores, rows) / np.array([scale * scale, 1.0])
    return scale, columns * (spread > 0)


def over_spread(value: Vector, totals: Matrix) -> Vector:
    """Divide by the spread of the same draw; NaN where scores do not vary within segments."""
    variance = ratio(totals[..., 0], totals[..., 1])
    return ratio(value, np.sqrt(np.where(variance > NO_SPREAD, variance, np.nan)))


@dataclass(frozen=True, slots=True)
class Shift:
    """Mean change of the score over candidates whose texts changed, averaged over seeds.

    A `change` is absolute, since signed means cancel; `rise` and `drop` are signed. With `before`,
    the change is from one level to the next instead of from the clean texts.
    """

    clean: ScoreKey
    perturbed: tuple[ScoreKey, ...]  # by seed
    direction: Direction = "change"
    spread: bool = True
    before: tuple[ScoreKey, ...] = ()  # by seed

    def rows(self, observed: Observations) -> Mask:
        """Mark the candidates that have all scores."""
        return finite_rows(observed, self.clean, *self.perturbed, *self.before)

    def contributes(self, observed: Observations) -> Mask:
        """Mark the segments with a changed candidate."""
        return changed_segments(observed, self.perturbed, self.rows(observed))

    def sums(self, observed: Observations) -> Matrix:
        """Sum changes and their number for each seed, then the columns of the spread.

        The spread is that of all segments, changed or not: one unit for all checks of a metric.
        """
        candidates, clean = observed.candidates, observed.scores[self.clean]
        rows = self.rows(observed)
        scale, columns = in_spreads(candidates, clean, rows) if self.spread else (1.0, None)
        before = self.before or (self.clean,) * len(self.perturbed)
        steps = zip(before, self.perturbed, strict=True)
        tables = [self._movement_sums(observed, rows, step, scale) for step in steps]
        return np.hstack([*tables, *([] if columns is None else [columns])])

    def value(self, totals: Matrix) -> Vector:
        """Average the seeds' means and express them in spreads."""
        seeds = len(self.perturbed)
        by_seed = totals[..., : 2 * seeds].reshape(*totals.shape[:-1], seeds, 2)
        mean: Vector = ratio(by_seed[..., 0], by_seed[..., 1]).mean(axis=-1)
        return over_spread(mean, totals[..., 2 * seeds :]) if self.spread else mean

    def note(self, observed: Observations) -> str:
        """Return why there is no number."""
        if not self.contributes(observed).any():
            return "no text changed"
        rows = self.rows(observed)
        return no_spread(observed, self.clean, rows) if self.spread else ""

    def _movement_sums(
        self, observed: Observations, rows: Mask, step: tuple[ScoreKey, ScoreKey], scale: float
    ) -> Matrix:
        candidates, changed = observed.candidates, rows & observed.changed[step[1]]
        rise = (observed.scores[step[1]] - observed.scores[step[0]])[changed] / scale
        moved = movement(rise, self.direction)
        return by_segment(
            candidates.segments, candidates.segment[changed], moved, np.ones(len(moved))
        )


def no_spread(observed: Observations, clean: ScoreKey, rows: Mask) -> str:
    """Return that scores do not vary within segments, if they do not."""
    if spread_of(observed.candidates, observed.scores[clean], rows):
        return ""
    return "the clean scores do not vary within segments, so there is no spread; use unit: raw"


@dataclass(frozen=True, slots=True)
class MeanScore:
    """Mean score of all candidates, averaged over score vectors."""

    score_keys: tuple[ScoreKey, ...]

    def sums(self, observed: Observations) -> Matrix:
        """Count candidates and sum their scores."""
        candidates, rows = observed.candidates, finite_rows(observed, *self.score_keys)
        mean = np.mean([observed.scores[score_key][rows] for score_key in self.score_keys], axis=0)
        return by_segment(candidates.segments, candidates.segment[rows], mean, np.ones(len(mean)))

    def value(self, totals: Matrix) -> Vector:
        return ratio(totals[..., 0], totals[..., 1])


@dataclass(frozen=True, slots=True)
class Spread:
    """Pooled standard deviation of the clean scores within segments: the unit of changes."""

    clean: ScoreKey

    def sums(self, observed: Observations) -> Matrix:
        """Return squares and degrees of freedom."""
        rows = finite_rows(observed, self.clean)
        return spread_columns(observed.candidates, observed.scores[self.clean], rows)

    def value(self, totals: Matrix) -> Vector:
        return np.sqrt(ratio(totals[..., 0], totals[..., 1]))
