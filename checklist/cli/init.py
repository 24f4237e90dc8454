"""`shakeproof init`: write a starter checklist or samples, and a CI workflow that runs it."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from importlib.resources import files
from pathlib import Path

from shakeproof.cli.common import Commands, add_command, make_folder
from shakeproof.cli.schema import modeline, schema_text
from shakeproof.cli.starters import CHECKLIST
from shakeproof.cli.terminal import say
from shakeproof.errors import SpecError
from shakeproof.files import shown_path, write_text
from shakeproof.runs.arguments import CHECKLIST_SUFFIXES

EXAMPLE = """\
  shakeproof init
  shakeproof init --demo
  shakeproof init --judge
  shakeproof init checks --ci github
  pytest"""
NAME = "starter"
SCHEMA = "checklist.schema.json"
DEMO = ("noise.checklist.yaml", "paraphrases.checklist.yaml")  # of the folder samples
JUDGE = ("judge-bias.checklist.yaml",)
OUTPUTS = "--shakeproof-report=report.html --shakeproof-json=run.json"
WORKFLOWS = {  # where each file goes, and its name in the folder samples/ci
    "github": {
        ".github/workflows/shakeproof.yml": "github.yml",
        ".github/workflows/shakeproof-comment.yml": "github-comment.yml",
    },
    "gitlab": {".gitlab-ci.yml": "gitlab.yml"},
}
GITLAB = Path(".gitlab-ci.yml")
GITLAB_INCLUDED = Path(".gitlab/shakeproof.gitlab-ci.yml")  # where the project has GITLAB already
NEXT_STEPS = (
    "next: commit these files, and a baseline that later runs are compared with:",
    "  pytest --shakeproof-json=run.json",
    "  shakeproof baseline update run.json",
)


def add(commands: Commands) -> None:
    """Add the command."""
    command = add_command(
        commands,
        "init",
        run,
        summary="Write a commented starter checklist and, with --ci, a workflow",
        example=EXAMPLE,
    )
    command.add_argument(
        "folder", nargs="?", type=Path, default=Path(), help="default: the working folder"
    )
    command.add_argument("--name", help=f"name of the checklist; default: {NAME}")
    command.add_argument(
        "--demo", action="store_true", help=f"write the demo instead: {' and '.join(DEMO)}"
    )
    command.add_argument(
        "--judge",
        action="store_true",
        help=f"write a checklist for the biases of judges instead: {JUDGE[0]}",
    )
    command.add_argument(
        "--ci",
        action="append",
        choices=tuple(WORKFLOWS),
        default=[],
        help="also write CI workflows in the working folder, with caches, a report and what "
        "changed since the baseline; may be given twice; a checklist that the folder has already "
        "is left as it is",
    )


def run(args: argparse.Namespace) -> int:
    """Write all files, or none if one of them exists; --ci keeps the checklists of the folder."""
    samples = (*(DEMO if args.demo else ()), *(JUDGE if args.judge else ()))
    if samples and args.name:
        option = "--demo" if args.demo else "--judge"
        raise SpecError(f"{option} takes no --name; it writes " + " and ".join(samples))
    texts = {path: text for ci in args.ci for path, text in workflow_files(ci).items()}
    kept = _checklists(args.folder, args.name) if args.ci and not samples else []
    if not kept:
        texts = {**_new_files(args.folder, args.name, samples), **texts}
    for path in texts:
        if path.exists() and path.name != SCHEMA:
            raise SpecError(f"{shown_path(path)}: exists already; nothing was written")
    for path in kept:
        say(f"{shown_path(path)} exists already; left as it is")
    for path, text in texts.items():
        make_folder(path.parent)
        write_text(path, text)
        say(f"{shown_path(path)} written")
    if args.demo:
        say(f"run it: pytest {shown_path(args.folder)} {OUTPUTS}")
    else:
        say(f"run it: pytest {shown_path(args.folder if kept else next(iter(texts)))}")
    if GITLAB_INCLUDED in texts:
        say(f"add this line to {GITLAB}: include: {GITLAB_INCLUDED}")
    for line in NEXT_STEPS if args.ci else ():
        say(line)
    return 0


def workflow_files(ci: str) -> dict[Path, str]:
    """Return the texts of the files that a CI service reads, by path."""
    folder = files("shakeproof") / "samples" / "ci"
    texts = {Path(path): (folder / file).read_text("utf-8") for path, file in WORKFLOWS[ci].items()}
    if GITLAB in texts and GITLAB.exists():
        texts[GITLAB_INCLUDED] = texts.pop(GITLAB)
    return texts


def _new_files(folder: Path, name: str | None, samples: Sequence[str]) -> dict[Path, str]:
    """Return the samples that are asked for, or else a starter checklist with its schema."""
    if samples:
        shipped = files("shakeproof") / "samples"
        return {folder / file: (shipped / file).read_text("utf-8") for file in samples}
    checklist = folder / f"{name or NAME}.checklist.yaml"
    starter = CHECKLIST.format(modeline=modeline(SCHEMA))
    return {checklist: starter, folder / SCHEMA: schema_text()}


def _checklists(folder: Path, name: str | None) -> list[Path]:
    """List the checklists of a folder, or only the one that --name asks for."""
    files = sorted(folder.iterdir()) if folder.is_dir() else []
    names = [f"{name}{suffix}" for suffix in CHECKLIST_SUFFIXES] if name else []
    checklists = [file for file in files if file.name.endswith(CHECKLIST_SUFFIXES)]
    return [file for file in checklists if not names or file.name in names]
