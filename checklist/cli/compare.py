"""`shakeproof compare`: what changed between two stored runs, the worst first."""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from shakeproof.cli.common import Commands, add_command, add_page_option
from shakeproof.cli.terminal import say, table
from shakeproof.errors import SpecError, one_line
from shakeproof.files import shown_path, write_text
from shakeproof.runs.arguments import positive

if TYPE_CHECKING:
    from shakeproof.results import ComparedResult, Result, RunComparison

EXAMPLE = """\
  pytest --shakeproof-json=before.json     (then change the metric, and)
  pytest --shakeproof-json=after.json
  shakeproof compare before.json after.json -o comparison.html"""
PAGE = Path("comparison.html")
MAX_ROWS = 20  # on the terminal and in Markdown; the page has them all
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
    add_comparison_options(command)


def add_comparison_options(command: argparse.ArgumentParser) -> None:
    """Add the options of how a comparison is shown."""
    command.add_argument(
        "--markdown", type=Path, metavar="FILE", help="a summary for a comment on a pull request"
    )
    command.add_argument(
        "--at-most",
        type=positive,
        default=MAX_ROWS,
        metavar="N",
        help=f"list so many checks, the worst first; default: {MAX_ROWS}",
    )
    command.add_argument(
        "--since", metavar="TEXT", help="what the Markdown calls the old run; default: its file"
    )


def run(args: argparse.Namespace) -> int:
    """Write the page and the Markdown, and print what changed."""
    from shakeproof import reports
    from shakeproof.runs.baseline_file import read_stored_run
    from shakeproof.runs.compare import compare_runs

    for path in (args.old, args.new):
        check_exists(path)
    comparison = compare_runs(read_stored_run(args.old), read_stored_run(args.new))
    files = {}
    if args.output:
        files[args.output] = reports.render_comparison(comparison)
    if args.markdown:
        since = args.since or shown_path(args.old)
        files[args.markdown] = reports.render_comparison_markdown(
            comparison, since=since, at_most=args.at_most
        )
    for path, text in files.items():
        write_text(path, text)
    for line in summary_lines(comparison, args.at_most):
        say(line)
    for path in files:
        say(path.absolute().as_uri())
    return 0


def check_exists(path: Path) -> None:
    """Raise SpecError if a stored run does not exist, with the way to write it."""
    if not path.exists():
        what = (
            "shakeproof baseline update" if path.suffix == ".jsonl" else "pytest --shakeproof-json"
        )
        raise SpecError(f"{shown_path(path)}: no such file; {what} writes one")


def summary_lines(comparison: RunComparison, at_most: int = MAX_ROWS) -> Iterator[str]:
    """Yield a summary: what changed, the worst first, then what cannot be compared."""
    from shakeproof.reports.comparison import headline
    from shakeproof.results import ChangeKind, counted

    yield headline(comparison)
    unchanged = (ChangeKind.UNCHANGED, ChangeKind.NOT_COMPARABLE)
    changed = [pair for pair in comparison.results if pair.change.kind not in unchanged]
    if changed:
        yield table(HEADER, map(_row, changed[:at_most]))
    if len(changed) > at_most:
        yield f"{len(changed) - at_most} more; --at-most lists more of them"
    reasons = Counter(pair.change.reason for pair in comparison.results if pair.change.reason)
    for reason, count in reasons.most_common():
        yield f"not comparable: {counted(count, 'check')}, {reason}"
    for name, results in (("old", comparison.only_old), ("new", comparison.only_new)):
        if results:
            yield f"only in the {name} run: {counted(len(results), 'check')}"


def _row(pair: ComparedResult) -> tuple[str, ...]:
    from shakeproof.reports.comparison import change_in_numbers
    from shakeproof.reports.wording.format import describe_condition

    change, new = pair.change, pair.new
    kind = "regression" if change.regressed else change.kind.value
    name = one_line(f"{new.metric}: {new.check}, {describe_condition(new)}")
    return kind, _value(pair.old), _value(new), change_in_numbers(change), name


def _value(result: Result) -> str:
    value = result.estimate.value if result.estimate else None
    return "-" if value is None else f"{value:.3f}"
