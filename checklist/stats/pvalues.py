"""P-values of "the expectation holds", and their adjustment over the items of a run."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TypeAlias

import numpy as np

from shakeproof.results import Bounds, Estimate, Verdict
from shakeproof.stats.estimate import Sample
from shakeproof.stats.intervals import NORMAL, PREDICTION, WITHOUT_DRAWS, two_sided_z, untail
from shakeproof.stats.observations import Vector
from shakeproof.stats.studentised import Pivots
from shakeproof.stats.verdicts import Judgement

PValue: TypeAlias = float | None  # None: the item has no p-value and is left out

FEW = 10  # draws inside the bound: with fewer their share is too coarse, and the normal is used


def violated_bound(bounds: Bounds, value: float) -> float | None:
    """Return the bound that the value violates, if any."""
    if bounds.high is not None and value > bounds.high:
        return bounds.high
    if bounds.low is not None and value < bounds.low:
        return bounds.low
    return None


def p_value(bounds: Bounds, sample: Sample) -> PValue:
    """Return how likely draws this far outside are if the value lay at the violated bound.

    The inverse of how intervals are made: p <= 2.5 % where a 95 % interval lies outside.
    """
    estimate, n = sample.estimate, sample.effective
    if estimate.value is None or estimate.low is None or estimate.high is None:
        return None
    bound = violated_bound(bounds, estimate.value)
    if bound is None or not len(sample.draws) or estimate.method in (*WITHOUT_DRAWS, PREDICTION):
        return p_value_from_interval(bounds, estimate)
    if sample.pivots is not None:
        p = pivotal_p_value(bound, sample.pivots)
        undecided = estimate.low <= bound <= estimate.high  # the interval may reach up to 1
        return max(p, p_value_from_interval(bounds, estimate) or 0.0) if undecided else p
    above = estimate.value > bound
    inside = int((sample.draws <= bound).sum() if above else (sample.draws >= bound).sum())
    if inside >= FEW:
        return untail((1 + inside) / (len(sample.draws) + 1), n)
    if sample.se == 0:
        return 0.0
    return untail(NORMAL.cdf(-abs(estimate.value - bound) / sample.se), n)


def pivotal_p_value(bound: float, pivots: Pivots) -> float:
    """Return the larger p-value of the studentised bootstrap and of Student's t."""
    from scipy.special import stdtr

    reach, above = pivots.distance(bound), pivots.value > bound
    by_t = float(stdtr(pivots.freedom, -reach))
    beyond = int((pivots.pivots >= reach).sum() if above else (pivots.pivots <= -reach).sum())
    return by_t if beyond < FEW else max(by_t, (1 + beyond) / (len(pivots.pivots) + 1))


def p_value_from_interval(bounds: Bounds, estimate: Estimate) -> PValue:
    """Read p off the end of the interval on the violated bound's side; 1 if none is violated."""
    if estimate.value is None or estimate.low is None or estimate.high is None:
        return None
    bound = violated_bound(bounds, estimate.value)
    if bound is None:
        return 1.0
    end = estimate.low if estimate.value > bound else estimate.high
    reach = abs(estimate.value - end)
    if reach == 0:
        return 0.0
    return NORMAL.cdf(-two_sided_z(estimate.confidence) * abs(estimate.value - bound) / reach)


def bonferroni(p: Sequence[PValue]) -> PValue:
    """Return the smallest p-value of several claims of one item, times their number."""
    known = [value for value in p if value is not None]
    return min(1.0, min(known) * len(known)) if known else None


def benjamini_hochberg(p: Sequence[PValue]) -> list[PValue]:
    """Return q-values: among failures with q <= 0.05, at most 1 in 20 is due to chance."""
    known, order = _sorted(p)
    m = len(order)
    stepped = known[order] * m / np.arange(1, m + 1)
    return _in_place(p, order, np.minimum.accumulate(stepped[::-1])[::-1])


def holm(p: Sequence[PValue]) -> list[PValue]:
    """Return p-values after Holm's correction: of any failure at all being due to chance."""
    known, order = _sorted(p)
    m = len(order)
    return _in_place(p, order, np.maximum.accumulate(known[order] * np.arange(m, 0, -1)))


def after_holm(
    judgement: Judgement, adjusted: PValue, items: int, confidence: float = 0.95
) -> Judgement:
    """Make a failure undecided that does not survive Holm's correction over the run."""
    if judgement.verdict is not Verdict.FAIL or adjusted is None:
        return judgement
    if adjusted <= (1 - confidence) / 2:
        return judgement
    message = f"{judgement.message}, but not after Holm over {items} items (p {adjusted:.2g})"
    return replace(judgement, verdict=Verdict.INCONCLUSIVE, message=message)


def _sorted(p: Sequence[PValue]) -> tuple[Vector, list[int]]:
    """Return the p-values, infinite where there is none, and the order of those that exist."""
    known = np.array([np.inf if value is None else value for value in p], dtype=float)
    order = [int(place) for place in np.argsort(known, kind="stable") if p[place] is not None]
    return known, order


def _in_place(p: Sequence[PValue], order: Sequence[int], adjusted: Vector) -> list[PValue]:
    """Return sorted p-values to the places of the items they belong to."""
    by_item: list[PValue] = [None] * len(p)
    for place, value in zip(order, adjusted, strict=True):
        by_item[place] = min(1.0, float(value))
    return by_item
