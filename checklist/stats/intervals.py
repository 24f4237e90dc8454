"""Intervals from draws: studentised, expanded percentile, BCa."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt
from statistics import NormalDist
from typing import NamedTuple

import numpy as np

from shakeproof.results import Estimate
from shakeproof.stats.observations import Matrix, Statistic, Vector

NORMAL = NormalDist()
STUDENTISED, EXPANDED, BCA = "studentised bootstrap", "expanded percentile", "BCa"
METHODS = {"studentised": STUDENTISED, "expanded": EXPANDED, "bca": BCA}  # in a checklist
EXACT, CLUSTERED = "Clopper-Pearson", "Korn-Graubard"
RULE_OF_THREE, PREDICTION = "rule of three", "prediction interval"
WITHOUT_DRAWS = (EXACT, CLUSTERED, RULE_OF_THREE)
MIN_FREEDOM = 4.0  # degrees that even influences with very long tails keep
MAX_LOST = 0.05  # of what a correlation of means lacks to 1: what noise may account for
STEPS_WIDTH = 3  # times the width below a correlation in steps: what noise may account for
LEAST_TOTAL = 0.25  # of a sum that is never negative, however much noise is added
LEAST_REACH = 0.01  # of a prediction to either side; chosen by simulation
STRETCH = 1.0  # chosen by simulation, benchmarks/coverage.py


@dataclass(frozen=True, slots=True)
class IntervalTraits:
    """What the interval of a statistic has to allow for."""

    stretch: float = STRETCH
    noise_lowers: bool = False  # a correlation of means is lower the fewer segments there are
    in_steps: bool = False  # it moves in steps, so draws have no errors of their own
    predicts: bool = False  # it bends within its own error: see as_new_data


USUAL = IntervalTraits()


def interval_traits(statistic: Statistic) -> IntervalTraits:
    """Return what the interval has to allow for: as the coefficient says, if there is one."""
    source = getattr(statistic, "coefficient", statistic)
    traits: IntervalTraits = getattr(source, "interval_traits", USUAL)
    return traits


def two_sided_z(confidence: float) -> float:
    """Return the normal quantile of a two-sided interval: 1.96 for 0.95."""
    return NORMAL.inv_cdf((1 + confidence) / 2)


def standard_error_of(estimate: Estimate) -> float:
    """Return the standard error that the width of an interval implies; NaN without one."""
    if estimate.low is None or estimate.high is None:
        return float("nan")
    width = estimate.high - estimate.low
    if estimate.method == STUDENTISED:
        width /= stretch(estimate.segments)
    return width / (2 * two_sided_z(estimate.confidence))


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


def t_quantile(confidence: float, freedom: float) -> float:
    """Return the quantile of a two-sided interval by Student's t."""
    from scipy.special import stdtrit

    return float(stdtrit(freedom, (1 + confidence) / 2))


def stretch(segments: float, amount: float = STRETCH) -> float:
    """Return the factor that intervals are widened by, for what skewness leaves uncorrected."""
    return 1 + amount / sqrt(segments)


def standard_error(influence: Vector) -> float:
    """Return the standard error that influences imply."""
    n = len(influence)
    return float(influence.std(ddof=1) / sqrt(n)) if n > 1 else float("nan")


def freedom_of(influence: Vector) -> float:
    """Return the degrees of freedom of the standard error, fewer if influences have long tails."""
    n = len(influence)
    away = influence - influence.mean()
    variance = float((away * away).mean())
    if variance == 0:
        return max(n - 1.0, 1.0)
    kurtosis = float((away**4).mean()) / variance**2
    return min(n - 1.0, max(MIN_FREEDOM, 2 * n / (kurtosis - 1 + 2 / n)))


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


def as_new_data(drawn: Matrix, sums: Matrix) -> Matrix:
    """Enlarge the noise of drawn totals as if they were totals of new data, as far as is known.

    New data differ from the truth as much as the data at hand do, so twice the variance. `drawn`
    is (draws, ..., k), `sums` (..., segments, k). What is never negative stays positive.
    """
    total = sums.sum(axis=-2)
    least = np.where(sums.min(axis=-2) >= 0, total * LEAST_TOTAL, -np.inf)
    enlarged: Matrix = np.maximum(total + sqrt(2) * (drawn - total), least)
    return enlarged


def prediction(draws: Vector, value: float, confidence: float, segments: int) -> Interval:
    """Take the percentiles of draws as new data, or their mirror images if these lie further out.

    Draws lie to one side of the value where noise lowers it, and the truth may lie on the other.
    Where they hardly move, as p-values near 0 do, they do not show how far new data would.
    """
    low, high, *_ = expanded(draws, confidence, segments)
    reach = LEAST_REACH if np.ptp(draws) else 0.0
    return Interval(
        min(low, 2 * value - high, value - reach),
        max(high, 2 * value - low, value + reach),
        PREDICTION,
    )


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


def reach_one(interval: Interval, value: float, mean: float, *, in_steps: bool) -> Interval:
    """Let the interval of a correlation of means end at 1 where noise may be all it lacks.

    Noise in the means lowers a correlation, and draws have it twice: so far as their mean lies
    below the value, so far may the value lie below the truth. Of a value that moves in steps they
    do not show it, so three times the width below it is taken.
    """
    lost, lacking = abs(value) - abs(mean), 1 - abs(value)
    width = value - interval.low if value > 0 else interval.high - value
    if lost <= MAX_LOST * lacking and not (in_steps and lacking <= STEPS_WIDTH * width):
        return interval
    note = "the means of systems are too noisy to tell the correlation from 1"
    low, high = (interval.low, 1.0) if value > 0 else (-1.0, interval.high)
    return interval._replace(low=low, high=high, note=note)


def within_one(interval: Interval) -> Interval:
    """Cut off what no correlation can be: below -1 or above 1."""
    return interval._replace(low=max(interval.low, -1.0), high=min(interval.high, 1.0))


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
