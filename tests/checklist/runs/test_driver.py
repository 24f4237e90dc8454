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
