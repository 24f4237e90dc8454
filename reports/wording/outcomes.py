"""How outcomes are shown, counted and ordered."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from shakeproof.results import Distance, Leaning, Outcome, Result, outcome_word, result_distance

COLOUR_STEPS = 4
LEANING_VERBS = ((Leaning.FAILS, "fails", "fail"), (Leaning.PASSES, "passes", "pass"))


@dataclass(frozen=True, slots=True)
class Sign:
    """How an outcome is shown: never by colour alone."""

    slug: str  # of the symbol and the colour
    word: str
    symbol: str
    rank: int  # 0 is the worst

    def words(self, number: int) -> str:
        """Return the word that follows a number of checks."""
        return outcome_word(number, Outcome(self.word))

    def count(self, number: int) -> str:
        """Write how many checks had this outcome."""
        return f"{number:,} {self.words(number)}"


SIGNS = {
    Outcome.FAILED: Sign("failed", "failed", "✗", 0),
    Outcome.ERROR: Sign("error", "error", "⚠", 1),
    Outcome.UNEXPECTED_PASS: Sign("unexpected", "unexpected pass", "‼", 2),
    Outcome.WARNED: Sign("warned", "warned", "!", 3),
    Outcome.KNOWN_FAILURE: Sign("known", "known failure", "⚑", 4),
    Outcome.UNDECIDED: Sign("undecided", "undecided", "?", 5),
    Outcome.SKIPPED: Sign("skipped", "skipped", "\N{EN DASH}", 6),
    Outcome.PASSED: Sign("passed", "passed", "✓", 7),
}


def count_outcomes(results: Iterable[Result]) -> list[tuple[Sign, int]]:
    """Count the outcomes that occurred, worst first."""
    counts = Counter(result.outcome for result in results)
    return [(sign, counts[outcome]) for outcome, sign in SIGNS.items() if counts[outcome]]


def count_leanings(results: Iterable[Result]) -> str:
    """Count the undecided results that probably fail and that probably pass; "" if none leans."""
    counts = Counter(result.leaning for result in results if result.outcome is Outcome.UNDECIDED)
    return ", ".join(
        f"{counts[leaning]} probably {singular if counts[leaning] == 1 else plural}"
        for leaning, singular, plural in LEANING_VERBS
        if counts[leaning]
    )


def worst_first(result: Result) -> tuple[int, float]:
    """Return a key that sorts results from worst to best: by outcome, then by distance."""
    distance = result_distance(result)
    return SIGNS[result.outcome].rank, 0.0 if distance is None else distance.relative


def worst_of(results: Iterable[Result]) -> Result | None:
    """Return the worst result that was not skipped."""
    ran = [result for result in results if result.outcome is not Outcome.SKIPPED]
    return min(ran, key=worst_first, default=None)


def colour_step(distance: Distance | None) -> int:
    """Grade a distance for colour, from 1 at the bound to 4 as far from it as zero is."""
    if distance is None:
        return 1
    return 1 + int(min(abs(distance.relative) * COLOUR_STEPS, COLOUR_STEPS - 1))  # may be infinite
