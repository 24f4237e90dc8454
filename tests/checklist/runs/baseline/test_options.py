"""The plugin's options for a baseline: compared, updated, and what they need."""

import json

import pytest
from baseline_runs import CHECKLIST, FAILING, GOOD, WORSE

from shakeproof.errors import SpecError

FILE = "--shakeproof-baseline=base.json"


@pytest.fixture
def project(pytester):
    pytester.makefile(".py", mine=GOOD)
    pytester.makefile(".checklist.yaml", b=CHECKLIST.replace('version: "VERSION"', "version: '1'"))
    return pytester


def test_only_regressions_without_a_baseline_is_refused(run, project):
    with pytest.raises(SpecError, match="only_regressions=True needs baseline=FILE"):
        run(only_regressions=True)
    result = project.runpytest("--shakeproof-only-regressions")

    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(["*--shakeproof-only-regressions needs --shakeproof-baseline=FILE"])


def test_pytest_passes_where_nothing_got_worse(project):
    project.makefile(".checklist.yaml", b=FAILING.replace('version: "VERSION"', "version: '1'"))
    project.runpytest(FILE, "--shakeproof-update-baseline").assert_outcomes(passed=1, failed=1)
    result = project.runpytest(FILE, "--shakeproof-only-regressions")

    result.assert_outcomes(passed=1, xfailed=1)
    assert result.ret == 0


def test_pytest_writes_a_baseline_fails_a_regression_and_keeps_the_better_numbers(project):
    first = project.runpytest(FILE, "--shakeproof-update-baseline")
    first.assert_outcomes(passed=2)
    before = json.loads((project.path / "base.json").read_text())
    project.makefile(".py", mine=WORSE)
    project.makefile(".checklist.yaml", b=CHECKLIST.replace('version: "VERSION"', "version: '2'"))
    second = project.runpytest_subprocess(
        FILE, "--shakeproof-update-baseline", "--shakeproof-json=run.json", "-p", "no:cacheprovider"
    )

    second.assert_outcomes(passed=1, failed=1)
    second.stdout.fnmatch_lines(["worse by 0.*> 0.005 allowed since base.json; correlation *"])
    after = json.loads((project.path / "base.json").read_text())
    assert after["results"][0]["estimate"] == before["results"][0]["estimate"]
    run = json.loads((project.path / "run.json").read_text())
    assert run["baseline"] == "base.json"
    assert run["results"][0]["outcome"] == "failed"
    assert run["results"][0]["change"]["estimate"]["value"] < 0


def test_pytest_writes_lines_where_the_file_is_named_so_and_fails_a_regression(project):
    lines = "--shakeproof-baseline=base.jsonl"
    project.runpytest(lines, "--shakeproof-update-baseline").assert_outcomes(passed=2)
    project.makefile(".py", mine=WORSE)
    project.makefile(".checklist.yaml", b=CHECKLIST.replace('version: "VERSION"', "version: '2'"))
    second = project.runpytest_subprocess(lines, "-p", "no:cacheprovider")

    second.assert_outcomes(passed=1, failed=1)
    second.stdout.fnmatch_lines(["worse by 0.*> 0.005 allowed since base.jsonl; correlation *"])
    assert (project.path / "base.jsonl").read_text().startswith('{"schema_version":"shakeproof-b')


def test_updating_without_naming_a_baseline_is_refused(project):
    result = project.runpytest("--shakeproof-update-baseline")

    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(["*--shakeproof-update-baseline needs --shakeproof-baseline=FILE*"])


def test_a_baseline_that_is_not_there_is_one_line_that_says_how_to_write_it(project):
    result = project.runpytest(FILE)

    (line,) = [line for line in result.outlines if line.startswith("base.json")]
    assert line == "base.json: no such file; pytest --shakeproof-update-baseline writes it"
    assert "Traceback" not in result.stdout.str()
