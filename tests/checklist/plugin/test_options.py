"""Options of the plugin: on the command line and in the ini file."""

import re

import pytest

from shakeproof.plugin.options import OPTIONS, ini_name

INI = """\
[tool.pytest.ini_options]
shakeproof_report = "out/report.html"
shakeproof_json = "out/run.json"
shakeproof_cache = "out/scores.sqlite"
shakeproof_limit = 35
shakeproof_data = ["data.jsonl=more.jsonl"]
shakeproof_no_texts = true
shakeproof_offline = true
shakeproof_search = 0
shakeproof_adjust = "holm"
"""


NATIVE = pytest.mark.skipif(pytest.version_tuple < (9,), reason="pytest 8 has no TOML of its own")


@pytest.mark.parametrize(
    "section",
    [
        pytest.param("tool.pytest.ini_options", id="as ini"),
        pytest.param("tool.pytest", id="as TOML", marks=NATIVE),
    ],
)
def test_every_option_can_be_in_the_ini_file_with_files_relative_to_it(project, section):
    project.write_data("more", 38)
    project.makefile(".toml", pyproject=INI.replace("tool.pytest.ini_options", section))
    (project.path / "inner").mkdir()
    checklist = project.write()
    checklist.rename(project.path / "inner" / checklist.name)
    (project.path / "mine.py").rename(project.path / "inner" / "mine.py")
    project.chdir()
    result = project.runpytest("inner")
    run = project.read_json("out/run.json")

    result.assert_outcomes(passed=1, failed=1)
    assert (project.path / "out" / "report.html").is_file()
    assert (project.path / "out" / "scores.sqlite").is_file()
    assert run["checklists"][0]["data"][0]["segments"] == 35
    assert not run["texts"]
    assert run["settings"] == {
        "strict": False,
        "device": "auto",
        "precision": "auto",
        "limit": 35,
        "data": ["data.jsonl=more.jsonl"],
        "no_texts": True,
        "offline": True,
        "search": 0,
        "adjust": "holm",
        "baseline": None,
        "only_regressions": False,
    }


def test_the_command_line_wins_with_files_relative_to_the_working_folder(project, monkeypatch):
    project.write()
    project.makefile(".toml", pyproject=INI.replace("shakeproof_data", "x_data"))
    project.makefile(".ini", pytest="[pytest]\nshakeproof_limit = 10\nshakeproof_strict = yes\n")
    (project.path / "inner").mkdir()
    monkeypatch.chdir(project.path / "inner")
    result = project.runpytest("..", "--shakeproof-limit=36", "--shakeproof-json=run.json")
    run = project.read_json("inner/run.json")

    result.assert_outcomes(passed=1, failed=1)
    assert run["settings"]["limit"] == 36
    assert run["settings"]["strict"]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        pytest.param("shakeproof_limit = 0", "'0' is not a whole number above 0", id="zero"),
        pytest.param("shakeproof_limit = many", "shakeproof_limit", id="a word"),
        pytest.param("shakeproof_strict = perhaps", "shakeproof_strict", id="no truth"),
        pytest.param("shakeproof_data = data.jsonl", "not of the form NAME=PATH", id="no path"),
        pytest.param("shakeproof_adjust = bonferroni", "is not one of none, holm", id="unknown"),
    ],
)
def test_a_mistake_in_the_ini_file_is_one_line_before_anything_is_collected(project, line, message):
    project.write()
    project.makefile(".ini", pytest=f"[pytest]\n{line}\n")
    result = project.runpytest()

    assert result.ret == pytest.ExitCode.USAGE_ERROR
    (error,) = [line for line in result.errlines if "ERROR" in line or "shakeproof" in line]
    assert message in error


@pytest.mark.parametrize(
    ("option", "message"),
    [
        pytest.param("limit=0", "'0' is not a whole number above 0", id="limit"),
        pytest.param("search=-1", "'-1' is not a whole number", id="search"),
        pytest.param("data==x", "'=x' is not of the form NAME=PATH", id="data"),
        pytest.param("adjust=holmes", "'holmes' is not one of none, holm", id="adjust"),
        pytest.param("update-baseline", "needs --shakeproof-baseline=FILE", id="baseline"),
    ],
)
def test_a_mistake_on_the_command_line_is_reported_before_anything_is_collected(
    project, option, message
):
    result = project.runpytest(f"--shakeproof-{option}")

    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines([f"*{message}*"])


def test_data_of_the_command_line_are_in_the_working_folder_or_beside_the_checklist(project):
    inner = project.path / "inner"
    inner.mkdir()
    for path in (project.write(), project.path / "mine.py"):
        path.rename(inner / path.name)
    project.write_data("here", 31)
    project.write_data("there", 32).rename(inner / "there.jsonl")

    for name, segments in (("here", 31), ("there", 32)):
        run = project.run_json(f"--shakeproof-data=data.jsonl={name}.jsonl")
        assert run["checklists"][0]["data"][0]["segments"] == segments


def test_help_shows_every_option_once_for_the_command_line_and_once_for_the_ini_file(project):
    shown = project.runpytest("--help").stdout.str()

    for name in OPTIONS:
        assert len(re.findall(rf"^  --shakeproof-{name}\b", shown, re.MULTILINE)) == 1
        assert len(re.findall(rf"^  {ini_name(name)}\b", shown, re.MULTILINE)) == 1
