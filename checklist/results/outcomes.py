"""The outcome of an item: one rule for pytest, Python and studies."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from shakeproof.results.names import Outcome, Severity, Verdict
from shakeproof.results.plurals import counted, plural
from shakeproof.results.values import Result, Run

ERRORS = 10  # exit code if checks ended in an error; pytest uses 0 to 6, pytest-rerunfailures 7
NOUNS = (Outcome.ERROR, Outcome.KNOWN_FAILURE, Outcome.UNEXPECTED_PASS)  # they have a plural


def outcome_of(
    verdict: Verdict,
    *,
    known_failure: bool = False,
    severity: Severity = Severity.FAIL,
    regressed: bool = False,
    accepted: bool = False,
) -> Outcome:
    """Return what becomes of a verdict.

    A known failure decides before the severity does, and covers the expectation alone: a result
    that got worse since the baseline fails although a failure was expected. A failure that is
    accepted, because the baseline has it too, is a known one.
    """
    failed = Outcome.FAILED if severity is Severity.FAIL else Outcome.WARNED
    if verdict is Verdict.FAIL:
        return Outcome.KNOWN_FAILURE if known_failure or accepted else failed
    if regressed:
        return failed
    if verdict is Verdict.INCONCLUSIVE:
        return Outcome.UNDECIDED
    if not known_failure:
        return Outcome.PASSED
    return Outcome.UNEXPECTED_PASS if severity is Severity.FAIL else Outcome.WARNED


def fails_session(
    outcome: Outcome,
    *,
    severity: Severity = Severity.FAIL,
    strict: bool = False,
    accepted: bool = False,
) -> bool:
    """Return whether an outcome makes the test session fail.

    A warning never does, an undecided check only under `strict`, and what is accepted, because
    the baseline has it too, only if it is an error.
    """
    if outcome is Outcome.UNDECIDED:
        return strict and severity is Severity.FAIL and not accepted
    if outcome is Outcome.UNEXPECTED_PASS:
        return not accepted
    return outcome in (Outcome.FAILED, Outcome.ERROR)


def result_fails_session(result: Result, *, strict: bool = False) -> bool:
    """Return whether a result makes the test session fail."""
    return fails_session(
        result.outcome, severity=result.severity, strict=strict, accepted=result.accepted
    )


def failed_results(run: Run) -> tuple[Result, ...]:
    """Return the results that fail the session, as strictly as the run was asked to be."""
    strict = bool(run.settings.get("strict"))
    return tuple(result for result in run.results if result_fails_session(result, strict=strict))


def exit_code(run: Run) -> int:
    """Return 0, 1 if checks failed, or 10 if some ended in an error, whatever the others found."""
    if has_errors(run.results):
        return ERRORS
    return 1 if failed_results(run) else 0


def has_errors(results: Iterable[Result]) -> bool:
    """Return whether a check could not be evaluated, so that findings may be incomplete."""
    return any(result.outcome is Outcome.ERROR for result in results)


def message_with_holm(result: Result) -> str:
    """Return the message of a result and, of a failure, whether it survives Holm's correction."""
    if result.survives_holm is None:
        return result.message
    note = "fails after Holm too" if result.survives_holm else "not after Holm"
    return f"{result.message}; {note}"


def outcome_word(number: int, outcome: Outcome) -> str:
    """Return the word that follows a number of checks: failed, error, known failures."""
    return plural(number, outcome) if outcome in NOUNS else str(outcome)


def outcome_counts(results: Iterable[Result]) -> str:
    """Count the outcomes in a line; the number of undecided checks is always in it."""
    counts = Counter(result.outcome for result in results)
    counts.setdefault(Outcome.UNDECIDED, 0)
    named = [
        f"{counts[outcome]:,} {outcome_word(counts[outcome], outcome)}"
        for outcome in Outcome
        if outcome in counts
    ]
    return f"shakeproof: {counted(sum(counts.values()), 'check')}: {', '.join(named)}"
