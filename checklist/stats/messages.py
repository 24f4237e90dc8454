"""Estimates, bounds and counts as messages show them."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil, floor, isfinite, log10

from shakeproof.results import Bounds, Estimate, Part, PartName

ROUNDING = 1e-6  # smaller numbers are rounding errors of scores, and shown as zero
BEFORE_AND_AFTER = (("then", "now"), (PartName.CLEAN, PartName.PERTURBED))


def describe_estimate(estimate: Estimate, label: str = "value", unit: str = "") -> str:
    """Write an estimate with its interval and unit: drop 0.183 [0.160, 0.206] spreads."""
    if estimate.value is None:
        return f"{label} undefined"
    low, high = estimate.low, estimate.high
    width = 0.0 if low is None or high is None else high - low
    rounding = max(abs(estimate.value), width) < ROUNDING
    digits = digits_for(0.0 if rounding else width)
    words = [label, figure(estimate.value, digits)]
    if low is not None and high is not None:
        words.append(f"[{figure(low, digits)}, {figure(high, digits)}]")
    return " ".join([*words, unit] if unit else words)


def describe_side(bounds: Bounds, low: float, high: float) -> str:
    """Write how an interval on one side of the bounds compares with them: > 0.10 allowed."""
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


def describe_limits(bounds: Bounds) -> str:
    """Write the bounds of an undecided check: 0.10 allowed, 0.50 required."""
    if bounds.low is not None and bounds.high is not None:
        return f"{limit(bounds.low)} to {limit(bounds.high)} allowed"
    if bounds.high is not None:
        return f"{limit(bounds.high)} allowed"
    return f"{limit(bounds.low or 0.0)} required"


def describe_deciding_limits(bounds: Bounds, low: float, high: float) -> str:
    """Name the limits that an interval would pass and fail."""
    digits = max(2, digits_for(high - low) - 1)
    down, up = limit(round_down(low, digits)), limit(round_up(high, digits))
    over = bounds.high is not None and bounds.high < high
    under = bounds.low is not None and bounds.low > low
    if over and under:
        return f"limits of {down} and {up} would pass"
    if over:
        return f"a limit of {up} would pass, {limit(just_below(low, digits))} would fail"
    return f"a limit of {down} would pass, {limit(just_above(high, digits))} would fail"


def describe_course(parts: Sequence[Part]) -> str:
    """Write the clean and the perturbed number, the latter at the highest level; "" without both.

    A comparison with a stored run has the number then and now instead.
    """
    for before, after in BEFORE_AND_AFTER:
        first, last = _numbers(parts, before), _numbers(parts, after)
        if first and last:
            level = f" at level {last[-1][0]:g}" if len(last) > 1 else ""
            return f"{figure(first[0][1])} → {figure(last[-1][1])}{level}"
    return ""


def _numbers(parts: Sequence[Part], name: str) -> list[tuple[float, float]]:
    """Return level and value of the parts of that name over all groups, by level."""
    return sorted(
        (part.level or 0.0, part.estimate.value)
        for part in parts
        if part.name == name and not part.group and part.estimate.value is not None
    )


def figure(value: float, digits: int = 3) -> str:
    """Write a number with `digits` decimals, never as minus zero."""
    shown = f"{value:.{digits}f}"
    return shown.lstrip("-") if float(shown) == 0 else shown


def limit(value: float) -> str:
    """Write a bound with two decimals, or with as many as it was written with."""
    return figure(value, 2) if abs(round(value, 2) - value) < 1e-12 else f"{value:.6g}"


def digits_for(width: float) -> int:
    """Choose decimals such that an interval of this width has two digits, at least three."""
    if not isfinite(width) or width <= 0:
        return 3
    return min(max(3, 1 - floor(log10(width))), 8)


def round_up(value: float, digits: int) -> float:
    """Return the smallest number with so many decimals that is not below `value`."""
    return float(ceil(_shift(value, digits)) / 10**digits)


def round_down(value: float, digits: int) -> float:
    """Return the largest number with so many decimals that is not above `value`."""
    return float(floor(_shift(value, digits)) / 10**digits)


def just_below(value: float, digits: int) -> float:
    """Return the largest number with so many decimals that is below `value`."""
    return float((ceil(_shift(value, digits)) - 1) / 10**digits)


def just_above(value: float, digits: int) -> float:
    """Return the smallest number with so many decimals that is above `value`."""
    return float((floor(_shift(value, digits)) + 1) / 10**digits)


def _shift(value: float, digits: int) -> float:
    return round(float(value * 10**digits), 6)  # 0.29 * 100 is 28.999999999999996


def two_digits(number: float) -> int:
    """Round a count up to two digits."""
    scale = 10 ** max(0, floor(log10(max(number, 1))) - 1)
    return int(ceil(round(number / scale, 6)) * scale)
