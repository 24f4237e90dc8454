"""One sentence for a failed check, by its expectation. Names stand in backticks."""

from __future__ import annotations

from collections.abc import Callable

from shakeproof.reports.estimates import part_estimate, value_of
from shakeproof.reports.wording.format import bound_in_words, brief, number
from shakeproof.results import PartName, Result


def describe_failure(result: Result) -> str:
    """Write what went wrong."""
    return BY_EXPECTATION.get(result.expectation, other_failure)(result)


def under_condition(result: Result) -> str:
    """Name the condition, as in " under `visual` at level 0.3"."""
    if result.family is None:
        return ""
    level = "" if result.level is None else f" at level {brief(result.level)}"
    return f" under `{result.family}`{level}"


def correlation_falls(result: Result) -> str:
    """Describe a correlation that falls too far."""
    clean = part_estimate(result, PartName.CLEAN)
    perturbed = part_estimate(result, PartName.PERTURBED)
    if clean is None or perturbed is None or result.family is None:
        return other_failure(result)
    return (
        f"Loses agreement with human ratings{under_condition(result)}: "
        f"{result.coefficient or 'correlation'} falls from {number(clean.value, 2)} "
        f"to {number(perturbed.value, 2)}."
    )


def correlation_is_low(result: Result) -> str:
    """Describe a correlation that is too low."""
    return (
        f"Agrees too little with human ratings{under_condition(result)}: {result.quantity} is "
        f"{number(value_of(result), 2)}, {bound_in_words(result.bounds)}."
    )


def copy_scores_high(result: Result) -> str:
    """Describe a copied input that scores too high."""
    wins = part_estimate(result, PartName.COPY_WINS)
    share = (
        ""
        if wins is None
        else f"; the copy scores above the best-rated candidates for {wins.value:.0%} of inputs"
    )
    preferred = (value_of(result) or 0.0) < 0
    problem = (
        "Scores a copied input above the best paraphrases"
        if preferred
        else "Penalises a copied input too little"
    )
    return f"{problem}: penalty {with_unit(result)}, {bound_in_words(result.bounds)}{share}."


def scores_change(result: Result) -> str:
    """Describe scores that change although they should not."""
    return (
        f"Scores change too much{under_condition(result)}: by {with_unit(result)}, "
        f"{bound_in_words(result.bounds)}."
    )


def scores_stay(result: Result) -> str:
    """Describe scores that do not drop although they should."""
    return (
        f"Penalises too little{under_condition(result)}: {result.quantity} is {with_unit(result)}, "
        f"{bound_in_words(result.bounds)}."
    )


def other_failure(result: Result) -> str:
    """Describe the failure of any other expectation."""
    message = result.message or result.statement
    return f"Fails “{result.check}”{under_condition(result)}: {message}."


def with_unit(result: Result) -> str:
    """Write the estimate with its unit."""
    return f"{number(value_of(result), 2)} {result.unit}".strip()


BY_EXPECTATION: dict[str, Callable[[Result], str]] = {
    "correlation_drop": correlation_falls,
    "correlation": correlation_is_low,
    "copy_penalty": copy_scores_high,
    "score_change": scores_change,
    "score_drop": scores_stay,
}
