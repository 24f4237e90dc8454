"""`shakeproof export`: write scores in the layouts of other programs."""

from __future__ import annotations

import argparse
from pathlib import Path

from shakeproof.cli.common import (
    Commands,
    add_checklist_options,
    add_command,
    make_folder,
    open_cache,
    read_plan,
)
from shakeproof.cli.score import stderr_progress
from shakeproof.cli.terminal import complain, say
from shakeproof.files import shown_path, write_text

EXAMPLE = """\
  shakeproof export mt-metrics-eval noise.checklist.yaml --pair en-de -o wmt22"""


def add(commands: Commands) -> None:
    """Add the command, with a subcommand for each layout."""
    command = add_command(
        commands,
        "export",
        lambda _: 0,
        summary="Write the scores of a checklist's metrics in the layout of another program",
        example=EXAMPLE,
    )
    layouts = command.add_subparsers(title="layouts", metavar="LAYOUT", required=True)
    mtme = add_command(
        layouts,
        "mt-metrics-eval",
        run,
        summary="Score files of mt-metrics-eval, of segments and of systems, on clean texts",
        example=EXAMPLE,
    )
    add_checklist_options(mtme)
    mtme.add_argument(
        "--pair", metavar="SRC-TGT", help="language pair of data that have no groups, such as en-de"
    )
    mtme.add_argument(
        "--reference",
        default="all",
        metavar="NAME",
        help="what mt-metrics-eval calls the references, such as refA; default: all",
    )
    mtme.add_argument(
        "-o",
        "--output",
        type=Path,
        required=True,
        metavar="DIR",
        help="folder of the test set; files are written below its metric-scores",
    )


def run(args: argparse.Namespace) -> int:
    """Score the clean texts and write a file for each metric and level."""
    from shakeproof.results import ERRORS, counted
    from shakeproof.runs.clean_scores import score_clean
    from shakeproof.runs.mtme_scores import score_files

    plan = read_plan(args)
    with open_cache(args.cache) as cache:
        scores = score_clean(plan, cache, stderr_progress())
    files = score_files(scores, pair=args.pair, references=args.reference)
    for name, text in files.items():
        path = args.output / name
        make_folder(path.parent)
        write_text(path, text)
    for name, reason in scores.failures.items():
        complain(f"metric {name!r}: {reason}")
    say(f"{shown_path(args.output)}: {counted(len(files), 'file')} written")
    return ERRORS if scores.failures else 0
