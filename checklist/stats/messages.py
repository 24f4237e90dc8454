"""Estimates, bounds and counts as messages show them."""

from __future__ import annotations

from math import ceil, floor, isfinite, log10

from shakeproof.results import Bounds, Estimate

ROUNDING = 1e-6  # smaller numbers are rounding errors of scores, and shown as zero


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


def describe_undecided(bounds: Bounds, low: float, high: float) -> str:
    """Name the bounds that an interval includes, and those that it would pass and fail."""
    digits = max(2, digits_for(high - low) - 1)
    down, up = limit(round_down(low, digits)), limit(round_up(high, digits))
    over = bounds.high if bounds.high is not None and bounds.high < high else None
    under = bounds.low if bounds.low is not None and bounds.low > low else None
    if over is not None and under is not None:
        limits = f"{limit(under)} and {limit(over)}"
        return f"the interval includes the limits {limits}; limits of {down} and {up} would pass"
    if over is not None:
        included, passes, fails = over, up, limit(just_below(low, digits))
    else:
        included, passes, fails = under or 0.0, down, limit(just_above(high, digits))
    return (
        f"the interval includes the limit {limit(included)}; "
        f"a limit of {passes} would pass, {fails} would fail"
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
