"""How numbers, outcomes and names are said, in every kind of report."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from shakeproof.results import Bounds, Estimate, Outcome, Result

MINUS = "\N{MINUS SIGN}"
ABSENT = "\N{EN DASH}"
FEW = 0.5  # of the segments: a condition that changes fewer is flagged
TINIEST = 1e-300
SMALLEST = 1e-6  # below it a number is noise of floating point, and written as zero


@dataclass(frozen=True, slots=True)
class Sign:
    """How an outcome is shown: never by colour alone."""

    slug: str
    word: str
    symbol: str
    rank: int  # 0 is the worst
    verb: str  # as in "3 checks fail"
    verb_of_one: str


SIGNS = {
    Outcome.FAILED: Sign("failed", "failed", "✗", 0, "fail", "fails"),
    Outcome.ERROR: Sign("error", "error", "⚠", 1, "could not be judged", "could not be judged"),
    Outcome.UNEXPECTED_PASS: Sign(
        "unexpected", "unexpected pass", "‼", 2, "pass unexpectedly", "passes unexpectedly"
    ),
    Outcome.WARNED: Sign("warned", "warned", "!", 3, "warn", "warns"),
    Outcome.KNOWN_FAILURE: Sign(
        "known", "known failure", "⚑", 4, "fail as known", "fails as known"
    ),
    Outcome.UNDECIDED: Sign("undecided", "undecided", "?", 5, "are undecided", "is undecided"),
    Outcome.SKIPPED: Sign("skipped", "skipped", ABSENT, 6, "were skipped", "was skipped"),
    Outcome.PASSED: Sign("passed", "passed", "✓", 7, "pass", "passes"),
}


def number(value: float | None, digits: int = 3) -> str:
    """Write a number with a real minus sign; small ones keep two digits."""
    if value is None:
        return ABSENT
    tiny = SMALLEST <= abs(value) < 0.5 * 10**-digits
    text = f"{value:.1e}" if tiny else f"{value:.{1 if abs(value) >= 1000 else digits}f}"
    return text.removeprefix("-" if not float(text) else "").replace("-", MINUS)


def significance(p: float) -> str:
    """Write a p-value no more exactly than it is known."""
    return f"{p:.4f}" if p >= 0.0001 else "below 0.0001"


def plain(value: float | None) -> str:
    """Write a level or a bound as briefly as it was asked for."""
    if value is None:
        return ABSENT
    return "0" if strict(value) else f"{value:.6g}".replace("-", MINUS)


def span(estimate: Estimate | None, digits: int = 3) -> str:
    """Write the ends of an interval, or say that there is none."""
    if estimate is None or estimate.low is None or estimate.high is None:
        return "no interval"
    return f"[{number(estimate.low, digits)}, {number(estimate.high, digits)}]"


def allowed(bounds: Bounds) -> str:
    """Say where the estimate should lie."""
    if bounds.low is None and bounds.high is None:
        return ABSENT
    if bounds.low is None:
        return f"{'<' if strict(bounds.high) else '≤'}\N{NO-BREAK SPACE}{plain(bounds.high)}"
    if bounds.high is None:
        return f"{'>' if strict(bounds.low) else '≥'}\N{NO-BREAK SPACE}{plain(bounds.low)}"
    return f"{plain(bounds.low)} to {plain(bounds.high)}"


def strict(bound: float | None) -> bool:
    """Tell a bound that must not be reached: the smallest number beside zero."""
    return bound is not None and 0 < abs(bound) < TINIEST


def cell(result: Result) -> str:
    """Name what was done to the texts: family, level and field."""
    if result.family is None:
        return "clean texts"
    level = "" if result.level is None else f" {plain(result.level)}"
    return f"{result.family}{level}{condition_tail(result)}"


def few_changed(result: Result) -> str:
    """Warn of a condition that left most of the data alone; "" if it did not."""
    done = result.realised
    changed_few = done is not None and done.segments < FEW
    return f"only {done.segments:.0%} of segments changed" if done and changed_few else ""


def condition_tail(result: Result) -> str:
    """Name the perturbed field, and that the texts came with the data."""
    field = f" on {result.field}" if result.field else ""
    return f"{field}, stored" if result.stored else field


def many(count: int, one: str, several: str | None = None) -> str:
    """Count things in words: 1 check, 3 checks."""
    return f"{count:,} {one if count == 1 else several or one + 's'}"


def ticked(sentence: str) -> list[tuple[bool, str]]:
    """Split a sentence at backticks: names, and the words between them."""
    return [(index % 2 == 1, part) for index, part in enumerate(sentence.split("`")) if part]


def tally(results: Iterable[Result]) -> list[tuple[Sign, int]]:
    """Count the outcomes that occurred, worst first."""
    counts = Counter(result.outcome for result in results)
    return [(sign, counts[outcome]) for outcome, sign in SIGNS.items() if counts[outcome]]
