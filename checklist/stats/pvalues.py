"""The p-value of "the expectation holds"."""

from __future__ import annotations

from shakeproof.results import Bounds, Estimate
from shakeproof.stats.estimate import Sample
from shakeproof.stats.weights import NORMAL, untail

FEW = 10  # draws inside the bound: below that their share is too coarse, and normality serves


def violated(bounds: Bounds, value: float) -> float | None:
    """Give the bound that the value violates, if any."""
    if bounds.high is not None and value > bounds.high:
        return bounds.high
    if bounds.low is not None and value < bounds.low:
        return bounds.low
    return None


def chance(bounds: Bounds, sample: Sample) -> float | None:
    """Say how likely draws this far outside are if the value lay at the violated bound.

    The inverse of how intervals are made: p <= 2.5 % where a 95 % interval lies outside.
    """
    found, n = sample.estimate, sample.effective
    if found.value is None or found.low is None or found.high is None:
        return None
    bound = violated(bounds, found.value)
    if bound is None:
        return 1.0
    if not len(sample.draws):
        return chance_from_interval(found, bound)
    above = found.value > bound
    inside = int((sample.draws <= bound).sum() if above else (sample.draws >= bound).sum())
    if inside >= FEW:
        return untail((1 + inside) / (len(sample.draws) + 1), n)
    if sample.se == 0:
        return 0.0
    return untail(NORMAL.cdf(-abs(found.value - bound) / sample.se), n)


def chance_from_interval(found: Estimate, bound: float) -> float:
    """Read p off the end of the interval on the bound's side, where there are no draws."""
    if found.value is None or found.low is None or found.high is None:
        raise ValueError("no interval to read a p-value from")
    end = found.low if found.value > bound else found.high
    reach = abs(found.value - end)
    if reach == 0:
        return 0.0
    z = NORMAL.inv_cdf((1 + found.confidence) / 2)
    return NORMAL.cdf(-z * abs(found.value - bound) / reach)
