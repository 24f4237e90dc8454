"""`shakeproof compare`: what changed between two archived runs."""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from shakeproof.cli.common import Commands, add_command, add_page_option
from shakeproof.cli.terminal import say, table
from shakeproof.errors import one_line
from shakeproof.files import write_text
from shakeproof.runs.archive import read_run

if TYPE_CHECKING:
    from shakeproof.results import ComparedResult, Result, RunComparison

EXAMPLE = """\
  pytest --shakeproof-json=before.json     (then change the metric, and)
  pytest --shakeproof-json=after.json
  shakeproof compare before.json after.json -o comparison.html"""
PAGE = Path("comparison.html")
MAX_ROWS = 20  # on the terminal; the page has them all
HEADER = ("change", "old", "new", "new - old, interval", "check")


def add(commands: Commands) -> None:
    """Add the command."""
    command = add_command(
        commands,
        "compare",
        run,
        summary="Show what changed from one run to another, paired by segment",
        example=EXAMPLE,
    )
    command.add_argument(
        "old", metavar="OLD.json", type=Path, help="the earlier run, from --shakeproof-json"
    )
    command.add_argument("new", metavar="NEW.json", type=Path, help="the later run")
    add_page_option(command, PAGE)


def run(args: argparse.Namespace) -> int:
    """Write the page, and print the most certain changes."""
    from shakeproof.reports import render_comparison
    from shakeproof.runs.compare import compare_runs

    comparison = compare_runs(read_run(args.old), read_run(args.new))
    write_text(args.output, render_comparison(comparison))
    for line in summary_lines(comparison):
        say(line)
    say(args.output.absolute().as_uri())
    return 0


def summary_lines(comparison: RunComparison) -> Iterator[str]:
    """Yield a summary: the most certain changes first, then what cannot be compared."""
    from shakeproof.reports.comparison import headline
    from shakeproof.results import ChangeKind, counted

    yield headline(comparison)
    unchanged = (ChangeKind.UNCHANGED, ChangeKind.NOT_COMPARABLE)
    changed = [pair for pair in comparison.results if pair.change.kind not in unchanged]
    if changed:
        yield table(HEADER, map(_row, changed[:MAX_ROWS]))
    if len(changed) > MAX_ROWS:
        yield f"{len(changed) - MAX_ROWS} more in the page"
    reasons = Counter(pair.change.reason for pair in comparison.results if pair.change.reason)
    for reason, count in reasons.most_common():
        yield f"not comparable: {counted(count, 'check')}, {reason}"
    for name, results in (("old", comparison.only_old), ("new", comparison.only_new)):
        if results:
            yield f"only in the {name} run: {counted(len(results), 'check')}"


def _row(pair: ComparedResult) -> tuple[str, ...]:
    from shakeproof.reports.wording.format import describe_condition

    change, new = pair.change.estimate, pair.new
    numbers = (change.value, change.low, change.high) if change else (None,) * 3
    value, low, high = ("-" if number is None else f"{number:+.3f}" for number in numbers)
    name = one_line(f"{new.metric}: {new.check}, {describe_condition(new)}")
    return pair.change.kind.value, _value(pair.old), _value(new), f"{value} [{low}, {high}]", name


def _value(result: Result) -> str:
    value = result.estimate.value if result.estimate else None
    return "-" if value is None else f"{value:.3f}"
