"""Run the shell steps of a GitHub workflow or composite action on this machine, in a folder.

    python tools/dry_run.py action.yml --folder REPOSITORY --temp FOLDER --input install=none \
        --github event_name=pull_request --github base_ref=main --github event.pull_request.number=7

Steps that use other actions are not run: artifacts are copied from and to the folder `artifacts` of
--temp, and everything else (checkout, Python, caches) is only listed.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ruamel.yaml import YAML

Values = Mapping[str, str]

EXPRESSION = re.compile(r"\$\{\{(.*?)\}\}", re.DOTALL)
TOKEN = re.compile(r"\s*('(?:[^']|'')*'|&&|\|\||==|!=|!|\(|\)|,|[A-Za-z_][\w.-]*)")
OPERATORS = {"&&": " and ", "||": " or ", "!": " not "}
STATUS = ("always", "cancelled", "failure", "success")


@dataclass(frozen=True, slots=True)
class Step:
    """A step that was run, listed or skipped."""

    name: str
    outcome: str  # success, failure, skipped
    output: str = ""


@dataclass(slots=True)
class Job:
    """What the steps of a job know: contexts, variables, folders, and how they went so far."""

    folder: Path
    temp: Path
    github: Values
    inputs: Values = field(default_factory=dict)
    env: Values = field(default_factory=dict)
    outcomes: dict[str, str] = field(default_factory=dict)
    failed: bool = False

    def value(self, name: str) -> str:
        """Return a value of a context, such as github.base_ref; "" if there is none."""
        context, _, key = name.partition(".")
        match context:
            case "github":
                return self.github.get(key, "")
            case "inputs":
                return self.inputs.get(key, "")
            case "env":
                return self.env.get(key, "")
            case "runner":
                return {"temp": str(self.temp), "os": "Linux"}.get(key, "")
            case "steps":
                step, _, part = key.partition(".")
                return self.outcomes.get(step, "") if part == "outcome" else ""
        raise ValueError(f"unknown context: {name}")

    def evaluate(self, expression: str) -> object:
        """Evaluate an expression of a workflow: names, texts, comparisons and a few functions."""
        source, at = "", 0
        while at < len(expression.rstrip()):
            match = TOKEN.match(expression, at)
            if match is None:
                raise ValueError(f"not understood: {expression}")
            source, at = source + self._translated(match[1]), match.end()
        functions = {
            "always": lambda: True,
            "cancelled": lambda: False,
            "failure": lambda: self.failed,
            "success": lambda: not self.failed,
            "hashFiles": lambda *_: "hash",
        }
        result: object = eval(source.strip(), {"__builtins__": {}}, functions)
        return result

    def _translated(self, token: str) -> str:
        if token in OPERATORS:
            return OPERATORS[token]
        if token[0] == "'":
            return repr(token[1:-1].replace("''", "'"))
        if token in (*STATUS, "hashFiles") or not token[0].isalpha():
            return f" {token} "
        return repr(self.value(token))

    def filled(self, text: object) -> str:
        """Replace the expressions of a text."""
        return EXPRESSION.sub(lambda match: str(self.evaluate(match[1])), str(text))


def run_steps(steps: Sequence[Mapping[str, Any]], job: Job) -> list[Step]:
    """Run all steps whose condition holds; after a failure only those that ask for it."""
    return [run_step(step, job) for step in steps]


def run_step(step: Mapping[str, Any], job: Job) -> Step:
    """Run one step, and note how it went."""
    name = step.get("name") or step.get("uses", "")
    condition = str(step.get("if", "success()"))
    if not any(f"{function}()" in condition for function in STATUS):
        condition = f"success() && ({condition})"
    if not job.evaluate(condition):
        return Step(name, "skipped")
    outcome, output = use_action(step, job) if "uses" in step else run_shell(step, job)
    job.outcomes[step.get("id", name)] = outcome
    job.failed |= outcome == "failure" and not step.get("continue-on-error")
    return Step(name, outcome, output)


def run_shell(step: Mapping[str, Any], job: Job) -> tuple[str, str]:
    """Run the commands of a step as GitHub does."""
    if EXPRESSION.search(step["run"]):
        raise ValueError(f"an expression in the commands of {step.get('name')}; use env")
    options = "-eo pipefail" if step.get("shell") == "bash" else "-e"
    script = job.temp / "step.sh"
    script.write_text(step["run"], encoding="utf-8")
    own = {name: job.filled(value) for name, value in step.get("env", {}).items()}
    done = subprocess.run(
        ["bash", "--noprofile", "--norc", *options.split(), str(script)],
        cwd=job.folder,
        env={**os.environ, **default_variables(job), **job.env, **own},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    return "failure" if done.returncode else "success", done.stdout


def default_variables(job: Job) -> dict[str, str]:
    """Return the variables that GitHub sets."""
    return {
        "CI": "true",
        "GITHUB_SHA": job.value("github.sha"),
        "GITHUB_REPOSITORY": job.value("github.repository"),
        "GITHUB_ACTION_PATH": job.value("github.action_path"),
        "GITHUB_STEP_SUMMARY": str(job.temp / "summary"),
        "RUNNER_TEMP": str(job.temp),
    }


def use_action(step: Mapping[str, Any], job: Job) -> tuple[str, str]:
    """Copy artifacts; list any other action."""
    action = step["uses"].partition("@")[0]
    options = {name: job.filled(value) for name, value in step.get("with", {}).items()}
    artifacts = job.temp / "artifacts" / options.get("name", "")
    if action == "actions/upload-artifact":
        copied = [copy(job.folder / path, artifacts) for path in options["path"].split()]
        return "success", " ".join(filter(None, copied))
    if action == "actions/download-artifact":
        return "success" if copy(artifacts, Path(options["path"])) else "failure", ""
    return "success", f"not run: {options}"


def copy(path: Path, folder: Path) -> str:
    """Copy a file, or what is in a folder, into a folder; "" if there is nothing."""
    if path.is_dir():
        shutil.copytree(path, folder, dirs_exist_ok=True, symlinks=True)
    elif path.is_file():
        folder.mkdir(parents=True, exist_ok=True)
        shutil.copy(path, folder)
    else:
        return ""
    return path.name


def run_file(path: Path, job: Job) -> list[Step]:
    """Run the steps of a composite action, or of the only job of a workflow."""
    content = YAML(typ="safe").load(path.read_text(encoding="utf-8"))
    job.temp.mkdir(parents=True, exist_ok=True)
    if "runs" in content:
        inputs = content.get("inputs") or {}
        defaults = {name: str(value.get("default", "")) for name, value in inputs.items()}
        job.inputs = {**defaults, **job.inputs}
        return run_steps(content["runs"]["steps"], job)
    (only,) = content["jobs"].values()
    job.env = {**content.get("env", {}), **only.get("env", {}), **job.env}
    return run_steps(only["steps"], job) if job.evaluate(only.get("if", "always()")) else []


def main() -> int:
    """Run a file, print what its steps print, and return 1 if one failed."""
    parser = argparse.ArgumentParser(description="Run the shell steps of a workflow or action.")
    parser.add_argument("file", type=Path)
    parser.add_argument("--folder", type=Path, default=Path(), help="the checked out repository")
    parser.add_argument("--temp", type=Path, required=True, help="for artifacts and summary")
    for name in ("input", "github", "env"):
        parser.add_argument(f"--{name}", action="append", default=[], metavar="NAME=VALUE")
    args = parser.parse_args()
    pairs = [[one.split("=", 1) for one in many] for many in (args.github, args.input, args.env)]
    job = Job(args.folder, args.temp.absolute(), *map(dict, pairs))
    for step in run_file(args.file, job):
        sys.stdout.write(f"== {step.name}: {step.outcome}\n{step.output}\n")
    return int(job.failed)


if __name__ == "__main__":
    sys.exit(main())
