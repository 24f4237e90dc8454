"""Shares of segments, which take an exact binomial interval instead of a bootstrap."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol, runtime_checkable

import numpy as np

from shakeproof.stats.kinds.scores import Direction, Shift, spread_of
from shakeproof.stats.observations import Ints, Mask, Matrix, Observations, ScoreKey, Vector
from shakeproof.stats.rows import TIE, by_segment, finite_rows, ratio


@runtime_checkable
class Outcomes(Protocol):
    """A statistic that is a share of segments."""

    def outcomes(self, observed: Observations) -> Vector:
        """Say of each segment whether it behaves: 1, 0, or NaN where it does not count."""
        ...


@dataclass(frozen=True, slots=True)
class Binomial:
    """A share of segments that calls for an exact interval, and the scale it is shown on."""

    hits: float
    trials: float
    lowest: float = 0.0
    highest: float = 1.0
    clusters: int = 0  # that the trials come in; 0: they are independent
    variance: float = 0.0  # of the share, between clusters

    def effective(self, confidence: float) -> tuple[float, float]:
        """Give as many hits and trials as independent ones would tell (Korn and Graubard 1998).

        None or all of the segments tell nothing of how alike those of a cluster are; then every
        cluster counts as one trial.
        """
        from scipy.special import stdtrit

        if not self.clusters:
            return self.hits, self.trials
        share = self.hits / self.trials
        if share in (0.0, 1.0) or self.clusters == 1:
            return share * self.clusters, self.clusters
        alike = min(self.trials, share * (1 - share) / max(self.variance, 1e-12))
        wide, narrow = (stdtrit(n - 1, (1 + confidence) / 2) for n in (self.clusters, self.trials))
        trials = float(alike * (narrow / wide) ** 2)
        return share * trials, trials


def binomial(outcomes: Vector, cluster: Ints | None) -> Binomial:
    """Count the segments that behave and, where documents are resampled, how those differ."""
    counted = np.isfinite(outcomes)
    hits, trials = int(np.nansum(outcomes)), int(counted.sum())
    if cluster is None or trials == 0:
        return Binomial(hits, trials)
    _, unit = np.unique(cluster[counted], return_inverse=True)
    away = np.bincount(unit, outcomes[counted] - hits / trials)
    n = len(away)
    variance = float((away * away).sum() * n / (n - 1) / trials**2) if n > 1 else 0.0
    return Binomial(hits, trials, clusters=n, variance=variance)


def clopper_pearson(hits: float, trials: float, confidence: float = 0.95) -> tuple[float, float]:
    """Give the exact interval of a share (Clopper and Pearson 1934).

    A bootstrap of "30 of 30 behave" is [1, 1] and would pass anything.
    """
    from scipy.special import betaincinv

    outside = (1 - confidence) / 2
    low = 0.0 if hits == 0 else float(betaincinv(hits, trials - hits + 1, outside))
    high = 1.0 if hits == trials else float(betaincinv(hits + 1, trials - hits, 1 - outside))
    return low, high


def share_sums(outcomes: Vector) -> Matrix:
    """Count the segments that behave, and those that count: (segments, 2)."""
    return np.stack([np.nan_to_num(outcomes), np.isfinite(outcomes)], axis=1)


def share_value(totals: Matrix) -> Vector:
    """Divide."""
    return ratio(totals[..., 0], totals[..., 1])


@dataclass(frozen=True, slots=True)
class Behaving:
    """Share of changed segments whose mean score moves as expected.

    A drop or rise must be more than `by`, an absolute change no more; in units of the spread of
    the whole data, or raw. Seeds are averaged within the segment.
    """

    clean: ScoreKey
    perturbed: tuple[ScoreKey, ...]
    direction: Direction
    by: float
    spread: bool = True
    tie: float = TIE

    def outcomes(self, observed: Observations) -> Vector:
        """Compare each segment's mean movement with the margin."""
        shift = Shift(self.clean, self.perturbed, self.direction, spread=False)
        by_seed = shift.sums(observed).reshape(observed.candidates.segments, -1, 2)
        moved = ratio(by_seed[..., 0].sum(axis=1), by_seed[..., 1].sum(axis=1))
        margin = self.by * self._unit(observed, shift.rows(observed))
        behaves = moved <= margin + self.tie if self.direction == "change" else moved > margin
        beyond_tie = np.abs(moved) > self.tie
        right = behaves if self.direction == "change" else behaves & beyond_tie
        return np.where(np.isfinite(moved) & np.isfinite(margin), right, np.nan)

    def _unit(self, observed: Observations, rows: Mask) -> float:
        if not self.spread:
            return 1.0
        unit = spread_of(observed.candidates, observed.scores[self.clean], rows)
        return unit or (0.0 if self.by == 0 else float("nan"))

    def sums(self, observed: Observations) -> Matrix:
        """Count segments that behave, and all changed ones."""
        return share_sums(self.outcomes(observed))

    def value(self, totals: Matrix) -> Vector:
        """Divide."""
        return share_value(totals)


@dataclass(frozen=True, slots=True)
class PrefersOriginal:
    """Share of changed candidates that score higher unperturbed; a tie is wrong."""

    clean: ScoreKey
    perturbed: tuple[ScoreKey, ...]
    tie: float = TIE

    @property
    def extremes(self) -> tuple[float, float]:
        """Give the values at which none or all candidates are right."""
        return 0.0, 1.0

    def sums(self, observed: Observations) -> Matrix:
        """Count the originals that score higher, and all, over seeds."""
        candidates = observed.candidates
        rows = finite_rows(observed, self.clean, *self.perturbed)
        table: Matrix = np.zeros((candidates.segments, 2))
        for score_key in self.perturbed:
            changed = rows & observed.changed[score_key]
            right = (observed.scores[self.clean] - observed.scores[score_key])[changed] > self.tie
            segment = candidates.segment[changed]
            table = table + by_segment(candidates.segments, segment, right, np.ones(len(right)))
        return table

    def value(self, totals: Matrix) -> Vector:
        """Divide."""
        return share_value(totals)
