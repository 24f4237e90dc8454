"""`shakeproof report`: render an archived run again."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from shakeproof.commands.adding import Commands, add_command
from shakeproof.commands.terminal import say
from shakeproof.errors import SpecError
from shakeproof.files import read_text, shown_path, write_text

if TYPE_CHECKING:
    from shakeproof.results import Run

EXAMPLE = """\
  pytest --shakeproof-json=run.json
  shakeproof report run.json -o report.html"""


def add(commands: Commands) -> None:
    """Add the command."""
    command = add_command(
        commands,
        "report",
        run,
        summary="Render the JSON of a run as one HTML page",
        example=EXAMPLE,
    )
    command.add_argument("run_json", metavar="RUN.json", type=Path, help="from --shakeproof-json")
    command.add_argument(
        "-o", "--output", type=Path, default=Path("report.html"), help="default: report.html"
    )


def run(args: argparse.Namespace) -> int:
    """Write the page and say where it lies."""
    from shakeproof.reports import render

    write_text(args.output, render(read_run(args.run_json)))
    say(args.output.absolute().as_uri())
    return 0


def read_run(path: Path) -> Run:
    """Read the JSON of a run, or say in one line why it is none."""
    from pydantic import ValidationError

    from shakeproof.results import SCHEMA, Run

    text = read_text(path)
    try:
        return Run.model_validate_json(text)
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(map(str, first["loc"]))
        why = f"{place}: {first['msg']}" if place else first["msg"]
        raise SpecError(
            f"{shown_path(path)}: not a run of this version ({SCHEMA}): {why[:200]}"
        ) from None
