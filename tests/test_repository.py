"""What maintainers rely on beside the code: the CI workflow and what it runs."""

import re
import subprocess
import sys
from pathlib import Path

import pytest
from ruamel.yaml import YAML

ROOT = Path(__file__).parent.parent
WORKFLOW = ROOT / ".github" / "workflows" / "ci.yml"
SCHEMAS = {".github/workflows/ci.yml": "github-workflows"}


def read_yaml(path):
    return YAML(typ="safe").load(path.read_text(encoding="utf-8"))


def make_targets():
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    return set(re.findall(r"^([a-z-]+):.*## ", makefile, re.MULTILINE))


def steps():
    jobs = read_yaml(WORKFLOW)["jobs"].values()
    return [step for job in jobs for step in job["steps"]]


@pytest.mark.parametrize(("name", "schema"), SCHEMAS.items())
def test_a_file_for_github_follows_its_published_schema(name, schema):
    command = [sys.executable, "-m", "check_jsonschema", "--builtin-schema", f"vendor.{schema}"]
    done = subprocess.run([*command, ROOT / name], capture_output=True, text=True, check=False)

    assert done.returncode == 0, done.stdout + done.stderr


def test_the_workflow_runs_nothing_but_make_targets():
    commands = [step["run"].split() for step in steps() if "run" in step]

    assert commands
    assert {command[0] for command in commands} == {"make"}
    assert {target for command in commands for target in command[1:]} <= make_targets()


def test_the_workflow_tests_every_python_that_the_package_names():
    versions = read_yaml(WORKFLOW)["jobs"]["test"]["strategy"]["matrix"]["python"]

    assert versions == ["3.11", "3.12", "3.13"]


def test_the_workflow_may_only_read():
    assert read_yaml(WORKFLOW)["permissions"] == {"contents": "read"}


def test_actions_are_named_by_their_major_version():
    actions = {step["uses"] for step in steps() if "uses" in step}

    assert all(re.fullmatch(r"actions/[a-z-]+@v\d+", action) for action in actions)
