"""P-values of "the expectation holds", and their adjustment over the items of a run."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from shakeproof.results import Bounds, Estimate, Verdict
from shakeproof.stats.estimate import Sample
from shakeproof.stats.intervals import NORMAL, untail
from shakeproof.stats.observations import Vector
from shakeproof.stats.verdicts import Judgement

FEW = 10  # draws inside the bound: below that their share is too coarse, and normality serves
P = float | None  # None: the item has no p-value and is left out


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


def benjamini_hochberg(p: Sequence[P]) -> list[P]:
    """Give q-values: among failures with q <= 0.05, at most 1 in 20 is due to chance."""
    known, order = _sorted(p)
    m = len(order)
    stepped = known[order] * m / np.arange(1, m + 1)
    return _spread(p, order, np.minimum.accumulate(stepped[::-1])[::-1])


def holm(p: Sequence[P]) -> list[P]:
    """Give p-values after Holm's correction: those of any failure at all being due to chance."""
    known, order = _sorted(p)
    m = len(order)
    return _spread(p, order, np.maximum.accumulate(known[order] * np.arange(m, 0, -1)))


def after_holm(
    judgement: Judgement, adjusted: P, items: int, confidence: float = 0.95
) -> Judgement:
    """Take back a failure that does not survive Holm's correction over the run."""
    if judgement.verdict is not Verdict.FAIL or adjusted is None:
        return judgement
    if adjusted <= (1 - confidence) / 2:
        return judgement
    message = f"{judgement.message}, but not after Holm over {items} items (p {adjusted:.2g})"
    return replace(judgement, verdict=Verdict.INCONCLUSIVE, message=message)


def _sorted(p: Sequence[P]) -> tuple[Vector, list[int]]:
    known = np.array([np.inf if value is None else value for value in p], dtype=float)
    order = [int(at) for at in np.argsort(known, kind="stable") if p[at] is not None]
    return known, order


def _spread(p: Sequence[P], order: Sequence[int], adjusted: Vector) -> list[P]:
    found: list[P] = [None] * len(p)
    for at, value in zip(order, adjusted, strict=True):
        found[at] = min(1.0, float(value))
    return found
