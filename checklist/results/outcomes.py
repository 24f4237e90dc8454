"""The outcome of an item: one rule for pytest, Python and studies."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from shakeproof.results.names import Outcome, Severity, Verdict
from shakeproof.results.plurals import counted
from shakeproof.results.values import Result

NOUNS = (Outcome.ERROR, Outcome.KNOWN_FAILURE, Outcome.UNEXPECTED_PASS)  # they have a plural


def outcome_of(
    verdict: Verdict,
    *,
    known_failure: bool = False,
    severity: Severity = Severity.FAIL,
    regressed: bool = False,
) -> Outcome:
    """Return what becomes of a verdict.

    A known failure decides before the severity does, and covers the expectation alone: a result
    that got worse since the baseline fails although a failure was expected.
    """
    failed = Outcome.FAILED if severity is Severity.FAIL else Outcome.WARNED
    if verdict is Verdict.FAIL:
        return Outcome.KNOWN_FAILURE if known_failure else failed
    if regressed:
        return failed
    if verdict is Verdict.INCONCLUSIVE:
        return Outcome.UNDECIDED
    if not known_failure:
        return Outcome.PASSED
    return Outcome.UNEXPECTED_PASS if severity is Severity.FAIL else Outcome.WARNED


def fails_session(
    outcome: Outcome, *, severity: Severity = Severity.FAIL, strict: bool = False
) -> bool:
    """Return whether an outcome makes the test session fail; a warning never does."""
    if outcome is Outcome.UNDECIDED:
        return strict and severity is Severity.FAIL
    return outcome in (Outcome.FAILED, Outcome.UNEXPECTED_PASS, Outcome.ERROR)


def counted_outcome(number: int, outcome: Outcome) -> str:
    """Write a number of checks with an outcome: 2 failed, 1 error, 2 known failures."""
    return counted(number, outcome) if outcome in NOUNS else f"{number:,} {outcome}"


def outcome_counts(results: Iterable[Result]) -> str:
    """Count the outcomes in a line; the number of undecided checks is always in it."""
    counts = Counter(result.outcome for result in results)
    counts.setdefault(Outcome.UNDECIDED, 0)
    named = [counted_outcome(counts[outcome], outcome) for outcome in Outcome if outcome in counts]
    return f"shakeproof: {counted(sum(counts.values()), 'check')}: {', '.join(named)}"
