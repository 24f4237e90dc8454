"""`shakeproof validate`: find every mistake of checklists and their data."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path

from shakeproof.cli.common import Commands, add_command
from shakeproof.cli.terminal import complain, say
from shakeproof.errors import SpecError

SUFFIXES = (".checklist.yaml", ".checklist.yml")
EXAMPLE = """\
  shakeproof validate noise.checklist.yaml
  noise.checklist.yaml:14:15: unknown perturbation 'vissual'; did you mean 'visual'?"""


def add(commands: Commands) -> None:
    """Add the command."""
    command = add_command(
        commands,
        "validate",
        run,
        summary="Find all mistakes of checklists and their data, without loading a model",
        example=EXAMPLE,
    )
    command.add_argument("files", nargs="*", metavar="FILE", help="checklists, or folders of them")
    command.add_argument("--no-data", action="store_true", help="do not read the data")


def run(args: argparse.Namespace) -> int:
    """Validate each file; one with mistakes does not keep the others from being read."""
    good = True
    for path in found(args.files or ["."]):
        try:
            say(_account(path, with_data=not args.no_data))
        except SpecError as error:
            complain(str(error))
            good = False
    return 0 if good else 2


def found(names: list[str]) -> list[Path]:
    """List checklists: files as named, folders searched."""
    paths = [path for name in names for path in _below(Path(name))]
    if not paths:
        raise SpecError(f"no *.checklist.yaml in {', '.join(names)}; shakeproof init writes one")
    return paths


def _below(path: Path) -> Iterator[Path]:
    if not path.is_dir():
        yield path
        return
    inside = (one for one in path.rglob("*") if one.name.endswith(SUFFIXES))
    yield from sorted(one for one in inside if not _hidden(one.relative_to(path)))


def _hidden(path: Path) -> bool:
    return any(part.startswith(".") for part in path.parts)


def _account(path: Path, *, with_data: bool) -> str:
    from shakeproof.files import shown_path
    from shakeproof.metrics.settings import Settings
    from shakeproof.plan.items import make_plan, planned_items
    from shakeproof.runs.conftests import import_conftests
    from shakeproof.spec.read import load

    import_conftests(path)
    rootdir = Path.cwd()
    checklist = load(path, rootdir=rootdir)
    counts = [_count(len(checklist.metrics), "metric"), _count(len(checklist.checks), "check")]
    counts.append(_count(len(list(planned_items(checklist))), "item"))
    notes: list[str] = []
    if with_data:
        plan = make_plan(checklist, Settings(offline=True, rootdir=rootdir))
        counts.append(_count(len(plan.segments), "segment"))
        notes = [f"  metric {name!r} cannot run here: {why}" for name, why in plan.failures.items()]
    return "\n".join([f"{shown_path(path)}: {', '.join(counts)}; no mistakes", *notes])


def _count(number: int, word: str) -> str:
    return f"{number:,} {word}" if number == 1 else f"{number:,} {word}s"
