"""How numbers, intervals, bounds and conditions are written in every kind of report."""

from __future__ import annotations

from shakeproof.results import Bounds, Estimate, Result, split_checklist_name

MINUS = "\N{MINUS SIGN}"
ABSENT = "\N{EN DASH}"
FEW = 0.5  # of the segments: a condition that changes fewer is flagged
TINIEST = 1e-300
FEW_DIGITS = 2  # with so few after the point, small numbers are rounded to zero
SMALLEST = 1e-6  # smaller numbers are floating-point noise, and written as zero
CLEAN_TEXTS = "clean texts"
FIELDS = {"candidate": "candidates", "reference": "references", "source": "sources"}


def number(value: float | None, digits: int = 3) -> str:
    """Write a number with a real minus sign; small ones keep two digits, unless few are asked."""
    if value is None:
        return ABSENT
    tiny = digits > FEW_DIGITS and SMALLEST <= abs(value) < 0.5 * 10**-digits
    text = f"{value:.1e}" if tiny else f"{value:.{1 if abs(value) >= 1000 else digits}f}"
    return text.removeprefix("-" if not float(text) else "").replace("-", MINUS)


def signed(value: float, digits: int) -> str:
    """Write a difference with its sign; one that rounds to zero has none."""
    text = f"{value:+.{digits}f}"
    return text.lstrip("+-") if not float(text) else text.replace("-", MINUS)


def p_value(p: float) -> str:
    """Write a p-value no more exactly than it is known."""
    return f"{p:.4f}" if p >= 0.0001 else "below 0.0001"


def brief(value: float | None) -> str:
    """Write a level or a bound as briefly as it was written in the checklist."""
    if value is None:
        return ABSENT
    return "0" if is_strict(value) else f"{value:.6g}".replace("-", MINUS)


def interval(estimate: Estimate | None, digits: int = 3) -> str:
    """Write the ends of an interval, or that there is none."""
    if estimate is None or estimate.low is None or estimate.high is None:
        return "no interval"
    return f"[{number(estimate.low, digits)}, {number(estimate.high, digits)}]"


def bound(bounds: Bounds) -> str:
    """Write where the estimate should lie, as in ≤ 0.1."""
    if bounds.low is None and bounds.high is None:
        return ABSENT
    if bounds.low is None:
        return f"{'<' if is_strict(bounds.high) else '≤'}\N{NO-BREAK SPACE}{brief(bounds.high)}"
    if bounds.high is None:
        return f"{'>' if is_strict(bounds.low) else '≥'}\N{NO-BREAK SPACE}{brief(bounds.low)}"
    return f"{brief(bounds.low)} to {brief(bounds.high)}"


def bound_in_words(bounds: Bounds) -> str:
    """Write a bound with its verb: at most is allowed, at least is required."""
    only_low = bounds.low is not None and bounds.high is None
    return f"{bound(bounds)} {'required' if only_low else 'allowed'}"


def is_strict(bound: float | None) -> bool:
    """Return whether a bound must not be reached; it is then the smallest number beside zero."""
    return bound is not None and 0 < abs(bound) < TINIEST


def split_aspect(coefficient: str) -> tuple[str, str]:
    """Return a coefficient, and the aspect whose ratings it is about; "" if about none."""
    name, _, aspect = coefficient.partition(" for ")
    return name, aspect


def quantity_with_unit(quantity: str, unit: str) -> str:
    """Name what an axis or a column shows."""
    return f"{quantity} ({unit})" if unit else quantity


def describe_condition(result: Result) -> str:
    """Name what was done to the texts: family, level and field; and one of separate data sets."""
    _, data_set = split_checklist_name(result.file)
    of_data = f" [{data_set}]" if data_set else ""
    if result.family is None:
        return f"{CLEAN_TEXTS}{of_data}"
    level = "" if result.level is None else f" {brief(result.level)}"
    return f"{result.family}{level}{describe_field(result)}{of_data}"


def describe_field(result: Result) -> str:
    """Name the perturbed field, and whether the perturbed texts came with the data."""
    field = f" in {FIELDS.get(result.field, result.field)}" if result.field else ""
    return f"{field} (precomputed)" if result.stored else field


def few_changed(result: Result) -> str:
    """Warn of a condition that left most of the data unchanged; "" if it did not."""
    realised = result.realised
    if realised is None or realised.segments >= FEW:
        return ""
    return f"only {realised.segments:.0%} of segments changed"


def split_names(sentence: str) -> list[tuple[bool, str]]:
    """Split a sentence at backticks into parts: whether it is a name, and its text."""
    return [(index % 2 == 1, part) for index, part in enumerate(sentence.split("`")) if part]


def clip(name: str, length: int) -> str:
    """Shorten a name to the room beside a chart."""
    return name if len(name) <= length else name[: length - 1] + "…"
