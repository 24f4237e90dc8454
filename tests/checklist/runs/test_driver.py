"""pytest and Python run a checklist through one driver, so they find the same."""

import json

import pytest

import shakeproof
from shakeproof.results import Outcome

KNOWN = "    known_failure: {metrics: [METRIC], reason: known}\n"


@pytest.mark.parametrize(
    ("added", "cased", "uncased"),
    [
        pytest.param("", "failed", "passed", id="as it is"),
        pytest.param("    severity: warn\n", "warned", "passed", id="warn"),
        pytest.param(KNOWN.replace("METRIC", "cased"), "known failure", "passed", id="known"),
        pytest.param(
            KNOWN.replace("METRIC", "uncased"), "failed", "unexpected pass", id="wrongly known"
        ),
        pytest.param(
            "    severity: warn\n" + KNOWN.replace("METRIC", "cased"),
            "known failure",
            "passed",
            id="known, and warn",
        ),
        pytest.param(
            "    severity: warn\n" + KNOWN.replace("METRIC", "uncased"),
            "warned",
            "warned",
            id="wrongly known, and warn",
        ),
        pytest.param("    requires: [cuda]\n", "skipped", "skipped", id="not on this machine"),
    ],
)
def test_pytest_and_python_agree_on_every_outcome(project, added, cased, uncased):
    path = project.write(project.capitals + added)
    by_pytest = project.run_json()["results"]
    by_python = shakeproof.run(path).results

    expected = {"cased": cased, "uncased": uncased}
    assert {result["metric"]: result["outcome"] for result in by_pytest} == expected
    assert {result.metric: result.outcome for result in by_python} == expected


def test_pytest_and_python_record_the_same_settings(project):
    path = project.write()
    by_pytest = project.run_json()["settings"]

    assert by_pytest == json.loads(json.dumps(shakeproof.run(path).settings))


def test_python_may_be_strict_about_chance(project):
    path = project.write()
    run = shakeproof.run(path, adjust="holm")

    assert run.settings["adjust"] == "holm"
    assert {result.outcome for result in run.results} == {Outcome.FAILED, Outcome.PASSED}


NO_NUMBERS = """\
def nothing(candidate, reference):
    return float("nan")


def endless(candidate, reference):
    return float("inf")


def first(candidate, reference):
    return 1.0 if candidate == "the river number 0 opens at twelve" else float("nan")
"""


@pytest.mark.parametrize(("name", "number"), [("nothing", "nan"), ("endless", "inf")])
@pytest.mark.parametrize("arguments", [[], ["--shakeproof-adjust=holm"]], ids=["alone", "holm"])
def test_a_metric_without_a_finite_score_is_an_error_of_its_items(project, name, number, arguments):
    project.makefile(".py", numbers=NO_NUMBERS)
    path = project.write(project.capitals.replace("mine:cased", f"numbers:{name}"))
    reason = f"returned {number}"
    message = f"metric 'cased' returned no finite score for any of 120 candidates: {reason}"
    by_pytest = project.runpytest("--shakeproof-json=run.json", *arguments)
    by_python = shakeproof.run(path).results

    by_pytest.assert_outcomes(passed=1, failed=1)
    by_pytest.stdout.fnmatch_lines([f"FAILED *::upper-case - {message}"])
    recorded = [(result["outcome"], result["message"]) for result in project.read_json()["results"]]
    assert recorded[0] == ("error", message)
    assert recorded[1][0] == "passed"
    assert [result.outcome for result in by_python] == [Outcome.ERROR, Outcome.PASSED]
    assert by_python[0].message == message


def test_the_metric_without_a_finite_score_is_named_where_it_is_the_other_one(project):
    project.makefile(".py", numbers=NO_NUMBERS)
    compared = project.capitals.replace("mine:cased", "numbers:nothing").partition("checks:")[0]
    path = project.write(
        compared
        + """\
checks:
  - check: more robust
    metrics: [uncased]
    perturb: {upper-case: {on: candidate}}
    expect: {more_robust_than: {metric: cased}}
"""
    )
    (result,) = shakeproof.run(path).results

    assert result.outcome is Outcome.ERROR
    assert result.message.startswith("metric 'cased' returned no finite score")


def test_a_metric_with_one_finite_score_is_judged_as_before(project):
    project.makefile(".py", numbers=NO_NUMBERS)
    path = project.write(project.capitals.replace("mine:cased", "numbers:first"))

    assert shakeproof.run(path).results[0].outcome is Outcome.UNDECIDED
