"""Estimates, bounds and counts as messages show them."""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil, floor, isfinite, log10

from shakeproof.results import Bounds, Estimate

NOISE = 1e-6  # below it numbers are rounding errors of scores, and shown as zero


def figure(value: float, digits: int = 3) -> str:
    """Show a number with `digits` decimals, never as minus zero."""
    shown = f"{value:.{digits}f}"
    return shown.lstrip("-") if float(shown) == 0 else shown


def limit(value: float) -> str:
    """Show a bound with two decimals, or with as many as it was written with."""
    return figure(value, 2) if abs(round(value, 2) - value) < 1e-12 else f"{value:.6g}"


def count(number: int, noun: str) -> str:
    """Show a number of things: 7,159 scores, 1 score."""
    one = noun.removesuffix("s")
    return f"{number:,} {one if number == 1 else one + 's'}"


def digits_for(width: float) -> int:
    """Choose decimals such that an interval of this width has two digits, at least three."""
    if not isfinite(width) or width <= 0:
        return 3
    return min(max(3, 1 - floor(log10(width))), 8)


def round_up(value: float, digits: int) -> float:
    """Give the next number with so many decimals that is not below."""
    return float(ceil(_shift(value, digits)) / 10**digits)


def round_down(value: float, digits: int) -> float:
    """Give the next number with so many decimals that is not above."""
    return float(floor(_shift(value, digits)) / 10**digits)


def just_below(value: float, digits: int) -> float:
    """Give the next number with so many decimals that is truly below."""
    return float((ceil(_shift(value, digits)) - 1) / 10**digits)


def just_above(value: float, digits: int) -> float:
    """Give the next number with so many decimals that is truly above."""
    return float((floor(_shift(value, digits)) + 1) / 10**digits)


def _shift(value: float, digits: int) -> float:
    return round(float(value * 10**digits), 6)  # 0.29 * 100 is 28.999999999999996


def two_digits(number: float) -> int:
    """Round a count up to two digits."""
    scale = 10 ** max(0, floor(log10(max(number, 1))) - 1)
    return int(ceil(round(number / scale, 6)) * scale)


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
