"""`shakeproof report`: render an archived run again."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from shakeproof.cli.common import Commands, add_command, make_folder
from shakeproof.cli.terminal import say
from shakeproof.files import write_text
from shakeproof.runs.archive import read_run

if TYPE_CHECKING:
    from shakeproof.results import Run

EXAMPLE = """\
  pytest --shakeproof-json=run.json
  shakeproof report run.json -o report.html
  shakeproof report run.json --markdown summary.md --csv estimates.csv --charts charts
  shakeproof report run.json --markdown"""
PAGE = Path("report.html")
PRINTED = Path("-")  # standard output


def add(commands: Commands) -> None:
    """Add the command."""
    command = add_command(
        commands,
        "report",
        run,
        summary="Render the JSON of a run as one HTML page, as Markdown, CSV or SVG charts",
        example=EXAMPLE,
    )
    command.add_argument(
        "run_json", metavar="RUN.json", type=Path, help="the run, from --shakeproof-json"
    )
    command.add_argument(
        "-o",
        "--output",
        type=Path,
        metavar="FILE",
        help=f"the page; default: {PAGE}, unless another output is requested",
    )
    command.add_argument(
        "--markdown",
        nargs="?",
        const=PRINTED,
        type=Path,
        metavar="FILE",
        help="a summary for an issue, a pull request or the page of a CI job; without FILE it is "
        "printed",
    )
    command.add_argument("--csv", type=Path, metavar="FILE", help="all estimates, one per line")
    command.add_argument("--charts", type=Path, metavar="FOLDER", help="one SVG file per chart")


def run(args: argparse.Namespace) -> int:
    """Render everything that is requested, then write it and print where it is."""
    from shakeproof import reports

    archived = read_run(args.run_json)
    files = render_files(archived, args)
    printed = files.pop(PRINTED, None)
    charts = reports.render_charts(archived) if args.charts else {}
    if args.charts:
        make_folder(args.charts)
    for path, text in files.items():
        write_text(path, text)
    for name, text in charts.items():
        write_text(args.charts / f"{name}.svg", text)
    for path in [*files, *filter(None, [args.charts])]:
        say(path.absolute().as_uri())
    if printed is not None:
        say(printed.rstrip("\n"))
    return 0


def render_files(run: Run, args: argparse.Namespace) -> dict[Path, str]:
    """Render each requested report that is one file; return the texts by path."""
    from shakeproof import reports

    others = args.markdown or args.csv or args.charts
    page = args.output or (None if others else PAGE)
    renderers = [
        (page, reports.render),
        (args.markdown, reports.render_markdown),
        (args.csv, reports.render_csv),
    ]
    return {path: render(run) for path, render in renderers if path}
