"""How far the draws of a judge differ: several answers to the same question."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from shakeproof.stats.intervals import IntervalTraits
from shakeproof.stats.kinds.scores import in_spreads, no_spread, over_spread
from shakeproof.stats.observations import Mask, Matrix, Observations, ScoreKey, Vector
from shakeproof.stats.rows import by_segment, finite_rows, ratio, rows_per_segment

NOISY_SEGMENTS = IntervalTraits(stretch=3.0)  # chosen by simulation, benchmarks/coverage.py


@dataclass(frozen=True, slots=True)
class DrawDeviation:
    """Standard deviation between draws of the same candidate, pooled over candidates.

    Draws stay with their candidate when segments are resampled. Of several perturbation seeds the
    variances are averaged. Intervals are widened more than usual: squares have long tails, and
    draws without the few noisiest segments do not show them.
    """

    interval_traits: ClassVar[IntervalTraits] = NOISY_SEGMENTS

    clean: ScoreKey
    draws: tuple[tuple[ScoreKey, ...], ...]  # by perturbation seed, then by draw
    spread: bool = True

    def rows(self, observed: Observations) -> Mask:
        """Mark the candidates that have all scores."""
        return finite_rows(observed, self.clean, *(key for seed in self.draws for key in seed))

    def contributes(self, observed: Observations) -> Mask:
        """Mark the segments with a candidate."""
        mask: Mask = rows_per_segment(observed.candidates, self.rows(observed)) > 0
        return mask

    def sums(self, observed: Observations) -> Matrix:
        """Sum squares around the candidate's mean, their degrees of freedom, then the spread."""
        candidates, rows = observed.candidates, self.rows(observed)
        clean = observed.scores[self.clean]
        scale, columns = in_spreads(candidates, clean, rows) if self.spread else (1.0, None)
        variances = [self._variance(observed, seed, rows) for seed in self.draws]
        variance = np.mean(variances, axis=0) / scale**2
        freedom = float(len(self.draws[0]) - 1)
        table = by_segment(
            candidates.segments,
            candidates.segment[rows],
            freedom * variance,
            np.full(len(variance), freedom),
        )
        return np.hstack([table, *([] if columns is None else [columns])])

    def value(self, totals: Matrix) -> Vector:
        """Take the root, in spreads."""
        deviation = np.sqrt(ratio(totals[..., 0], totals[..., 1]))
        return over_spread(deviation, totals[..., 2:]) if self.spread else deviation

    def note(self, observed: Observations) -> str:
        """Return why there is no number."""
        return no_spread(observed, self.clean, self.rows(observed)) if self.spread else ""

    def _variance(self, observed: Observations, seed: tuple[ScoreKey, ...], rows: Mask) -> Vector:
        draws = np.stack([observed.scores[key][rows] for key in seed])
        variance: Vector = draws.var(axis=0, ddof=1)
        return variance


@dataclass(frozen=True, slots=True)
class NoiseShare:
    """Share of the variance between the candidates of a segment that is the judge's own noise.

    Of the scores of one draw or, with `averaged`, of the mean of all draws. What draws do not
    explain of the variance of the mean is that of the candidates, and never below 0.
    """

    interval_traits: ClassVar[IntervalTraits] = NOISY_SEGMENTS

    clean: ScoreKey
    draws: tuple[tuple[ScoreKey, ...], ...]  # by perturbation seed, then by draw
    averaged: bool = False

    @property
    def _deviation(self) -> DrawDeviation:
        return DrawDeviation(self.clean, self.draws)

    def contributes(self, observed: Observations) -> Mask:
        return self._deviation.contributes(observed)

    def sums(self, observed: Observations) -> Matrix:
        """Sum what the variances need."""
        return self._deviation.sums(observed)

    def value(self, totals: Matrix) -> Vector:
        """Divide the noise by noise and candidates together."""
        count = len(self.draws[0])
        noise, spread = ratio(totals[..., 0], totals[..., 1]), ratio(totals[..., 2], totals[..., 3])
        candidates = np.maximum(spread - noise / count, 0.0)
        own = noise / count if self.averaged else noise
        return ratio(own, own + candidates)

    def note(self, observed: Observations) -> str:
        """Return why there is no number."""
        return self._deviation.note(observed)
