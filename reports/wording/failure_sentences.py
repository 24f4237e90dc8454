"""What a failed expectation says about a metric, in a sentence each. Names stand in backticks."""

from __future__ import annotations

from collections.abc import Callable

from shakeproof.reports.wording.format import allowed, number, plain
from shakeproof.reports.wording.margins import value
from shakeproof.results import Result


def charge(result: Result) -> str:
    """Say what went wrong."""
    return CHARGES.get(result.expectation, broken)(result)


def part(result: Result, *names: str) -> float | None:
    """Read a number shown beside the judged one, at the level that was judged."""
    found = (p for p in result.parts if p.name in names and not p.group)
    level = result.level
    parts = sorted(found, key=lambda p: (p.level == level, p.level or 0.0))
    return parts[-1].estimate.value if parts else None


def where(result: Result) -> str:
    """Name the condition, as in "under `visual` at level 0.3"."""
    if result.family is None:
        return ""
    level = "" if result.level is None else f" at level {plain(result.level)}"
    return f" under `{result.family}`{level}"


def loses_agreement(result: Result) -> str:
    """Tell of a correlation that falls."""
    clean, perturbed = part(result, "clean"), part(result, "perturbed")
    if clean is None or perturbed is None or result.family is None:
        return broken(result)
    level = "" if result.level is None else f" at level {plain(result.level)}"
    return (
        f"Loses agreement with people under `{result.family}`: "
        f"{result.coefficient or 'correlation'} falls from {number(clean, 2)} "
        f"to {number(perturbed, 2)}{level}."
    )


def agrees_too_little(result: Result) -> str:
    """Tell of a correlation that is low."""
    return (
        f"Agrees too little with people{where(result)}: {result.quantity} is "
        f"{number(value(result), 2)}, {allowed(result.bounds)} expected."
    )


def rewards_copying(result: Result) -> str:
    """Tell of a copied input that scores too well."""
    wins = part(result, "wins", "copy wins")
    share = "" if wins is None else f"; the copy wins on {wins:.0%} of inputs"
    better = (value(result) or 0.0) < 0
    lead = (
        "Prefers a copied input to the best paraphrases"
        if better
        else "Penalises a copied input too little"
    )
    return f"{lead}: penalty {measure(result)}, {allowed(result.bounds)} expected{share}."


def moves(result: Result) -> str:
    """Tell of scores that change though they should not."""
    return (
        f"Is swayed{where(result)}: scores move by {measure(result)}, "
        f"{allowed(result.bounds)} allowed."
    )


def overlooks(result: Result) -> str:
    """Tell of scores that stay though they should not."""
    return (
        f"Overlooks what it should punish{where(result)}: {result.quantity} is {measure(result)}, "
        f"{allowed(result.bounds)} expected."
    )


def broken(result: Result) -> str:
    """Tell of any other expectation that does not hold."""
    return f"Fails “{result.check}”{where(result)}: {result.message or result.statement}."


def measure(result: Result) -> str:
    """Write the estimate with its unit."""
    return f"{number(value(result), 2)} {result.unit}".strip()


CHARGES: dict[str, Callable[[Result], str]] = {
    "correlation_drop": loses_agreement,
    "correlation": agrees_too_little,
    "copy_penalty": rewards_copying,
    "score_change": moves,
    "score_drop": overlooks,
}
