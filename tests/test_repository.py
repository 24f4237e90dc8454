"""What maintainers rely on beside the code: workflow, issue forms, citation, pre-commit."""

import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from ruamel.yaml import YAML

ROOT = Path(__file__).parent.parent
WORKFLOW = ROOT / ".github" / "workflows" / "ci.yml"
SCHEMAS = {
    ".github/workflows/ci.yml": "github-workflows",
    ".github/ISSUE_TEMPLATE/bug_report.yml": "github-issue-forms",
    ".github/ISSUE_TEMPLATE/feature_request.yml": "github-issue-forms",
    ".github/ISSUE_TEMPLATE/config.yml": "github-issue-config",
    "CITATION.cff": "citation-file-format",
}
SETTINGS = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


def read_yaml(path):
    return YAML(typ="safe").load(path.read_text(encoding="utf-8"))


def make_targets():
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    return set(re.findall(r"^([a-z-]+):.*## ", makefile, re.MULTILINE))


def steps():
    jobs = read_yaml(WORKFLOW)["jobs"].values()
    return [step for job in jobs for step in job["steps"]]


@pytest.mark.parametrize(("name", "schema"), SCHEMAS.items())
def test_a_file_that_others_read_follows_its_published_schema(name, schema):
    command = [sys.executable, "-m", "check_jsonschema", "--builtin-schema", f"vendor.{schema}"]
    done = subprocess.run([*command, ROOT / name], capture_output=True, text=True, check=False)

    assert done.returncode == 0, done.stdout + done.stderr


def test_the_workflow_runs_nothing_but_make_targets():
    commands = [step["run"].split() for step in steps() if "run" in step]

    assert commands
    assert {command[0] for command in commands} == {"make"}
    assert {target for command in commands for target in command[1:]} <= make_targets()


def test_the_workflow_tests_every_python_that_the_package_names():
    tested = read_yaml(WORKFLOW)["jobs"]["test"]["strategy"]["matrix"]["python"]
    classifiers = SETTINGS["project"]["classifiers"]
    named = [name.rpartition(" ")[2] for name in classifiers if " :: 3." in name]

    assert tested == named


def test_the_workflow_may_only_read():
    assert read_yaml(WORKFLOW)["permissions"] == {"contents": "read"}


def test_actions_are_named_by_their_major_version():
    actions = {step["uses"] for step in steps() if "uses" in step}

    assert all(re.fullmatch(r"actions/[a-z-]+@v\d+", action) for action in actions)


def test_pre_commit_has_the_pinned_ruff_and_leaves_the_broken_files_alone():
    settings = read_yaml(ROOT / ".pre-commit-config.yaml")
    (ruff,) = (repo for repo in settings["repos"] if repo["repo"].endswith("/ruff-pre-commit"))
    pins = (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
    broken = (ROOT / "tests" / "checklist" / "spec" / "broken").iterdir()
    names = [path.relative_to(ROOT).as_posix() for path in broken]

    assert f"ruff=={ruff['rev'].removeprefix('v')}" in pins
    assert names
    assert all(re.search(settings["exclude"], name) for name in names)


def test_type_checkers_and_editors_read_the_links_that_make_lays_out():
    (links,) = re.findall(r"^TYPED := (.*)$", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE)

    assert SETTINGS["tool"]["pyright"]["extraPaths"] == [links]
    assert SETTINGS["tool"]["mypy"]["mypy_path"].endswith(f"/{links}")
