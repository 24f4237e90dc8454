"""`shakeproof baseline`: the numbers that a repository keeps, to compare later runs with."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from shakeproof.cli import compare
from shakeproof.cli.cache import format_size
from shakeproof.cli.common import Commands, add_command, make_folder
from shakeproof.cli.terminal import say, table
from shakeproof.errors import SpecError, one_line, unknown
from shakeproof.files import shown_path, write_text

if TYPE_CHECKING:
    from shakeproof.results import Result, Run
    from shakeproof.runs.baseline import Baseline

EXAMPLE = """\
  pytest --shakeproof-json=run.json
  shakeproof baseline update run.json      (then commit shakeproof-baseline.jsonl)
  shakeproof baseline diff shakeproof-baseline.jsonl run.json"""
UPDATE_EXAMPLE = """\
  shakeproof baseline update run.json
  shakeproof baseline update run.json --accept --only "capitals do not matter\""""
SHOW_EXAMPLE = "  shakeproof baseline show"
DIFF_EXAMPLE = """\
  shakeproof baseline diff
  shakeproof baseline diff main.jsonl run.json --markdown comment.md"""
FILE = Path("shakeproof-baseline.jsonl")
RUN = Path("run.json")
HEADER = ("estimate", "interval", "segments", "outcome", "check")


def add(commands: Commands) -> None:
    """Add the command with its three actions."""
    command = add_command(
        commands,
        "baseline",
        run=lambda _: 0,
        summary="Update, show or compare the numbers that a repository keeps",
        example=EXAMPLE,
    )
    actions = command.add_subparsers(title="actions", metavar="ACTION", required=True)
    _add_update(actions)
    _add_show(actions)
    _add_diff(actions)


def _add_update(actions: Commands) -> None:
    command = add_command(
        actions,
        "update",
        update,
        summary="Add new checks of a run, and replace those that are significantly better",
        example=UPDATE_EXAMPLE,
    )
    _add_run(command)
    command.add_argument(
        "-o", "--output", type=Path, default=FILE, metavar="FILE", help=f"default: {FILE}"
    )
    command.add_argument(
        "--only",
        action="append",
        default=[],
        metavar="CHECK",
        help="a check by its name or the beginning of its id; may be given several times",
    )
    command.add_argument(
        "--accept", action="store_true", help="also replace checks that are not better"
    )


def _add_show(actions: Commands) -> None:
    command = add_command(
        actions, "show", show, summary="Print the checks of a baseline", example=SHOW_EXAMPLE
    )
    _add_base(command)


def _add_diff(actions: Commands) -> None:
    command = add_command(
        actions,
        "diff",
        compare.run,
        summary="Show what changed since a baseline, the worst first",
        example=DIFF_EXAMPLE,
    )
    _add_base(command, name="old")
    _add_run(command, name="new")
    command.add_argument("-o", "--output", type=Path, metavar="FILE", help="a page to write")
    compare.add_comparison_options(command)


def _add_base(command: argparse.ArgumentParser, name: str = "file") -> None:
    command.add_argument(
        name,
        nargs="?",
        type=Path,
        default=FILE,
        metavar="BASELINE",
        help=f"a baseline or run.json; default: {FILE}",
    )


def _add_run(command: argparse.ArgumentParser, name: str = "run_json") -> None:
    command.add_argument(
        name,
        nargs="?",
        type=Path,
        default=RUN,
        metavar="RUN.json",
        help=f"a run, from --shakeproof-json; default: {RUN}",
    )


def update(args: argparse.Namespace) -> int:
    """Write the baseline, and print what is new in it."""
    from shakeproof.runs.baseline import read_baseline, renewed
    from shakeproof.runs.baseline_file import baseline_text, read_stored_run

    compare.check_exists(args.run_json)
    new = _selected(read_stored_run(args.run_json), args.only)
    old = read_baseline(args.output) if args.output.exists() else None
    later = renewed(old, new, accept=args.accept)
    text = baseline_text(args.output, later)
    make_folder(args.output.parent)
    write_text(args.output, text)
    for line in _update_lines(old, new, later):
        say(line)
    say(f"{shown_path(args.output)} written: {format_size(len(text.encode()))}; commit it")
    return 0


def _selected(run: Run, only: Sequence[str]) -> Run:
    """Return the run with the results that --only names; SpecError for a name of none."""
    if not only:
        return run
    for name in only:
        if not any(_is_named(result, name) for result in run.results):
            raise unknown("check", name, {result.check for result in run.results})
    results = [r for r in run.results if any(_is_named(r, name) for name in only)]
    files = {result.file for result in results}
    records = tuple(record for record in run.checklists if record.file in files)
    return run.model_copy(update={"results": tuple(results), "checklists": records})


def _is_named(result: Result, name: str) -> bool:
    return name in (result.check, result.id) or result.id.startswith(f"{name}::")


def _update_lines(old: Baseline | None, new: Run, later: Run) -> Iterator[str]:
    """Count what was added, replaced, kept and removed, and name the way to store losses."""
    from shakeproof.results import counted

    before = old.results if old else {}
    stored = {result.id: result for result in later.results}
    both = [name for name in stored if name in before]
    replaced = {name for name in both if stored[name].estimate != before[name].estimate}
    yield (
        f"{counted(len(stored), 'check')}: {len(stored) - len(both)} added, "
        f"{len(replaced)} replaced, {len(both) - len(replaced)} kept, "
        f"{len(before) - len(both)} removed"
    )
    losses = old.losses(new) - replaced if old else set()
    if losses:
        yield f"{counted(len(losses), 'check')} changed for the worse; --accept stores that too"


def show(args: argparse.Namespace) -> int:
    """Print a line for each check."""
    from shakeproof.results import counted
    from shakeproof.runs.baseline import read_baseline

    compare.check_exists(args.file)
    results = sorted(read_baseline(args.file).run.results, key=lambda result: result.id)
    if not results:
        raise SpecError(f"{shown_path(args.file)}: no check in it")
    say(table(HEADER, map(_row, results)))
    size = format_size(args.file.stat().st_size)
    say(f"{shown_path(args.file)}: {counted(len(results), 'check')}, {size}")
    return 0


def _row(result: Result) -> tuple[str, ...]:
    from shakeproof.reports.wording.format import interval, number

    estimate = result.estimate
    value = number(estimate.value if estimate else None)
    segments = f"{estimate.segments:,}" if estimate else "-"
    name = one_line(result.id)
    return value, interval(estimate), segments, result.outcome.value, name
