"""How far an estimate lies from its bounds."""

from __future__ import annotations

from typing import NamedTuple

from shakeproof.results.values import Bounds, Change, Estimate, Result

ZERO = 1e-9  # a bound that is no larger has no share of itself


class Distance(NamedTuple):
    """A signed distance to the nearest bound; below 0 is outside."""

    value: float
    bound: float

    @property
    def relative(self) -> float:
        """Return the distance as a share of the bound, so that units compare."""
        return self.value / (abs(self.bound) if abs(self.bound) > ZERO else 1.0)


def distance_to_bound(value: float | None, bounds: Bounds) -> Distance | None:
    """Return the distance of a value to the bound that is nearest to it, or furthest exceeded."""
    if value is None:
        return None
    below = [] if bounds.low is None else [Distance(value - bounds.low, bounds.low)]
    above = [] if bounds.high is None else [Distance(bounds.high - value, bounds.high)]
    return min(below + above, default=None, key=lambda side: side.value)


def result_distance(result: Result) -> Distance | None:
    """Return the distance of a result's estimate to its bounds."""
    return distance_to_bound(result.estimate.value if result.estimate else None, result.bounds)


def in_half_widths(distance: float, estimate: Estimate) -> float | None:
    """Express a distance in half widths of the interval, which is how certain it is."""
    if estimate.low is None or estimate.high is None:
        return None
    return distance / max((estimate.high - estimate.low) / 2, 1e-12)


def certainty(change: Change | None) -> float:
    """Return how many half widths of its interval a change amounts to; 0 without an interval."""
    if change is None or change.estimate is None or change.estimate.value is None:
        return 0.0
    return in_half_widths(abs(change.estimate.value), change.estimate) or 0.0
