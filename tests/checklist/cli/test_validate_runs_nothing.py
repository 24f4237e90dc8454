"""`shakeproof validate` looks up what a checklist names, and executes nothing of it."""

import pytest

from shakeproof.cli.main import main

CHECKLIST = """\
data: sample
families:
  mine: {python: my_families:shout, level: switch}
  both: {chain: [lower-case, mine]}
metrics:
  own: {python: my_metric:score}
  inner: {python: outer.inner:score}
  free: {python-free: my_metric:score}
  program: {command: {run: [./rate.py], version: "1"}}
  script: {evaluate: ./rate.py}
checks:
  - check: capitals
    metrics: [own, program]
    perturb: {mine: {on: candidate}}
    expect: {score_change: {at_most: 0.2}}
  - check: mine
    metrics: [inner]
    expect: {python: {statistic: "my_statistics:Ties", at_most: 0.5}}
"""
LEAVES_A_MARK = "#!/usr/bin/env python3\nfrom pathlib import Path\nPath({!r}).touch()\n"
FUNCTIONS = """
def shout(text, level, rng): return text.upper()
def score(candidate, reference): return 1.0
class Ties: pass
"""


@pytest.fixture
def mark(folder, monkeypatch):
    """A file that appears as soon as any code of the project runs."""
    mark = folder / "executed"
    code = LEAVES_A_MARK.format(str(mark)) + FUNCTIONS
    (folder / "outer").mkdir()
    modules = ("my_families", "my_metric", "my_statistics", "conftest", "rate", "outer/inner")
    for name in (*modules, "outer/__init__"):
        (folder / f"{name}.py").write_text(code)
    (folder / "rate.py").chmod(0o755)
    (folder / "c.checklist.yaml").write_text(CHECKLIST)
    monkeypatch.syspath_prepend(folder)
    return mark


def test_validate_executes_nothing_of_the_user(mark, capsys):
    assert main(["validate"]) == 0
    assert "5 metrics, 2 checks, 3 items" in capsys.readouterr().out
    assert not mark.exists()


def test_run_code_imports_conftests_and_families(mark, capsys):
    assert main(["validate", "--run-code"]) == 0
    assert mark.exists()


def test_a_name_that_conftest_may_register_is_explained(folder, mark, capsys):
    path = folder / "c.checklist.yaml"
    path.write_text(CHECKLIST.replace("python-free: my_metric:score", "registered: {}"))

    assert main(["validate"]) == 2
    *_, last = capsys.readouterr().err.splitlines()
    assert last == "conftest.py was not imported; if it registers names, use validate --run-code"
    assert not mark.exists()


def test_a_family_that_is_no_plain_function_says_how_to_check_it(folder, mark, capsys):
    (folder / "my_families.py").write_text("shout = make_family()\n")

    assert main(["validate"]) == 2
    assert "must be imported to be checked; validate --run-code does" in capsys.readouterr().err


def test_a_misspelt_function_is_found_without_running_the_module(folder, mark, capsys):
    path = folder / "c.checklist.yaml"
    path.write_text(CHECKLIST.replace("my_families:shout", "my_families:shuot"))

    assert main(["validate"]) == 2
    assert "did you mean 'shout'?" in capsys.readouterr().err
    assert not mark.exists()
