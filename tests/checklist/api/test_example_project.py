"""The example project of the documentation, run by real pytest on a copy."""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

DOCS = Path(__file__).parents[3] / "docs"
PAGE = (DOCS / "extending.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"```\w+\n(.*?)```", PAGE, re.DOTALL)
FILES = {
    path.name: path.read_text(encoding="utf-8")
    for path in (DOCS / "example").iterdir()
    if path.is_file()
}


@pytest.fixture
def project(tmp_path):
    """A copy of the example, in a folder below the root of a project."""
    folder = tmp_path / "example"
    folder.mkdir()
    (tmp_path / "pytest.ini").write_text("[pytest]\n")
    for name in FILES:
        shutil.copy(DOCS / "example" / name, folder)
    return folder


def run(folder, *arguments):
    without = [f"-pno:{name}" for name in ("cacheprovider", "hypothesispytest", "anyio")]
    command = [sys.executable, "-m", "pytest", *without, *arguments]
    plain = {key: value for key, value in os.environ.items() if not key.startswith("PYTEST")}
    return subprocess.run(
        command, cwd=folder, env=plain, capture_output=True, text=True, timeout=600, check=False
    )


@pytest.mark.parametrize("mode", ["prepend", "importlib"])
def test_the_example_passes(project, mode):
    done = run(project, f"--import-mode={mode}", "--shakeproof-json=run.json")

    assert done.returncode == 0, done.stdout + done.stderr
    assert "38 passed" in done.stdout
    results = json.loads((project / "run.json").read_text(encoding="utf-8"))["results"]
    families = {result["family"] for result in results}
    assert families == {None, "shout", "hurried", "no-clock", "no-commas", "plain", "sign-off"}
    assert {result["estimate"]["segments"] for result in results} == {60}


def test_plain_pytest_from_above_passes_too(project):
    command = [str(Path(sys.executable).with_name("pytest")), "-q", "example"]
    done = subprocess.run(
        command, cwd=project.parent, capture_output=True, text=True, timeout=600, check=False
    )

    assert done.returncode == 0, done.stdout + done.stderr


def misspelt(project, name, wrong):
    """Misspell the last use of a name, and give what pytest says."""
    path = project / "own.checklist.yaml"
    before, _, after = path.read_text(encoding="utf-8").rpartition(f"{name}: ")
    path.write_text(f"{before}{wrong}: {after}", encoding="utf-8")
    done = run(project)

    assert done.returncode == 2
    assert "Traceback" not in done.stdout
    return done.stdout


@pytest.mark.parametrize(
    ("name", "wrong"),
    [("hurried", "huried"), ("shared-words", "sharedwords"), ("mean_score", "mean-score")],
)
def test_a_misspelt_name_is_told_in_a_line_with_a_suggestion(project, name, wrong):
    line = rf"^own\.checklist\.yaml:\d+:\d+: unknown .* '{wrong}'; did you mean '{name}'\?$"

    assert re.search(line, misspelt(project, name, wrong), re.MULTILINE)


def test_the_readme_shows_the_line_for_a_misspelt_name(project):
    (line,) = re.findall(r"^ {4}(own\.checklist.*)$", FILES["README.md"], re.MULTILINE)

    assert line in misspelt(project, "shout", "shuot").splitlines()


def test_a_name_that_is_built_in_is_refused_in_a_line(project):
    path = project / "conftest.py"
    path.write_text(path.read_text(encoding="utf-8").replace('family("shout"', 'family("visual"'))

    done = run(project)

    assert done.returncode != 0
    assert "family 'visual' is built in; register yours under another name" in done.stderr


def test_a_changed_metric_is_scored_anew(project):
    before = mean_score(project)
    text = FILES["conftest.py"].replace(
        "len(words & expected) / max(len(words |", "len(words) / max(len(words |"
    )
    (project / "conftest.py").write_text(text, encoding="utf-8")

    assert mean_score(project) > before


def mean_score(project):
    done = run(project, "-k", "words and clean", "--shakeproof-json=run.json")
    assert done.returncode == 0, done.stdout + done.stderr
    run_json = json.loads((project / "run.json").read_text(encoding="utf-8"))
    return run_json["results"][0]["estimate"]["value"]


def test_the_page_shows_the_code_of_the_example():
    code = "\n".join(FILES.values())

    assert len(BLOCKS) == 10
    assert [block for block in BLOCKS if block not in code] == []
