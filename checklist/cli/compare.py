"""`shakeproof compare`: what changed between two archived runs."""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from shakeproof.cli.common import Commands, add_command
from shakeproof.cli.terminal import say, table
from shakeproof.errors import one_line
from shakeproof.files import write_text
from shakeproof.runs.archive import read_run

if TYPE_CHECKING:
    from shakeproof.reports.comparison import ComparedRow, Comparison

EXAMPLE = """\
  pytest --shakeproof-json=before.json     (then change the metric, and)
  pytest --shakeproof-json=after.json
  shakeproof compare before.json after.json -o comparison.html"""
PAGE = Path("comparison.html")
ROWS = 20  # on the terminal; the page has them all
HEADER = ("change", "old", "new", "new - old, interval", "check")


def add(commands: Commands) -> None:
    """Add the command."""
    command = add_command(
        commands,
        "compare",
        run,
        summary="Show what changed from one run to another, in pairs on the same segments",
        example=EXAMPLE,
    )
    command.add_argument("old", metavar="OLD.json", type=Path, help="from --shakeproof-json")
    command.add_argument("new", metavar="NEW.json", type=Path, help="the run it is compared with")
    command.add_argument(
        "-o", "--output", type=Path, default=PAGE, metavar="FILE", help=f"default: {PAGE}"
    )


def run(args: argparse.Namespace) -> int:
    """Write the page, and tell the most certain changes here."""
    from shakeproof.reports import render_comparison
    from shakeproof.reports.comparison import compare

    old, new = read_run(args.old), read_run(args.new)
    write_text(args.output, render_comparison(old, new))
    for line in told(compare(old, new)):
        say(line)
    say(args.output.absolute().as_uri())
    return 0


def told(found: Comparison) -> Iterator[str]:
    """Sum up a comparison: what changed most surely first, then what cannot be compared."""
    yield found.headline
    moved = [row for row in found.compared if row.pair.word != "unchanged"]
    if moved:
        yield table(HEADER, map(_row, moved[:ROWS]))
    if len(moved) > ROWS:
        yield f"{len(moved) - ROWS} more in the page"
    reasons = Counter(row.pair.reason for row in found.apart)
    for reason, count in reasons.most_common():
        yield f"not comparable: {count} {_checks(count)}, {reason}"
    for which, alone in (("old", found.gone), ("new", found.added)):
        if alone:
            yield f"only in the {which} run: {len(alone)} {_checks(len(alone))}"


def _row(row: ComparedRow) -> tuple[str, ...]:
    pair, change = row.pair, row.pair.change
    apart = (change.value, change.low, change.high) if change else (None,) * 3
    middle, low, high = (_signed(value) for value in apart)
    name = one_line(f"{pair.new.metric}: {pair.new.check}, {row.condition}")
    before, after = (
        f"{one.estimate.value:.3f}" if one.estimate and one.estimate.value is not None else "-"
        for one in (pair.old, pair.new)
    )
    return pair.word, before, after, f"{middle} [{low}, {high}]", name


def _signed(value: float | None) -> str:
    return "-" if value is None else f"{value:+.3f}"


def _checks(count: int) -> str:
    return "check" if count == 1 else "checks"
