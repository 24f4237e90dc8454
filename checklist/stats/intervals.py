"""Intervals from draws, or exact ones for shares of segments."""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt
from typing import NamedTuple

import numpy as np

from shakeproof.stats.drawing import Binomial
from shakeproof.stats.frame import Vector
from shakeproof.stats.shares import clopper_pearson
from shakeproof.stats.weights import NORMAL, tail

EXPANDED, BCA, EXACT = "expanded percentile", "BCa", "Clopper-Pearson"


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


def exact(shares: Sequence[Binomial], confidence: float) -> Interval:
    """Combine exact binomial intervals of groups around the mean of their shares.

    With one group this is Clopper and Pearson's interval; with several, each end takes the
    root of the summed squared distances to the groups' ends (Zou and Donner 2008).
    """
    values = [share.hits / share.trials for share in shares]
    ends = [clopper_pearson(share.hits, share.trials, confidence) for share in shares]
    mean, n = sum(values) / len(values), len(values)
    down = sqrt(sum((v - low) ** 2 for v, (low, _) in zip(values, ends, strict=True))) / n
    up = sqrt(sum((high - v) ** 2 for v, (_, high) in zip(values, ends, strict=True))) / n
    lowest, width = shares[0].lowest, shares[0].highest - shares[0].lowest
    return Interval(lowest + width * (mean - down), lowest + width * (mean + up), EXACT)
