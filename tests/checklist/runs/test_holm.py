"""Holm's correction over a run: what it withdraws, and what it only notes."""

import pytest
from built_results import plain_result

from shakeproof.results import Estimate, Leaning, Outcome, Severity, Verdict
from shakeproof.runs.holm import adjusted, with_holm


def result(p, verdict=Verdict.FAIL, outcome=Outcome.FAILED, number=0, **more):
    return plain_result(
        "m",
        "c",
        outcome,
        condition=f"{p}-{number}",
        estimate=Estimate(value=0.3, low=0.21, high=0.4),
        verdict=verdict,
        message="change 0.3 > 0.2 allowed",
        p=p,
        **more,
    )


def test_holm_takes_back_a_failure_that_many_checks_could_bring_by_chance():
    found = adjusted([result(0.02), *(result(1.0, Verdict.PASS, Outcome.PASSED),) * 9])

    assert found[0].outcome is Outcome.UNDECIDED
    assert found[0].message.startswith(
        "probably too sensitive: change 0.3 > 0.2 allowed, but not after Holm"
    )
    assert found[0].leaning is Leaning.FAILS
    assert {one.outcome for one in found[1:]} == {Outcome.PASSED}


def test_holm_keeps_a_failure_beyond_chance():
    found = adjusted([result(1e-6), *(result(1.0, Verdict.PASS, Outcome.PASSED),) * 9])

    assert found[0].outcome is Outcome.FAILED


PASSED = [result(1.0, Verdict.PASS, Outcome.PASSED, number=number) for number in range(9)]


@pytest.mark.parametrize(
    ("p", "survives"),
    [
        pytest.param(1e-6, True, id="beyond chance"),
        pytest.param(0.02, False, id="may be chance"),
        pytest.param(None, None, id="an axiom has no p"),
    ],
)
def test_a_failure_notes_whether_it_survives_and_stays_a_failure(p, survives):
    failed, *others = with_holm([result(p), *PASSED])

    assert (failed.survives_holm, failed.outcome) == (survives, Outcome.FAILED)
    assert {other.survives_holm for other in others} == {None}


@pytest.mark.parametrize(
    "aside", [{"known_failure": True}, {"severity": Severity.WARN}], ids=["known", "warning"]
)
def test_what_makes_no_claim_is_set_aside(aside):
    claims = [result(0.02, **aside), result(0.02, number=1)]
    many = [result(1.0, Verdict.PASS, Outcome.PASSED, number=n, **aside) for n in range(9)]

    assert [one.survives_holm for one in with_holm([*claims, *many])][:2] == [None, True]
