"""How an estimate and its bounds are put into one line."""

from __future__ import annotations

from dataclasses import dataclass

from shakeproof.results import Bounds, Estimate
from shakeproof.stats.format import (
    digits_for,
    figure,
    just_above,
    just_below,
    limit,
    round_down,
    round_up,
)

NOISE = 1e-6  # below it numbers are rounding errors of scores, and shown as zero


@dataclass(frozen=True, slots=True)
class Words:
    """How the estimate is called in messages."""

    noun: str = "value"
    unit: str = ""

    def state(self, found: Estimate) -> str:
        """Write the number with its interval and unit."""
        if found.value is None:
            return f"{self.noun} undefined"
        width = 0.0 if found.low is None or found.high is None else found.high - found.low
        noise = max(abs(found.value), width) < NOISE
        digits = digits_for(0.0 if noise else width)
        parts = [self.noun, figure(found.value, digits)]
        if found.low is not None and found.high is not None:
            parts.append(f"[{figure(found.low, digits)}, {figure(found.high, digits)}]")
        return " ".join([*parts, self.unit] if self.unit else parts)


def side(bounds: Bounds, low: float, high: float) -> str:
    """Write the comparison that holds of an interval on one side of the bounds."""
    if bounds.high is not None and low > bounds.high:
        return f"> {limit(bounds.high)} allowed"
    if bounds.low is not None and high < bounds.low:
        return f"< {limit(bounds.low)} required"
    if bounds.low is not None and bounds.high is not None:
        return f"within {limit(bounds.low)} to {limit(bounds.high)}"
    if bounds.high is not None:
        return f"≤ {limit(bounds.high)} allowed"
    if bounds.low is not None:
        return f"≥ {limit(bounds.low)} required"
    raise ValueError("no bound to judge by")


def straddle(bounds: Bounds, low: float, high: float) -> str:
    """Name the straddled bounds and those that this very interval would pass and fail."""
    digits = max(2, digits_for(high - low) - 1)
    down, up = limit(round_down(low, digits)), limit(round_up(high, digits))
    over = bounds.high if bounds.high is not None and bounds.high < high else None
    under = bounds.low if bounds.low is not None and bounds.low > low else None
    if over is not None and under is not None:
        return f"straddles {limit(under)} and {limit(over)}; {down} to {up} would pass"
    if over is not None:
        fails = limit(just_below(low, digits))
        return f"straddles {limit(over)} allowed; at_most {up} would pass, {fails} fail"
    fails = limit(just_above(high, digits))
    return f"straddles {limit(under or 0.0)} required; at_least {down} would pass, {fails} fail"
