"""A metric that raises: its own checks fail, with the frames of its own code."""

import re
from xml.etree import ElementTree

import pytest


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
