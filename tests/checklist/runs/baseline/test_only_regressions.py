"""With only_regressions, a failure that the baseline has too is a known one."""

import re

import pytest
from baseline_runs import CHECKLIST, FAILING, GOOD, WORSE, by_check

from shakeproof.results import exit_code

AXIOM = (
    CHECKLIST.partition("checks:")[0]
    + """\
checks:
  - check: scores lie in a range
    expect: {score_range: {low: 0, high: 0.1}}
"""
)


def outcomes(found):
    return [result.outcome for result in found.results]


def test_with_only_regressions_a_failure_that_the_baseline_has_is_a_known_one(run):
    before = run(text=FAILING)
    default = run(text=FAILING, baseline=before)
    only = run(text=FAILING, baseline=before, only_regressions=True)

    assert outcomes(default) == ["failed", "passed"]
    assert outcomes(only) == ["known failure", "passed"]
    assert re.fullmatch("failed in .*stored.json too, and is no worse", only.results[0].reason)
    assert [exit_code(found) for found in (default, only)] == [1, 0]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        pytest.param((GOOD, FAILING), (WORSE, FAILING), id="it got worse"),
        pytest.param((GOOD, CHECKLIST), (GOOD, FAILING), id="it passed before"),
        pytest.param(
            (GOOD, FAILING.replace("check: agreement", "check: another")),
            (GOOD, FAILING),
            id="the baseline does not have it",
        ),
        pytest.param(
            (GOOD, FAILING.replace("pearson,", "pearson, tie: 0.1,")),
            (GOOD, FAILING),
            id="not comparable",
        ),
    ],
)
def test_with_only_regressions_other_failures_fail_as_usual(run, before, after):
    found = run(*after, baseline=run(*before), only_regressions=True)

    assert by_check(found)["agreement"].outcome == "failed"


def test_with_only_regressions_a_result_within_its_bounds_that_got_worse_fails(run):
    found = run(WORSE, baseline=run(), only_regressions=True)

    assert by_check(found)["agreement"].outcome == "failed"


def test_with_only_regressions_counted_violations_may_not_increase(run):
    before = run(text=AXIOM)
    (stored,) = before.results
    fewer = stored.estimate.model_copy(update={"value": stored.estimate.value - 1})
    better = before.model_copy(update={"results": (stored.model_copy(update={"estimate": fewer}),)})

    assert outcomes(run(text=AXIOM, baseline=before, only_regressions=True)) == ["known failure"]
    assert outcomes(run(text=AXIOM, baseline=better, only_regressions=True)) == ["failed"]


def test_with_only_regressions_an_undecided_check_of_the_baseline_passes_a_strict_session(run):
    first = run(limit=20, strict=True)
    found = run(limit=20, strict=True, baseline=first, only_regressions=True)

    assert outcomes(found) == ["undecided", "undecided"]
    assert [exit_code(first), exit_code(found)] == [1, 0]
