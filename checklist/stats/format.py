"""Numbers as messages show them."""

from __future__ import annotations

from math import ceil, floor, isfinite, log10


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
