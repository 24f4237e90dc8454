from itertools import product

import pytest
from built_results import plain_result
from built_runs import wrap

from shakeproof.results import (
    Outcome,
    Severity,
    Verdict,
    exit_code,
    failed_results,
    fails_session,
    outcome_of,
    outcome_word,
)

PASS, FAIL, OPEN = Verdict.PASS, Verdict.FAIL, Verdict.INCONCLUSIVE
# (verdict, known failure, severity, regressed) -> outcome
TABLE = {
    (PASS, False, "fail", False): Outcome.PASSED,
    (PASS, False, "fail", True): Outcome.FAILED,
    (PASS, False, "warn", False): Outcome.PASSED,
    (PASS, False, "warn", True): Outcome.WARNED,
    (PASS, True, "fail", False): Outcome.UNEXPECTED_PASS,
    (PASS, True, "fail", True): Outcome.FAILED,
    (PASS, True, "warn", False): Outcome.WARNED,
    (PASS, True, "warn", True): Outcome.WARNED,
    (FAIL, False, "fail", False): Outcome.FAILED,
    (FAIL, False, "fail", True): Outcome.FAILED,
    (FAIL, False, "warn", False): Outcome.WARNED,
    (FAIL, False, "warn", True): Outcome.WARNED,
    (FAIL, True, "fail", False): Outcome.KNOWN_FAILURE,
    (FAIL, True, "fail", True): Outcome.KNOWN_FAILURE,
    (FAIL, True, "warn", False): Outcome.KNOWN_FAILURE,
    (FAIL, True, "warn", True): Outcome.KNOWN_FAILURE,
    (OPEN, False, "fail", False): Outcome.UNDECIDED,
    (OPEN, False, "fail", True): Outcome.FAILED,
    (OPEN, False, "warn", False): Outcome.UNDECIDED,
    (OPEN, False, "warn", True): Outcome.WARNED,
    (OPEN, True, "fail", False): Outcome.UNDECIDED,
    (OPEN, True, "fail", True): Outcome.FAILED,
    (OPEN, True, "warn", False): Outcome.UNDECIDED,
    (OPEN, True, "warn", True): Outcome.WARNED,
}


def test_the_table_has_every_case():
    assert set(TABLE) == set(product(Verdict, (False, True), ("fail", "warn"), (False, True)))


@pytest.mark.parametrize(
    ("case", "outcome"), [pytest.param(*entry, id=str(entry[0])) for entry in TABLE.items()]
)
def test_every_case_has_its_outcome(case, outcome):
    verdict, known, severity, regressed = case

    found = outcome_of(
        verdict, known_failure=known, severity=Severity(severity), regressed=regressed
    )
    assert found is outcome


FAILING = {Outcome.FAILED, Outcome.UNEXPECTED_PASS, Outcome.ERROR}


@pytest.mark.parametrize("case", [case for case in TABLE if not case[3]], ids=str)
def test_what_the_baseline_has_too_fails_no_session(case):
    verdict, known, severity, _ = case
    severity = Severity(severity)

    found = outcome_of(verdict, known_failure=known, severity=severity, accepted=True)
    assert found is (Outcome.KNOWN_FAILURE if verdict is FAIL else TABLE[case])
    assert not fails_session(found, severity=severity, strict=True, accepted=True)


def test_an_error_is_never_accepted():
    assert fails_session(Outcome.ERROR, accepted=True)


@pytest.mark.parametrize("severity", Severity)
@pytest.mark.parametrize("strict", [False, True])
@pytest.mark.parametrize("outcome", Outcome)
def test_failures_fail_the_session_and_undecided_checks_only_where_that_is_strict(
    outcome, strict, severity
):
    undecided = outcome is Outcome.UNDECIDED and strict and severity is Severity.FAIL

    assert fails_session(outcome, severity=severity, strict=strict) is (
        outcome in FAILING or undecided
    )


@pytest.mark.parametrize(
    ("number", "outcome", "words"),
    [
        (1, Outcome.ERROR, "1 error"),
        (2, Outcome.ERROR, "2 errors"),
        (1, Outcome.KNOWN_FAILURE, "1 known failure"),
        (2, Outcome.KNOWN_FAILURE, "2 known failures"),
        (2, Outcome.UNEXPECTED_PASS, "2 unexpected passes"),
        (2, Outcome.FAILED, "2 failed"),
        (0, Outcome.UNDECIDED, "0 undecided"),
    ],
)
def test_outcomes_are_counted_with_their_plural(number, outcome, words):
    assert f"{number} {outcome_word(number, outcome)}" == words


OUTCOMES = {outcome: plain_result("m", outcome.value, outcome) for outcome in Outcome}


@pytest.mark.parametrize(
    ("outcomes", "strict", "code"),
    [
        pytest.param([Outcome.PASSED, Outcome.WARNED, Outcome.UNDECIDED], False, 0, id="none"),
        pytest.param([Outcome.PASSED, Outcome.UNDECIDED], True, 1, id="undecided, strict"),
        pytest.param([Outcome.FAILED, Outcome.KNOWN_FAILURE], False, 1, id="failure"),
        pytest.param([Outcome.FAILED, Outcome.ERROR], False, 10, id="error"),
    ],
)
def test_a_run_tells_what_it_would_do_to_a_session(outcomes, strict, code):
    run = wrap([OUTCOMES[outcome] for outcome in outcomes], settings={"strict": strict})

    assert exit_code(run) == code
    assert bool(failed_results(run)) is (code != 0)


def test_an_undecided_check_that_only_warns_fails_no_strict_run():
    warned = OUTCOMES[Outcome.UNDECIDED].model_copy(update={"severity": Severity.WARN})

    assert exit_code(wrap([warned], settings={"strict": True})) == 0
