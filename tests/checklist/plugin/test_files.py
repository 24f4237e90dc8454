"""Files of a session: the data it reads, the cache, run.json, the report, JUnit's XML."""

import pytest


def test_no_text_of_the_data_is_shown_with_no_texts(project):
    project.write()
    result = project.runpytest("--shakeproof-no-texts", "--shakeproof-json=run.json")

    assert "bridge" not in result.stdout.str()
    assert "bridge" not in (project.path / "run.json").read_text()


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


@pytest.mark.parametrize("option", ["baseline=", "cache=", "data=data.jsonl=", "json=", "report="])
def test_a_name_that_is_too_long_for_a_file_is_one_line(project, option):
    name = "a" * 400  # no file system has such names
    project.write()
    result = project.runpytest("-k", "uncased", f"--shakeproof-{option}{name}")

    assert result.ret != pytest.ExitCode.OK
    assert any(name in line and ": " in line for line in result.outlines)
    assert "OSError" not in result.stdout.str()


def test_nothing_is_printed_or_written_without_a_checklist(project):
    project.makepyfile("def test_one(): pass")
    before = {path.name for path in project.path.iterdir()}
    result = project.runpytest("-p", "no:cacheprovider")

    assert not [line for line in result.outlines if "shakeproof" in line and "plugins" not in line]
    assert {path.name for path in project.path.iterdir()} - before <= {"__pycache__"} | {
        path.name for path in project.path.glob("test_*.py")
    }


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
