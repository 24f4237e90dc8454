"""`shakeproof study`: run a published experiment on your copy of its data."""

from __future__ import annotations

import argparse
import shlex
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from shakeproof.cli.common import Commands, add_command, add_scoring_options, open_cache, run_config
from shakeproof.cli.score import stderr_progress
from shakeproof.cli.terminal import complain, say, table
from shakeproof.errors import SpecError, unknown
from shakeproof.files import write_text
from shakeproof.runs.arguments import SEARCH_BUDGET, whole

if TYPE_CHECKING:
    from shakeproof.results import Published, Run

EXAMPLE = """\
  shakeproof data get wmt19 && shakeproof study robust-bertscore --quick
  shakeproof study parascore --data para --models minilm --report report.html"""


def add(commands: Commands) -> None:
    """Add the command."""
    command = add_command(
        commands,
        "study",
        run,
        summary="Run a published experiment and compare its numbers with those measured",
        example=EXAMPLE,
    )
    command.add_argument("study", metavar="NAME", help="robust-bertscore or parascore")
    command.add_argument(
        "--data",
        type=Path,
        metavar="FOLDER",
        help="the folder of its data files; default: where `shakeproof data get` keeps them",
    )
    command.add_argument(
        "--models",
        metavar="A,B",
        help="the models to run, or none; default: all that need no download",
    )
    command.add_argument(
        "--quick", action="store_true", help="only the first segments of each file; takes a minute"
    )
    command.add_argument(
        "--ours",
        action="store_true",
        help="perturb the texts again instead of using the perturbed texts of the authors",
    )
    command.add_argument("--report", type=Path, metavar="FILE", help="write the run as HTML")
    command.add_argument("--json", type=Path, metavar="FILE", help="write the run as JSON")
    add_scoring_options(command)
    command.add_argument(
        "--search",
        type=whole,
        default=SEARCH_BUDGET,
        metavar="N",
        help="scores to compute for each failed check to find the fewest edits; "
        f"default: {SEARCH_BUDGET}",
    )
    command.add_argument(
        "--no-texts", action="store_true", help="keep the texts of the data out of HTML and JSON"
    )


def run(args: argparse.Namespace) -> int:
    """Run the study; the exit code tells whether a check has an error, not whether one fails."""
    from shakeproof.data.sets.folder import data_folder
    from shakeproof.results import ERRORS, has_errors
    from shakeproof.studies import STUDIES
    from shakeproof.studies.available import prepare_study
    from shakeproof.studies.run import run_study

    if args.study not in STUDIES:
        raise unknown("study", args.study, STUDIES)
    _check_folders(args)
    study = STUDIES[args.study]
    config = replace(
        run_config(args),
        limit=args.limit or (study.quick if args.quick else None),
        texts=not args.no_texts,
        search=args.search,
    )
    models = args.models.split(",") if args.models else None
    folder = args.data or data_folder()
    available = prepare_study(study, folder, config.settings, models=models, ours=args.ours)
    for line in available.remarks:
        complain(line)
    with open_cache(args.cache) as cache:
        study_run = run_study(
            available, config, cache, command=command(args), progress=stderr_progress()
        )
    for line in summary_lines(study_run):
        say(line)
    _write(study_run, args)
    return ERRORS if has_errors(study_run.results) else 0


def _check_folders(args: argparse.Namespace) -> None:
    """Refuse outputs in folders that do not exist, before anything is scored."""
    for path in filter(None, (args.report, args.json)):
        if not path.absolute().parent.is_dir():
            raise SpecError(f"{path}: the folder {path.parent} does not exist")


def command(args: argparse.Namespace) -> str:
    """Return the command that repeats the run."""
    words = ["shakeproof", "study", args.study]
    for name in ("data", "models", "limit"):
        words += [f"--{name}", f"{getattr(args, name)}"] if getattr(args, name) else []
    words += [f"--{name}" for name in ("quick", "ours") if getattr(args, name)]
    return shlex.join(words)


def summary_lines(run: Run) -> Iterator[str]:
    """Yield the published numbers that were measured, and how many checks had which outcome."""
    from shakeproof.results import Agreement, agreement, outcome_counts

    not_listed = (Agreement.SUBSTITUTE, Agreement.NOT_MEASURED)
    measured = [number for number in run.published if agreement(number) not in not_listed]
    if measured:
        yield table(("table", "row", "column", "published", "measured", ""), map(_row, measured))
    counts = Counter(agreement(number) for number in run.published)
    different = (Agreement.WITHIN, Agreement.OUTSIDE, Agreement.DIFFERS)
    part = f"{counts[Agreement.PART]} {Agreement.PART}, " if counts[Agreement.PART] else ""
    yield (
        f"published numbers: {counts[Agreement.EQUAL]} equal to the printed digits, "
        f"{sum(counts[kind] for kind in different)} differ "
        f"({counts[Agreement.WITHIN]} of them within the interval), {part}"
        f"{counts[Agreement.SUBSTITUTE]} measured with a substitute, "
        f"{counts[Agreement.NOT_MEASURED]} not measured"
    )
    yield outcome_counts(run.results)


def _row(number: Published) -> tuple[str, ...]:
    from shakeproof.results import Agreement, agreement

    agrees = agreement(number)
    verdict = "part of the data" if agrees is Agreement.PART else agrees  # fits in one line
    measured = number.measured.value if number.measured else None
    values = (f"{value:.{number.digits}f}" for value in (number.value, measured or 0.0))
    return (number.table, number.row, number.column, *values, verdict)


def _write(run: Run, args: argparse.Namespace) -> None:
    from shakeproof.reports import render
    from shakeproof.runs.archive import as_json

    for path, rendered in ((args.json, as_json), (args.report, render)):
        if path:
            write_text(path, rendered(run))
            say(path.absolute().as_uri())
