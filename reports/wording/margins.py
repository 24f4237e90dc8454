"""How far an estimate lies from where it should."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from shakeproof.reports.wording.format import SIGNS
from shakeproof.results import Estimate, Outcome, Result

STEPS = 4  # of colour strength
ZERO = 1e-9  # a strict bound at zero is the smallest number above it


@dataclass(frozen=True, slots=True)
class Margin:
    """A signed distance to the nearest bound; below zero is outside."""

    value: float
    bound: float

    @property
    def relative(self) -> float:
        """Express the distance as a share of the bound, so that units compare."""
        return self.value / (abs(self.bound) if abs(self.bound) > ZERO else 1.0)

    @property
    def step(self) -> int:
        """Grade the distance for colour, from 1 at the bound to 4 as far off as from zero."""
        return 1 + min(int(abs(self.relative) * STEPS), STEPS - 1)


def value(result: Result) -> float | None:
    """Read the estimate, if there is one."""
    return None if result.estimate is None else result.estimate.value


def margin(result: Result) -> Margin | None:
    """Measure the distance of the estimate to the nearest bound."""
    if result.estimate is None or result.estimate.value is None:
        return None
    value, low, high = result.estimate.value, result.bounds.low, result.bounds.high
    sides = [] if low is None else [Margin(value - low, low)]
    sides += [] if high is None else [Margin(high - value, high)]
    return min(sides, key=lambda side: side.value, default=None)


def certainty(change: Estimate | None) -> float:
    """Measure a change in half widths of its interval."""
    if change is None or change.value is None or change.low is None or change.high is None:
        return 0.0
    return abs(change.value) / max((change.high - change.low) / 2, 1e-12)


def badness(result: Result) -> tuple[int, float]:
    """Order results from worst to best: by outcome, then by margin."""
    side = margin(result)
    return SIGNS[result.outcome].rank, 0.0 if side is None else side.relative


def worst(results: Iterable[Result]) -> Result | None:
    """Pick the result that says most against a metric."""
    judged = [result for result in results if result.outcome is not Outcome.SKIPPED]
    return min(judged, key=badness, default=None)
