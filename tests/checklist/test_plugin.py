"""The plugin in real pytest runs: collection, outcomes, selection, files."""

import json

import pytest
import rapidfuzz  # noqa: F401 - compiled modules load once per process: before pytester's runs
import scipy.stats  # noqa: F401

import shakeproof.collectors
import shakeproof.conclusion
import shakeproof.reports.html  # noqa: F401

METRICS = """\
def cased(candidate, reference):
    return overlap(candidate, reference)


def uncased(candidate, reference):
    return overlap(candidate.lower(), reference.lower())


def broken(candidate, reference):
    raise RuntimeError("no weights on this planet")


def overlap(one, other):
    shared = set(one.split()) & set(other.split())
    return len(shared) / max(len(set(one.split()) | set(other.split())), 1)
"""

CHECKLIST = """\
checklist: capitals
data: data.jsonl
language: en
metrics:
  cased: {python: mine:cased}
  uncased: {python: mine:uncased}
checks:
  - check: capitals do not matter
    perturb: {upper-case: {on: candidate}}
    expect: {score_change: {at_most: 0.2}}
"""


def segment(number):
    words = ["river", "bridge", "market", "harbour", "garden", "tower", "station"]
    name = words[number % 7]
    return {
        "id": f"s{number}",
        "source": f"The {name} number {number} opens at noon",
        "references": [f"The {name} with number {number} opens at twelve"],
        "candidates": [
            {"text": f"the {name} number {number} opens at twelve", "rating": 1.0},
            {"text": f"the {name} opens at twelve", "rating": 0.6},
            {"text": f"somebody closed door {number * 3}", "rating": 0.0},
        ],
        "preferences": [[0, 2], [1, 2]],
    }


@pytest.fixture
def project(pytester, monkeypatch):
    monkeypatch.setenv("COLUMNS", "200")
    pytester.makefile(".py", mine=METRICS)
    lines = "".join(json.dumps(segment(number)) + "\n" for number in range(40))
    pytester.makefile(".jsonl", data=lines)
    return pytester


def write(project, text=CHECKLIST, name="caps"):
    return project.makefile(".checklist.yaml", **{name: text})


def test_each_metric_and_check_is_an_item_with_a_readable_id(project):
    write(project)
    result = project.runpytest("--collect-only", "-q")

    result.stdout.fnmatch_lines(
        [
            "caps.checklist.yaml::cased::capitals do not matter::upper-case",
            "caps.checklist.yaml::uncased::capitals do not matter::upper-case",
        ]
    )


def test_one_metric_passes_and_the_other_fails_number_first(project):
    write(project)
    result = project.runpytest()

    result.assert_outcomes(passed=1, failed=1)
    result.stdout.re_match_lines(
        [r"FAILED caps.checklist.yaml::cased::capitals do not matter::upper-case - \S* ?\d.*0.2.*"]
    )


def test_the_failure_shows_the_worst_texts(project):
    write(project)
    result = project.runpytest()

    result.stdout.fnmatch_lines(["*segment s*, candidate:*", "*- 'the *", "*+ 'THE *"])


def test_no_text_of_the_data_is_shown_when_asked(project):
    write(project)
    result = project.runpytest("--shakeproof-no-texts", "--shakeproof-json=run.json")

    assert "bridge" not in result.stdout.str()
    assert "bridge" not in (project.path / "run.json").read_text()


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
    write(project)
    result = project.runpytest(*arguments)

    result.assert_outcomes(passed=passed, failed=failed)


def test_last_failed_runs_only_what_failed(project):
    write(project)
    project.runpytest()
    result = project.runpytest("--lf")

    result.assert_outcomes(failed=1)
    assert "uncased" not in project.runpytest("--lf", "--collect-only", "-q").stdout.str()


def test_failed_first_starts_with_what_failed(project):
    write(project, CHECKLIST.replace("cased: {python: mine:cased}", "zcased: {python: mine:cased}"))
    project.runpytest()
    result = project.runpytest("--ff", "-v")

    result.stdout.fnmatch_lines(["*zcased*FAILED*", "*::uncased*PASSED*"])


def test_undecided_checks_are_skipped_with_a_reason_and_counted(project):
    write(project)
    result = project.runpytest("--shakeproof-limit=10", "-rs")

    result.assert_outcomes(skipped=2)
    result.stdout.fnmatch_lines(["SKIPPED*caps.checklist.yaml:8: undecided: *"])
    assert result.outlines[-1] == "shakeproof: 2 checks: 2 undecided"


def test_strict_fails_what_the_data_cannot_decide(project):
    write(project)
    result = project.runpytest("--shakeproof-limit=10", "--shakeproof-strict")

    result.assert_outcomes(failed=2)


KNOWN = CHECKLIST + "    known_failure: {metrics: [cased], reason: it compares letters}\n"


def test_a_known_failure_is_expected(project):
    write(project, KNOWN)
    result = project.runpytest("-rx")

    result.assert_outcomes(passed=1, xfailed=1)
    result.stdout.fnmatch_lines(["*it compares letters*"])


def test_a_known_failure_that_passes_fails(project):
    write(project, KNOWN.replace("[cased]", "[uncased]"))
    result = project.runpytest()

    result.assert_outcomes(failed=2)


def test_a_known_failure_stays_undecided_where_the_data_cannot_tell(project):
    write(project, KNOWN)
    result = project.runpytest("--shakeproof-limit=10")

    result.assert_outcomes(skipped=2)


def test_a_known_failure_does_not_hide_a_crash(project):
    write(project, KNOWN.replace("mine:cased", "mine:broken"))
    result = project.runpytest()

    result.assert_outcomes(passed=1, failed=1)
    result.stdout.fnmatch_lines(["*no weights on this planet*"])


def test_a_metric_that_breaks_fails_its_own_items_and_no_others(project):
    write(project, CHECKLIST.replace("mine:cased", "mine:broken"))
    result = project.runpytest()

    result.assert_outcomes(passed=1, failed=1)
    assert "Traceback" not in result.stdout.str()


def test_a_warning_check_warns_and_passes(project):
    write(project, CHECKLIST + "    severity: warn\n")
    result = project.runpytest("-W", "always")

    result.assert_outcomes(passed=2, warnings=1)


def test_the_run_and_the_report_are_written(project):
    write(project)
    result = project.runpytest(
        "--shakeproof-json=out/run.json", "--shakeproof-report=out/report.html"
    )
    run = json.loads((project.path / "out/run.json").read_text())

    assert {one["outcome"] for one in run["results"]} == {"passed", "failed"}
    assert "capitals do not matter" in (project.path / "out/report.html").read_text()
    result.stdout.fnmatch_lines(["report: file:///*/out/report.html"])


def test_a_report_that_cannot_be_written_is_told_and_fails_the_session(project):
    write(project)
    (project.path / "file").write_text("in the way")
    result = project.runpytest("-k", "uncased", "--shakeproof-report=file/report.html")

    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stdout.fnmatch_lines(["*file*"])
    assert "Traceback" not in result.stdout.str()


def test_nothing_is_printed_or_written_without_a_checklist(project):
    project.makepyfile("def test_one(): pass")
    before = {path.name for path in project.path.iterdir()}
    result = project.runpytest("-p", "no:cacheprovider")

    assert not [line for line in result.outlines if "shakeproof" in line and "plugins" not in line]
    assert {path.name for path in project.path.iterdir()} - before <= {"__pycache__"} | {
        path.name for path in project.path.glob("test_*.py")
    }


def test_switched_off_the_plugin_collects_nothing(project):
    write(project)
    result = project.runpytest("-p", "no:shakeproof")

    result.assert_outcomes()


def test_a_second_run_scores_nothing_again(project):
    project.makefile(
        ".py",
        counted="from pathlib import Path\n"
        "def score(candidate, reference):\n"
        "    with Path('calls').open('a') as file:\n"
        "        file.write('x')\n"
        "    return float(len(candidate))\n",
    )
    write(project, CHECKLIST.replace("mine:cased", "counted:score"))
    project.runpytest()
    first = (project.path / "calls").read_text()
    project.runpytest()

    assert first
    assert (project.path / "calls").read_text() == first


@pytest.mark.parametrize("mode", ["load", "loadscope", "worksteal"])
def test_several_processes_give_the_same_run(project, mode):
    pytest.importorskip("xdist")
    write(project)
    project.runpytest("--shakeproof-json=one.json")
    project.runpytest(
        "--shakeproof-json=two.json", "-n2", f"--dist={mode}", "--shakeproof-cache=none"
    )
    one, two = (json.loads((project.path / name).read_text()) for name in ("one.json", "two.json"))
    for run in (one, two):
        for result in run["results"]:
            result.pop("seconds")

    assert one["results"] == two["results"]
    assert one["checklists"] == two["checklists"]


def test_results_replace_data_named_on_the_command_line(project):
    lines = "".join(json.dumps(segment(number)) + "\n" for number in range(31))
    project.makefile(".jsonl", other=lines)
    write(project)
    project.runpytest("--shakeproof-data=data.jsonl=other.jsonl", "--shakeproof-json=run.json")
    run = json.loads((project.path / "run.json").read_text())

    assert run["checklists"][0]["data"][0]["segments"] == 31


def test_junit_carries_the_numbers(project):
    write(project)
    project.runpytest("--junitxml=junit.xml")
    text = (project.path / "junit.xml").read_text()

    assert text.count('name="shakeproof"') == 2
    assert "&quot;verdict&quot;:&quot;fail&quot;" in text


def test_holm_keeps_a_clear_failure_and_leaves_passes_alone(project):
    write(project)
    result = project.runpytest("--shakeproof-adjust=holm")

    result.assert_outcomes(passed=1, failed=1)


def test_levels_keep_their_point_when_listed(project):
    noise = "perturb: {keyboard-typo: {on: candidate, levels: [0.1]}}"
    write(project, CHECKLIST.replace("perturb: {upper-case: {on: candidate}}", noise))
    result = project.runpytest("-v")

    result.stdout.fnmatch_lines(["*::capitals do not matter::keyboard-typo-0.1 *"])


@pytest.mark.parametrize(
    ("requirement", "reason"),
    [
        pytest.param("network", "*requires network, and *", id="network"),
        pytest.param("model:no/such", "*requires model:no/such*", id="model"),
    ],
)
def test_a_check_that_requires_what_is_not_there_is_skipped_with_its_reason(
    project, requirement, reason
):
    write(project, CHECKLIST + f"    requires: ['{requirement}']\n")
    result = project.runpytest("-rs", "--shakeproof-offline", "--shakeproof-json=run.json")
    run = json.loads((project.path / "run.json").read_text())

    result.assert_outcomes(skipped=2)
    result.stdout.fnmatch_lines([reason])
    assert {one["outcome"] for one in run["results"]} == {"skipped"}
    assert requirement in run["results"][0]["reason"]
