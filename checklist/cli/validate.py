"""`shakeproof validate`: report all mistakes in checklists and their data."""

from __future__ import annotations

import argparse
from pathlib import Path

from shakeproof.cli.common import Commands, add_command
from shakeproof.cli.terminal import complain, say
from shakeproof.errors import SpecError
from shakeproof.runs.arguments import CHECKLIST_SUFFIXES

EXAMPLE = """\
  shakeproof validate noise.checklist.yaml
  noise.checklist.yaml:14:15: unknown perturbation 'vissual'; did you mean 'visual'?"""

NAME_MISTAKES = ("unknown ", "no such file")  # of names that conftest.py may register
DESCRIPTION = """\
Report all mistakes in checklists and their data, without loading a model.

Nothing that a checklist names is run: neither conftest.py, nor functions, nor programs. pytest runs
them with your permissions, so read a checklist of somebody else before you run it."""


def add(commands: Commands) -> None:
    """Add the command."""
    command = add_command(
        commands,
        "validate",
        run,
        summary="Report all mistakes in checklists and their data, without loading a model",
        example=EXAMPLE,
    )
    command.description = DESCRIPTION
    command.add_argument("files", nargs="*", metavar="FILE", help="checklists, or folders of them")
    command.add_argument("--no-data", action="store_true", help="do not read the data")
    command.add_argument(
        "--resolved",
        action="store_true",
        help="print the checklist with all that it extends and with the values of environment "
        "variables, as one file",
    )
    command.add_argument(
        "--run-code",
        action="store_true",
        help="import conftest.py and families written in Python, to know the names they define",
    )


def run(args: argparse.Namespace) -> int:
    """Validate each file, also those after a file with mistakes."""
    valid = True
    paths = find_checklists(args.files or ["."])
    if args.resolved and len(paths) > 1:
        raise SpecError(f"--resolved prints one checklist, got {len(paths)}; name one FILE")
    for path in paths:
        try:
            counts = _validate(path, with_data=not args.no_data, run_code=args.run_code)
            say(_resolved(path) if args.resolved else counts)
        except SpecError as error:
            complain(str(error))
            if not args.run_code and any(words in str(error) for words in NAME_MISTAKES):
                _explain_conftests(path)
            valid = False
    return 0 if valid else 2


def _explain_conftests(path: Path) -> None:
    """Say that names may be unknown because conftest.py was not imported."""
    from shakeproof.files import shown_path
    from shakeproof.runs.conftests import find_conftests

    if found := find_conftests(path):
        name = shown_path(found[-1])
        complain(f"{name} was not imported; if it registers names, use validate --run-code")


def find_checklists(names: list[str]) -> list[Path]:
    """List the named files, and all checklists below the named folders."""
    paths = [path for name in names for path in _checklists_below(Path(name))]
    if not paths:
        raise SpecError(f"no *.checklist.yaml in {', '.join(names)}; shakeproof init writes one")
    return paths


def _checklists_below(path: Path) -> list[Path]:
    if not path.is_dir():
        return [path]
    return sorted(
        file
        for file in path.rglob("*")
        if file.name.endswith(CHECKLIST_SUFFIXES)
        and not any(part.startswith(".") for part in file.relative_to(path).parts)
    )


def _resolved(path: Path) -> str:
    """Return a checklist with all that it extends, as YAML."""
    from shakeproof.spec.read import load_resolved

    return load_resolved(path, rootdir=Path.cwd()).rstrip("\n")


def _validate(path: Path, *, with_data: bool, run_code: bool) -> str:
    """Read a checklist and return the counts of what it has; SpecError with all its mistakes."""
    from shakeproof.files import shown_path
    from shakeproof.metrics.settings import Settings
    from shakeproof.plan.items import make_plan, planned_items
    from shakeproof.results import counted
    from shakeproof.runs.conftests import import_conftests
    from shakeproof.spec.model import split_data_sets
    from shakeproof.spec.read import load

    if run_code:
        import_conftests(path)
    rootdir = Path.cwd()
    checklist = load(path, rootdir=rootdir, run_code=run_code, partial=True)
    if not checklist.checks:
        names = [counted(len(checklist.metrics), "metric"), "no checks"]
        return f"{shown_path(path)}: {', '.join(names)}, so others can extend it; no mistakes"
    parts = split_data_sets(checklist)
    settings = Settings(offline=True, rootdir=rootdir)
    plans = [make_plan(part, settings) for part in parts] if with_data else []
    items = [len(plan.items) for plan in plans] or [len(list(planned_items(checklist)))]
    counts = [
        counted(len(checklist.metrics), "metric"),
        counted(len(checklist.checks), "check"),
        counted(sum(items) if plans else len(parts) * items[0], "item"),
    ]
    notes: list[str] = []
    if plans:
        counts.append(counted(sum(len(plan.segments) for plan in plans), "segment"))
        notes = [
            f"  metric {name!r} cannot run here: {reason}"
            for name, reason in plans[0].failures.items()
        ]
    return "\n".join([f"{shown_path(path)}: {', '.join(counts)}; no mistakes", *notes])
