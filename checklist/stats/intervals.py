"""Intervals from draws, or exact ones for shares of segments."""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt
from typing import NamedTuple

import numpy as np

from shakeproof.stats.kinds.shares import Binomial, clopper_pearson
from shakeproof.stats.observations import Vector
from shakeproof.stats.weights import NORMAL, tail

EXPANDED, BCA, EXACT, CLUSTERED = "expanded percentile", "BCa", "Clopper-Pearson", "Korn-Graubard"
METHODS = {"expanded": EXPANDED, "bca": BCA}  # what a checklist may ask for
UNDRAWN = (EXACT, CLUSTERED)  # found without draws


class Interval(NamedTuple):
    """Two ends, and how they were found."""

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
    """Correct percentiles for bias and acceleration (Efron 1987), or say why that is impossible.

    Below 100 segments it misses more often than the expanded percentile; it helps with very
    skewed means.
    """
    below = float((draws < value).mean() + (draws == value).mean() / 2)
    away = influence - influence.mean()
    squares = float((away * away).sum())
    if not 0 < below < 1 or squares == 0 or np.ptp(draws) == 0:
        found = expanded(draws, confidence, segments)
        return found._replace(note="BCa is undefined here; expanded percentile instead")
    bias, pull = NORMAL.inv_cdf(below), float((away**3).sum()) / (6 * squares**1.5)
    ends = [_corrected(z, bias, pull) for z in _normal_ends(confidence)]
    low, high = np.quantile(draws, ends)
    return Interval(float(low), float(high), BCA)


def _normal_ends(confidence: float) -> tuple[float, float]:
    z = NORMAL.inv_cdf((1 + confidence) / 2)
    return -z, z


def _corrected(z: float, bias: float, pull: float) -> float:
    return NORMAL.cdf(bias + (bias + z) / (1 - pull * (bias + z)))


def exact(share: Binomial, confidence: float) -> Interval:
    """Give Clopper and Pearson's interval, or Korn and Graubard's where segments come in clusters.

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
    down = sqrt(sum((value - one.low) ** 2 for value, one in pairs)) / n
    up = sqrt(sum((one.high - value) ** 2 for value, one in pairs)) / n
    mean = sum(values) / n
    method = next(one.method for one in intervals if one.method in UNDRAWN)
    return Interval(mean - down, mean + up, method)
