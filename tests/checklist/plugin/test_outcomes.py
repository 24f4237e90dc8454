"""The outcome of a check in pytest: passed, failed, undecided, known, warned, skipped."""

import re
from xml.etree import ElementTree

import pytest


def test_one_metric_passes_and_the_other_fails_number_first(project):
    project.write()
    result = project.runpytest()

    result.assert_outcomes(passed=1, failed=1)
    result.stdout.re_match_lines(
        [r"FAILED caps.checklist.yaml::cased::capitals do not matter::upper-case - \S* ?\d.*0.2.*"]
    )


def test_the_failure_shows_the_worst_texts_and_the_summary_only_the_number(project, monkeypatch):
    monkeypatch.setenv("CI", "true")
    project.write()
    result = project.runpytest("-vv", "--junitxml=junit.xml")
    result.stdout.fnmatch_lines(["*segment s*, candidate:*", "*- 'the *", "*+ 'THE *"])
    summary = result.stdout.str().partition("short test summary info")[2]
    (failure,) = ElementTree.parse(project.path / "junit.xml").iter("failure")

    assert "segment s" not in summary
    assert re.fullmatch(r"change \d.* > 0.20 allowed", failure.get("message"))
    assert "segment s" in failure.text
    line = project.runpytest("--tb=line").stdout
    line.fnmatch_lines(["caps.checklist.yaml:8: change *"])


def test_the_fewest_edits_are_searched_unless_that_is_switched_off(project):
    project.write()

    project.runpytest().stdout.fnmatch_lines(
        [
            "*smallest failing edit: 1 of *",
            "to save the first as a regression test:",
        ]
    )
    assert "smallest failing edit" not in project.runpytest("--shakeproof-search=0").stdout.str()


def test_undecided_checks_are_skipped_with_a_reason_and_counted(project):
    project.write()
    result = project.runpytest("--shakeproof-limit=10", "-rs")

    result.assert_outcomes(skipped=2)
    result.stdout.fnmatch_lines(["SKIPPED*caps.checklist.yaml:8: undecided: *"])
    assert result.outlines[-1] == "shakeproof: 2 checks: 2 undecided"


def test_strict_fails_what_the_data_cannot_decide(project):
    project.write()
    result = project.runpytest("--shakeproof-limit=10", "--shakeproof-strict")

    result.assert_outcomes(failed=2)


KNOWN = "    known_failure: {metrics: [cased], reason: it compares letters}\n"


def test_a_known_failure_is_expected(project):
    project.write(project.capitals + KNOWN)
    result = project.runpytest("-rx")

    result.assert_outcomes(passed=1, xfailed=1)
    result.stdout.fnmatch_lines(["*it compares letters*"])


def test_a_known_failure_that_passes_fails(project):
    project.write(project.capitals + KNOWN.replace("[cased]", "[uncased]"))
    result = project.runpytest()

    result.assert_outcomes(failed=2)


def test_a_known_failure_stays_undecided_where_the_data_cannot_tell(project):
    project.write(project.capitals + KNOWN)
    result = project.runpytest("--shakeproof-limit=10")

    result.assert_outcomes(skipped=2)


def test_a_known_failure_does_not_hide_a_crash(project):
    project.write((project.capitals + KNOWN).replace("mine:cased", "mine:broken"))
    result = project.runpytest()

    result.assert_outcomes(passed=1, failed=1)
    result.stdout.fnmatch_lines(["*no weights on this planet*"])


@pytest.mark.parametrize("filters", ["error", "ignore"])
def test_a_warning_check_passes_and_is_listed_whatever_becomes_of_python_warnings(project, filters):
    project.write(project.capitals + "    severity: warn\n")
    result = project.runpytest("-W", filters, "--shakeproof-json=run.json")

    result.assert_outcomes(passed=2)
    assert result.ret == pytest.ExitCode.OK
    result.stdout.fnmatch_lines(
        [
            "*= shakeproof =*",
            "warned: caps.checklist.yaml::cased::capitals do not matter::upper-case: change *",
        ]
    )
    assert result.stdout.str().count("warned: ") == 1
    assert result.outlines[-1] == "shakeproof: 2 checks: 1 passed, 0 undecided, 1 warned"
    outcomes = [entry["outcome"] for entry in project.read_json()["results"]]
    assert outcomes == ["warned", "passed"]


def test_holm_keeps_a_clear_failure_and_leaves_passes_alone(project):
    project.write()
    result = project.runpytest("--shakeproof-adjust=holm")

    result.assert_outcomes(passed=1, failed=1)


@pytest.mark.parametrize(
    ("requirement", "reason"),
    [
        pytest.param("network", "*requires network, and *", id="network"),
        pytest.param("model:no/such", "*requires model:no/such*", id="model"),
        pytest.param("cuda", "*requires cuda, and *", id="cuda"),
    ],
)
def test_a_check_that_requires_what_is_not_there_is_skipped_with_its_reason(
    project, requirement, reason, monkeypatch
):
    monkeypatch.setattr("shakeproof.runs.requirements.find_device", lambda _: "cpu")
    project.write(project.capitals + f"    requires: ['{requirement}']\n")
    result = project.runpytest("-rs", "--shakeproof-offline", "--shakeproof-json=run.json")
    run = project.read_json()

    result.assert_outcomes(skipped=2)
    result.stdout.fnmatch_lines([reason])
    assert {result["outcome"] for result in run["results"]} == {"skipped"}
    assert run["results"][0]["reason"].startswith(f"requires {requirement}")
