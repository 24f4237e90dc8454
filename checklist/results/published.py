"""Whether a measured number agrees with a published one."""

from __future__ import annotations

from enum import StrEnum

from shakeproof.results.values import Published

MAX_DIGITS = 9
ROUNDING_ERROR = 1e-9  # of our own arithmetic, as a share of the last printed digit


class Agreement(StrEnum):
    """How a measured number compares with the published one."""

    EQUAL = "equal"  # to the printed digits
    WITHIN = "within the interval"  # the published number lies in the measured interval
    OUTSIDE = "outside the interval"
    DIFFERS = "differs"  # and there is no interval
    SUBSTITUTE = "measured with a substitute"
    PART = "measured on part of the data"
    NOT_MEASURED = "not measured"


def agreement(published: Published) -> Agreement:
    """Compare a published number with what was measured."""
    measured = published.measured
    if measured is None or measured.value is None:
        return Agreement.NOT_MEASURED
    if published.instead:
        return Agreement.SUBSTITUTE
    if published.part_of_data:
        return Agreement.PART
    if printed_alike(measured.value, published):
        return Agreement.EQUAL
    if measured.low is None or measured.high is None:
        return Agreement.DIFFERS
    half = 10.0 ** -printed_digits(published) / 2
    inside = measured.low - half <= published.value <= measured.high + half
    return Agreement.WITHIN if inside else Agreement.OUTSIDE


def printed_alike(value: float, published: Published) -> bool:
    """Return whether a value prints as the published one: most papers round, some cut off."""
    unit = 10.0 ** -printed_digits(published)
    difference = value - published.value
    away_from_zero = difference if published.value >= 0 else -difference
    rounded = abs(difference) <= unit / 2 * (1 + ROUNDING_ERROR)
    return rounded or 0 <= away_from_zero < unit * (1 - ROUNDING_ERROR)


def printed_digits(published: Published) -> int:
    """Return how many digits were printed after the point, within what numbers can have."""
    return min(max(published.digits, 0), MAX_DIGITS)
