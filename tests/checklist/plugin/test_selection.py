"""Items of a checklist as pytest collects, selects, orders and repeats them."""

import os
from xml.etree import ElementTree

import pytest


def test_each_metric_and_check_is_an_item_with_a_readable_id(project):
    project.write()
    result = project.runpytest("--collect-only", "-q")

    result.stdout.fnmatch_lines(
        [
            "caps.checklist.yaml::cased::capitals do not matter::upper-case",
            "caps.checklist.yaml::uncased::capitals do not matter::upper-case",
        ]
    )


@pytest.mark.parametrize(
    ("arguments", "passed", "failed"),
    [
        pytest.param(["caps.checklist.yaml::uncased"], 1, 0, id="metric"),
        pytest.param(["caps.checklist.yaml::cased::capitals do not matter"], 0, 1, id="check"),
        pytest.param(["-k", "uncased"], 1, 0, id="keyword"),
        pytest.param(["-m", 'metric(name="cased")'], 0, 1, id="mark"),
        pytest.param(
            ["-m", 'kind(name="score_change") and family(name="upper-case")'], 1, 1, id="marks"
        ),
    ],
)
def test_items_are_selected_as_everywhere(project, arguments, passed, failed):
    project.write()
    result = project.runpytest(*arguments)

    result.assert_outcomes(passed=passed, failed=failed)


NOISE = """\
  - check: typing errors matter little
    perturb: {keyboard-typo: {on: candidate, levels: [0.1, 0.3]}}
    expect: {score_drop: {at_most: 9}}
"""


def test_a_level_is_a_mark_and_the_tree_shows_file_metric_check_and_level(project):
    project.write(project.capitals + NOISE)
    tree = project.runpytest("--collect-only", "-m", 'level(value="0.3")', "--strict-markers")

    assert [line.strip() for line in tree.outlines if "<Dir" not in line and "<" in line] == [
        "<ChecklistFile caps.checklist.yaml>",
        "<MetricNode cased>",
        "<CheckNode typing errors matter little>",
        "<ItemNode keyboard-typo-0.3>",
        "<MetricNode uncased>",
        "<CheckNode typing errors matter little>",
        "<ItemNode keyboard-typo-0.3>",
    ]


def test_the_first_failure_ends_the_run_with_x(project):
    project.write(project.capitals + NOISE)
    result = project.runpytest("-x", "-q")

    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["*stopping after 1 failures*"])
    assert result.outlines[-1] == "shakeproof: 1 check: 1 failed, 0 undecided"


def test_last_failed_runs_only_what_failed(project):
    project.write()
    project.runpytest()
    result = project.runpytest("--lf")

    result.assert_outcomes(failed=1)
    assert "uncased" not in project.runpytest("--lf", "--collect-only", "-q").stdout.str()


def test_failed_first_starts_with_what_failed(project):
    failing = project.capitals.replace(
        "cased: {python: mine:cased}", "zcased: {python: mine:cased}"
    )
    project.write(failing)
    project.runpytest()
    result = project.runpytest("--ff", "-v")

    result.stdout.fnmatch_lines(["*zcased*FAILED*", "*::uncased*PASSED*"])


def test_new_first_starts_with_the_newest_checklist(project):
    old = project.write(name="a")
    project.runpytest("--nf")
    project.write(name="b")
    os.utime(old, (0, 0))
    result = project.runpytest("--nf", "-v")

    result.stdout.fnmatch_lines(["b.checklist.yaml::cased*", "a.checklist.yaml::cased*"])


def test_a_check_that_is_run_again_counts_once_with_its_last_result(project):
    project.write()
    result = project.runpytest("--reruns=2", "--shakeproof-json=run.json", "--junitxml=junit.xml")
    run = project.read_json()

    result.assert_outcomes(passed=1, failed=1)
    result.stdout.fnmatch_lines(["*1 failed, 1 passed, 2 rerun*"])
    assert [result["outcome"] for result in run["results"]] == ["failed", "passed"]
    cases = ElementTree.parse(project.path / "junit.xml").iter("testcase")
    assert {len(case.findall("properties/property")) for case in cases} == {1}


def test_switched_off_the_plugin_collects_nothing(project):
    project.write()
    result = project.runpytest("-p", "no:shakeproof")

    result.assert_outcomes()


def test_levels_keep_their_point_when_listed(project):
    noise = "perturb: {keyboard-typo: {on: candidate, levels: [0.1]}}"
    project.write(project.capitals.replace("perturb: {upper-case: {on: candidate}}", noise))
    result = project.runpytest("-v")

    result.stdout.fnmatch_lines(["*::capitals do not matter::keyboard-typo-0.1 *"])
