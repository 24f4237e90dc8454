"""Intervals from draws, or exact ones for shares of segments."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt
from statistics import NormalDist
from typing import NamedTuple

import numpy as np

from shakeproof.results import Estimate
from shakeproof.stats.observations import Ints, Vector

NORMAL = NormalDist()
EXPANDED, BCA, EXACT, CLUSTERED = "expanded percentile", "BCa", "Clopper-Pearson", "Korn-Graubard"
METHODS = {"expanded": EXPANDED, "bca": BCA}  # that a checklist may ask for
WITHOUT_DRAWS = (EXACT, CLUSTERED)


def two_sided_z(confidence: float) -> float:
    """Return the normal quantile of a two-sided interval: 1.96 for 0.95."""
    return NORMAL.inv_cdf((1 + confidence) / 2)


def standard_error_of(estimate: Estimate) -> float:
    """Return the standard error that the width of an interval implies; NaN without one."""
    if estimate.low is None or estimate.high is None:
        return float("nan")
    return (estimate.high - estimate.low) / (2 * two_sided_z(estimate.confidence))


def tail(confidence: float, segments: int) -> float:
    """Return the share of draws outside each end: the expanded percentile (Hesterberg 2015).

    A little less than (1 - confidence) / 2, so that intervals of few segments are not too narrow.
    """
    from scipy.special import stdtrit

    quantile = float(stdtrit(segments - 1, (1 + confidence) / 2))
    return NORMAL.cdf(-sqrt(segments / (segments - 1)) * quantile)


def untail(share: float, segments: int) -> float:
    """Turn a share of draws into a p-value: the inverse of `tail`, one-sided."""
    from scipy.special import stdtr

    if not 0 < share < 1:
        return float(share >= 1)
    z = NORMAL.inv_cdf(share)
    return float(stdtr(segments - 1, z * sqrt((segments - 1) / segments)))


class Interval(NamedTuple):
    """Two ends, and the method that found them."""

    low: float
    high: float
    method: str
    note: str = ""


def expanded(draws: Vector, confidence: float, segments: int) -> Interval:
    """Take percentiles a little further out than asked (Hesterberg 2015)."""
    outside = tail(confidence, segments)
    low, high = np.quantile(draws, [outside, 1 - outside])
    return Interval(float(low), float(high), EXPANDED)


def bca(
    draws: Vector, value: float, influence: Vector, confidence: float, segments: int
) -> Interval:
    """Correct percentiles for bias and acceleration (Efron 1987); expanded where impossible.

    Below 100 segments it misses more often than the expanded percentile; it helps with very
    skewed means.
    """
    below = float((draws < value).mean() + (draws == value).mean() / 2)
    away = influence - influence.mean()
    squares = float((away * away).sum())
    if not 0 < below < 1 or squares == 0 or np.ptp(draws) == 0:
        interval = expanded(draws, confidence, segments)
        return interval._replace(note="BCa is undefined here; expanded percentile instead")
    bias, acceleration = NORMAL.inv_cdf(below), float((away**3).sum()) / (6 * squares**1.5)
    z = two_sided_z(confidence)
    shares = [
        NORMAL.cdf(bias + (bias + end) / (1 - acceleration * (bias + end))) for end in (-z, z)
    ]
    low, high = np.quantile(draws, shares)
    return Interval(float(low), float(high), BCA)


@dataclass(frozen=True, slots=True)
class Binomial:
    """Counts for an exact interval of a share of segments, and the scale it is shown on."""

    hits: float
    trials: float
    lowest: float = 0.0
    highest: float = 1.0
    clusters: int = 0  # that the trials come in; 0: they are independent
    variance: float = 0.0  # of the share, between clusters

    def effective(self, confidence: float) -> tuple[float, float]:
        """Return hits and trials of as many independent segments (Korn and Graubard 1998).

        Where none or all of the segments behave, nothing shows how alike those of a cluster are;
        then every cluster counts as one trial.
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
    """Return the exact interval of a share (Clopper and Pearson 1934).

    A bootstrap of "30 of 30 behave" is [1, 1] and would pass anything.
    """
    from scipy.special import betaincinv

    outside = (1 - confidence) / 2
    low = 0.0 if hits == 0 else float(betaincinv(hits, trials - hits + 1, outside))
    high = 1.0 if hits == trials else float(betaincinv(hits + 1, trials - hits, 1 - outside))
    return low, high


def exact(share: Binomial, confidence: float) -> Interval:
    """Return Clopper and Pearson's interval, or Korn and Graubard's of segments in clusters.

    Both are in units of the share's own scale.
    """
    ends = clopper_pearson(*share.effective(confidence), confidence)
    low, high = (share.lowest + (share.highest - share.lowest) * end for end in ends)
    return Interval(low, high, CLUSTERED if share.clusters else EXACT)


def around_mean(values: Sequence[float], intervals: Sequence[Interval]) -> Interval:
    """Combine intervals of groups, some of them exact, around their mean (Zou and Donner 2008).

    Each end takes the root of the summed squared distances to the groups' ends.
    """
    pairs, n = list(zip(values, intervals, strict=True)), len(values)
    down = sqrt(sum((value - interval.low) ** 2 for value, interval in pairs)) / n
    up = sqrt(sum((interval.high - value) ** 2 for value, interval in pairs)) / n
    mean = sum(values) / n
    method = next(one.method for one in intervals if one.method in WITHOUT_DRAWS)
    return Interval(mean - down, mean + up, method)
