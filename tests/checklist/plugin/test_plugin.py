"""The plugin in real pytest runs: collection, outcomes, selection, files."""

import os
import re
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


def test_no_text_of_the_data_is_shown_with_no_texts(project):
    project.write()
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


def test_a_metric_that_breaks_fails_its_own_items_and_no_others(project):
    project.write(project.capitals.replace("mine:cased", "mine:broken"))
    result = project.runpytest()

    result.assert_outcomes(passed=1, failed=1)


NESTED = """\
def score(candidate, reference):
    return divide(len(candidate))


def divide(number):
    try:
        return number / 0
    except ZeroDivisionError as error:
        raise ValueError("no ratio") from error
"""


def test_a_function_that_raises_is_shown_with_its_own_frames_alone(project):
    project.makefile(".py", nested=NESTED)
    project.write(project.capitals.replace("mine:cased", "nested:score"))
    result = project.runpytest("--shakeproof-json=run.json")
    text = result.stdout.str().partition("short test summary info")[0]
    message = "metric 'cased': ValueError: no ratio (*"

    result.stdout.fnmatch_lines(
        [
            message,
            "",
            "Traceback (most recent call last):",
            '  File "*nested.py", line 7, in divide',
            "ZeroDivisionError: *",
            "Traceback (most recent call last):",
            '  File "*nested.py", line 2, in score',
            "    return divide(len(candidate))",
            '  File "*nested.py", line 9, in divide',
            "ValueError: no ratio",
        ]
    )
    assert {line.split('"')[1] for line in text.splitlines() if line.startswith("  File ")} == {
        str(project.path / "nested.py")
    }
    result.stdout.fnmatch_lines([f"FAILED *::upper-case - {message}"])
    recorded = project.read_json()["results"][0]["message"]
    assert recorded.startswith("metric 'cased': ValueError: no ratio (")
    assert "\n" not in recorded


@pytest.mark.parametrize("style", ["no", "line"])
def test_a_function_that_raises_is_one_line_where_pytest_shows_no_tracebacks(project, style):
    project.write(project.capitals.replace("mine:cased", "mine:broken"))
    result = project.runpytest(f"--tb={style}", "--junitxml=junit.xml")
    (failure,) = ElementTree.parse(project.path / "junit.xml").iter("failure")

    assert "Traceback" not in result.stdout.str()
    assert re.fullmatch(r"metric 'cased': RuntimeError: no weights on this planet .*", failure.text)


def test_a_module_that_raises_at_import_is_shown_from_its_own_line_on(project):
    project.makefile(".py", unready="score = len\n1 / 0\n")
    project.write(project.capitals.replace("mine:cased", "unready:score"))
    result = project.runpytest()
    files = [line for line in result.outlines if line.startswith("  File ")]

    assert files == [f'  File "{project.path / "unready.py"}", line 2, in <module>']


def test_a_function_that_returns_no_number_has_no_traceback(project):
    project.makefile(".py", words="def score(candidate, reference):\n    return 'good'\n")
    project.write(project.capitals.replace("mine:cased", "words:score"))
    result = project.runpytest()

    result.stdout.fnmatch_lines(["metric 'cased': returned no number: 'good' (*"])
    assert "Traceback" not in result.stdout.str()


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


def test_the_run_and_the_report_are_written(project):
    project.write()
    result = project.runpytest(
        "--shakeproof-json=out/run.json", "--shakeproof-report=out/report.html"
    )
    run = project.read_json("out/run.json")

    assert {result["outcome"] for result in run["results"]} == {"passed", "failed"}
    assert "capitals do not matter" in (project.path / "out/report.html").read_text()
    result.stdout.fnmatch_lines(["report: file:///*/out/report.html"])


def test_a_report_that_cannot_be_written_is_reported_and_fails_the_session(project):
    project.write()
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
    project.write()
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
    project.write(project.capitals.replace("mine:cased", "counted:score"))
    project.runpytest()
    first = (project.path / "calls").read_text()
    project.runpytest()

    assert first
    assert (project.path / "calls").read_text() == first


def test_the_command_line_replaces_data(project):
    project.write_data("other", 31)
    project.write()
    run = project.run_json("--shakeproof-data=data.jsonl=other.jsonl")

    assert run["checklists"][0]["data"][0]["segments"] == 31


def test_junit_has_the_numbers(project):
    project.write()
    project.runpytest("--junitxml=junit.xml")
    text = (project.path / "junit.xml").read_text()

    assert text.count('name="shakeproof"') == 2
    assert "&quot;verdict&quot;:&quot;fail&quot;" in text


def test_holm_keeps_a_clear_failure_and_leaves_passes_alone(project):
    project.write()
    result = project.runpytest("--shakeproof-adjust=holm")

    result.assert_outcomes(passed=1, failed=1)


def test_levels_keep_their_point_when_listed(project):
    noise = "perturb: {keyboard-typo: {on: candidate, levels: [0.1]}}"
    project.write(project.capitals.replace("perturb: {upper-case: {on: candidate}}", noise))
    result = project.runpytest("-v")

    result.stdout.fnmatch_lines(["*::capitals do not matter::keyboard-typo-0.1 *"])


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


TUNED = """\
development: 0.5
data: data.jsonl
language: en
metrics:
  chrf: chrf
  para: {parascore: {similarity: chrf, omega: tuned}}
checks:
  - check: capitals on a machine that is not here
    perturb: {upper-case: {on: candidate}}
    expect: {score_change: {at_most: 0.2}}
    requires: ['model:no/such']
  - check: capitals do not matter
    perturb: {upper-case: {on: candidate}}
    expect: {score_change: {at_most: 0.2}}
"""


def test_findings_of_scoring_are_recorded_though_the_first_check_was_skipped(project):
    project.write(TUNED)
    whole = project.run_json("--shakeproof-offline")
    skipped = project.run_json("--shakeproof-offline", "-k", "machine")

    assert "omega" in whole["checklists"][0]["metrics"][1]["facts"]
    assert whole["results"][0]["outcome"] == "skipped"
    assert skipped["checklists"][0]["metrics"][1]["facts"] == {}
