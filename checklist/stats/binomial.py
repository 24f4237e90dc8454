"""Intervals of shares: Clopper and Pearson's, on as many independent segments as the data equal."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt
from typing import Protocol, runtime_checkable

import numpy as np

from shakeproof.stats.intervals import (
    CLUSTERED,
    EXACT,
    RULE_OF_THREE,
    Interval,
    freedom_of,
    standard_error,
    stretch,
    t_quantile,
    two_sided_z,
)
from shakeproof.stats.observations import Ints, Observations, Vector


@dataclass(frozen=True, slots=True)
class Threshold:
    """A threshold that the data set themselves, such as so many spreads, with its own error."""

    multiples: Vector  # of each segment: its number divided by the threshold
    above: bool  # whether segments behave beyond the threshold, or up to it
    influence: Vector  # of each segment, or document, on the logarithm of the threshold
    excess: Vector  # of each too: how many more of its segments behave than on average

    def shares(self, confidence: float) -> tuple[float, float]:
        """Return the smallest and largest share with the threshold anywhere in its interval."""
        low, high = sorted(self._share(end) for end in self._interval(confidence))
        return low, high

    def meets_ties(self, confidence: float) -> bool:
        """Return whether segments with equal numbers lie in the interval of the threshold."""
        low, high = self._interval(confidence)
        inside = self.multiples[(self.multiples > low) & (self.multiples <= high)]
        return len(np.unique(inside)) < len(inside)

    def _interval(self, confidence: float) -> tuple[float, float]:
        """Return between which multiples of itself the threshold lies."""
        n = len(self.influence)
        t = t_quantile(confidence, freedom_of(self.influence)) * stretch(n)
        reach = t * standard_error(self.influence)
        return float(np.exp(-reach)), float(np.exp(reach))

    @property
    def correlation(self) -> float:
        """Return how what a segment adds to the share goes with what it does by the threshold."""
        effect = -self.influence if self.above else self.influence
        if np.ptp(self.excess) == 0 or np.ptp(effect) == 0:
            return 0.0
        return float(np.corrcoef(self.excess, effect)[0, 1])

    def _share(self, factor: float) -> float:
        beyond = self.multiples > factor
        return float((beyond if self.above else ~beyond).mean())


@runtime_checkable
class HasThreshold(Protocol):
    """A share of segments beyond a threshold that the data set themselves."""

    def threshold(self, observed: Observations) -> Threshold | None:
        """Return the threshold with its error; None if it is fixed."""
        ...


@dataclass(frozen=True, slots=True)
class Binomial:
    """A share of segments, candidates or pairs, and the scale that its interval is shown on."""

    share: float
    trials: float  # that count as independent, whatever the confidence
    units: int = 0  # that vary in common, such as segments with several candidates; 0: none do
    lowest: float = 0.0
    highest: float = 1.0
    threshold: Threshold | None = None

    def effective(self, confidence: float) -> tuple[float, float]:
        """Return hits and trials; fewer where the variance between units is an estimate."""
        if not self.units or self.share in (0.0, 1.0):
            return self.share * self.trials, self.trials
        factor = two_sided_z(confidence) / t_quantile(confidence, max(self.units - 1, 1))
        trials = self.trials * factor**2
        return self.share * trials, trials


def binomial(
    outcomes: Vector, cluster: Ints | None, threshold: Threshold | None = None
) -> Binomial | None:
    """Count the segments that behave and, where documents are resampled, how those differ."""
    counted = np.isfinite(outcomes)
    hits, trials = float(np.nansum(outcomes)), int(counted.sum())
    if trials == 0:
        return None
    share = hits / trials
    if cluster is None:
        return Binomial(share, trials, threshold=threshold)
    _, unit = np.unique(cluster[counted], return_inverse=True)
    influence = np.bincount(unit, outcomes[counted] - share) * (unit.max() + 1) / trials
    return clustered(share, influence, trials, threshold=threshold)


def clustered(
    share: float,
    influence: Vector,
    trials: float,
    extremes: tuple[float, float] = (0.0, 1.0),
    threshold: Threshold | None = None,
) -> Binomial:
    """Return a share whose trials come in units, with the influence of each unit on it.

    The number of independent trials is that with the same variance (Korn and Graubard 1998). The
    variance is taken as if one more unit behaved wholly and one not at all: a share near 0 or 1
    depends on few units, which show too little of how alike the trials of a unit are. If
    all behave, or none does, each unit is one trial.
    """
    n = len(influence)
    if share in (0.0, 1.0):
        return Binomial(share, n, n, *extremes, threshold)
    smoothed = (n * share + 1) / (n + 2)
    squares = float((influence * influence).sum()) + (1 - share) ** 2 + share**2
    alike = n * smoothed * (1 - smoothed) * (n + 2) / squares
    return Binomial(share, min(alike, trials), n, *extremes, threshold)


def clopper_pearson(hits: float, trials: float, confidence: float = 0.95) -> tuple[float, float]:
    """Return the exact interval of a share (Clopper and Pearson 1934).

    A bootstrap of "30 of 30 behave" is [1, 1] and would pass anything.
    """
    from scipy.special import betaincinv

    outside = (1 - confidence) / 2
    low = 0.0 if hits <= 0 else float(betaincinv(hits, trials - hits + 1, outside))
    high = 1.0 if hits >= trials else float(betaincinv(hits + 1, trials - hits, 1 - outside))
    return low, high


def exact(binomial: Binomial, confidence: float) -> Interval:
    """Return Clopper and Pearson's interval, or Korn and Graubard's of trials in units.

    Both are in units of the share's own scale.
    """
    low, high = clopper_pearson(*binomial.effective(confidence), confidence)
    if binomial.threshold is not None:
        low, high = _with_threshold(binomial.share, (low, high), binomial.threshold, confidence)
    lowest, width = binomial.lowest, binomial.highest - binomial.lowest
    method = CLUSTERED if binomial.units else EXACT
    return Interval(lowest + width * low, lowest + width * high, method)


def with_unseen_changes(
    interval: Interval, changes: Sequence[tuple[float, int]], confidence: float
) -> Interval:
    """Widen the interval of a mean over groups by what changes in segments that are not at hand.

    If none of n segments changes, up to about 3.7 / n of all segments may, each by the largest
    change that there is. `changes` has that change, or 0, and the segments of each group.
    """
    shares = [clopper_pearson(0, segments, confidence)[1] for _, segments in changes]
    reach = sum(change * share for (change, _), share in zip(changes, shares, strict=True))
    reach /= len(changes)
    if reach == 0:
        return interval
    note = f"no judgement changed here, but up to {max(shares):.2g} of all segments may change one"
    return Interval(interval.low - reach, interval.high + reach, RULE_OF_THREE, note)


def _with_threshold(
    share: float, ends: tuple[float, float], threshold: Threshold, confidence: float
) -> tuple[float, float]:
    """Add the error of the threshold to that of the share (Zou and Donner 2008).

    Where segments are tied at the threshold, the share is on one side of a step or on the other,
    and the errors are added as if they always came together.
    """
    low, high = threshold.shares(confidence)
    alike = 1.0 if threshold.meets_ties(confidence) else max(threshold.correlation, 0.0)
    down = _combined(share - ends[0], max(share - low, 0.0), alike)
    up = _combined(ends[1] - share, max(high - share, 0.0), alike)
    return max(share - down, 0.0), min(share + up, 1.0)


def _combined(first: float, second: float, correlation: float) -> float:
    return sqrt(first**2 + second**2 + 2 * correlation * first * second)
