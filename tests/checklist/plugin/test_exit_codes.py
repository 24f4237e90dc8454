"""The exit code of a session: failed checks are findings, errors are something else."""

import pytest

from shakeproof.results import ERRORS

BROKEN = "mine:broken"
NO_XDIST_NOISE = ("-p", "no:hypothesispytest", "-p", "no:anyio")


@pytest.mark.parametrize(
    ("cased", "tests", "code"),
    [
        pytest.param("mine:uncased", "def test_a(): pass", 0, id="all pass"),
        pytest.param("mine:cased", "def test_a(): pass", 1, id="a check fails"),
        pytest.param("mine:broken", "def test_a(): pass", ERRORS, id="a metric breaks"),
        pytest.param("mine:broken", "def test_a(): assert 0", ERRORS, id="a test fails too"),
        pytest.param("mine:uncased", "def test_a(): assert 0", 1, id="only a test fails"),
        pytest.param("mine:broken", "import nothing_like_it", 2, id="a module cannot be imported"),
    ],
)
def test_errors_of_checks_and_failures_have_different_exit_codes(project, cased, tests, code):
    project.write(project.capitals.replace("mine:cased", cased))
    project.makepyfile(test_own=tests)

    assert project.runpytest().ret == code


def test_an_error_outweighs_a_failure_because_findings_may_be_incomplete(project):
    more = project.capitals.replace("checks:", "  lost: {python: mine:broken}\nchecks:")
    project.write(more)
    result = project.runpytest("--shakeproof-json=run.json")

    assert result.ret == ERRORS
    assert result.outlines[-1] == "shakeproof: 3 checks: 1 passed, 1 failed, 0 undecided, 1 error"


@pytest.mark.parametrize("first", ["-x", "-q"])
def test_the_session_may_stop_at_the_error(project, first):
    project.write(project.capitals.replace("mine:cased", BROKEN))

    assert project.runpytest(first).ret == ERRORS


def test_severity_and_a_known_failure_do_not_hide_an_error(project):
    keys = "    severity: warn\n    known_failure: {reason: it is cased}\n"
    project.write((project.capitals + keys).replace("mine:cased", BROKEN))

    assert project.runpytest().ret == ERRORS


def test_workers_of_xdist_give_the_same_code(project):
    pytest.importorskip("xdist")
    project.write(project.capitals.replace("mine:cased", BROKEN))

    assert project.runpytest("-n2", *NO_XDIST_NOISE).ret == ERRORS


def test_a_file_that_cannot_be_written_is_a_usage_error_even_beside_an_error(project):
    project.write(project.capitals.replace("mine:cased", BROKEN))
    (project.path / "here").mkdir()

    assert project.runpytest("--shakeproof-json=here").ret == pytest.ExitCode.USAGE_ERROR


def test_the_code_is_none_of_pytest_and_the_help_names_it(project):
    assert ERRORS not in set(pytest.ExitCode)
    project.runpytest("--help").stdout.fnmatch_lines([f"*{ERRORS}: checks ended in an error*"])
