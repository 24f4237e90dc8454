"""`shakeproof study`: a published experiment on one's own copy of its data."""

from __future__ import annotations

import argparse
import shlex
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from shakeproof.cli.common import Commands, add_command, add_scoring_options, open_cache, run_config
from shakeproof.cli.score import Reporter
from shakeproof.cli.terminal import complain, say, table
from shakeproof.errors import SpecError, unknown
from shakeproof.files import write_text
from shakeproof.runs.arguments import whole
from shakeproof.runs.config import SEARCH_BUDGET, RunConfig

if TYPE_CHECKING:
    from shakeproof.results import Published, Run
    from shakeproof.studies.available import AvailableStudy

EXAMPLE = """\
  shakeproof study robust-bertscore --data wmt --quick
  shakeproof study parascore --data para --models minilm --report report.html"""


def add(commands: Commands) -> None:
    """Add the command."""
    command = add_command(
        commands,
        "study",
        run,
        summary="Run a published experiment and set its numbers beside those measured",
        example=EXAMPLE,
    )
    command.add_argument("study", metavar="NAME", help="robust-bertscore or parascore")
    command.add_argument(
        "--data", type=Path, required=True, metavar="FOLDER", help="where its data files lie"
    )
    command.add_argument(
        "--models",
        metavar="A,B",
        help="the models to run, or none; default: all that need no download",
    )
    command.add_argument(
        "--quick", action="store_true", help="only the first segments of each file, in a minute"
    )
    command.add_argument(
        "--ours", action="store_true", help="perturb anew instead of replaying the authors' texts"
    )
    command.add_argument("--report", type=Path, metavar="FILE", help="write the page")
    command.add_argument("--json", type=Path, metavar="FILE", help="write the run")
    add_scoring_options(command)
    command.add_argument(
        "--search",
        type=whole,
        default=SEARCH_BUDGET,
        metavar="N",
        help="scores to spend on finding the fewest edits, for each failure; "
        f"default: {SEARCH_BUDGET}",
    )
    command.add_argument(
        "--no-texts", action="store_true", help="keep the texts of the data out of page and run"
    )


def run(args: argparse.Namespace) -> int:
    """Run the study; verdicts are findings, so only what broke makes the exit code 1."""
    from shakeproof.results import Outcome
    from shakeproof.studies import STUDIES
    from shakeproof.studies.available import prepare_study

    if args.study not in STUDIES:
        raise unknown("study", args.study, STUDIES)
    _check_places(args)
    study = STUDIES[args.study]
    config = replace(
        run_config(args),
        limit=args.limit or (study.quick if args.quick else None),
        texts=not args.no_texts,
        search=args.search,
    )
    models = args.models.split(",") if args.models else None
    ready = prepare_study(study, args.data, config.settings, models=models, ours=args.ours)
    for line in ready.remarks:
        complain(line)
    found = _run(ready, config, args)
    for line in told(found):
        say(line)
    _write(found, args)
    return 1 if any(one.outcome is Outcome.ERROR for one in found.results) else 0


def _check_places(args: argparse.Namespace) -> None:
    """See that what is asked for can be written before anything is scored."""
    for path in filter(None, (args.report, args.json)):
        if not path.absolute().parent.is_dir():
            raise SpecError(f"{path}: the folder {path.parent} does not exist")


def _run(ready: AvailableStudy, config: RunConfig, args: argparse.Namespace) -> Run:
    from shakeproof.studies.run import run_study

    with open_cache(args.cache) as cache:
        return run_study(ready, config, cache, command=command(args), progress=Reporter())


def command(args: argparse.Namespace) -> str:
    """Give the command that repeats the run."""
    words = ["shakeproof", "study", args.study, "--data", str(args.data)]
    for name in ("models", "limit"):
        words += [f"--{name}", f"{getattr(args, name)}"] if getattr(args, name) else []
    words += [f"--{name}" for name in ("quick", "ours") if getattr(args, name)]
    return shlex.join(words)


def told(found: Run) -> Iterator[str]:
    """Tell the published numbers that could be measured, and how the checks ended."""
    from shakeproof.results import Agreement, agreement, outcome_counts

    compared = (Agreement.EQUAL, Agreement.WITHIN, Agreement.OUTSIDE, Agreement.DIFFERS)
    measured = [one for one in found.published if agreement(one) in compared]
    if measured:
        yield table(("table", "row", "column", "published", "measured", ""), map(_row, measured))
    tally = Counter(agreement(one) for one in found.published)
    different = [tally[one] for one in (Agreement.WITHIN, Agreement.OUTSIDE, Agreement.DIFFERS)]
    yield (
        f"published numbers: {tally[Agreement.EQUAL]} equal to the printed digits, "
        f"{sum(different)} differ ({tally[Agreement.WITHIN]} of them within the interval), "
        f"{tally[Agreement.SUBSTITUTE]} measured with a substitute model, "
        f"{tally[Agreement.NOT_MEASURED]} not measured"
    )
    yield outcome_counts(found.results)


def _row(one: Published) -> tuple[str, ...]:
    from shakeproof.results import agreement

    value = one.measured.value if one.measured and one.measured.value is not None else 0.0
    shown = (f"{number:.{one.digits}f}" for number in (one.value, value))
    return (one.table, one.row, one.column, *shown, agreement(one))


def _write(found: Run, args: argparse.Namespace) -> None:
    from shakeproof.reports import render
    from shakeproof.runs.archive import as_json

    for path, text in ((args.json, as_json), (args.report, render)):
        if path:
            write_text(path, text(found))
            say(path.absolute().as_uri())
