"""`shakeproof study`: a published experiment on one's own copy of its data."""

from __future__ import annotations

import argparse
import shlex
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from shakeproof.cli.adding import Commands, add_command
from shakeproof.cli.opening import add_scoring_options, check_limit, open_cache
from shakeproof.cli.score import Reporter
from shakeproof.cli.terminal import complain, say, table
from shakeproof.errors import SpecError, unknown
from shakeproof.files import write_text
from shakeproof.plugin.options import SEARCH, whole

if TYPE_CHECKING:
    from shakeproof.metrics.settings import Settings
    from shakeproof.results import Published, Run
    from shakeproof.studies.running import Ready

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
        default=SEARCH,
        metavar="N",
        help=f"scores to spend on finding the fewest edits, for each failure; default: {SEARCH}",
    )
    command.add_argument(
        "--no-texts", action="store_true", help="keep the texts of the data out of page and run"
    )


def run(args: argparse.Namespace) -> int:
    """Run the study; verdicts are findings, so only what broke makes the exit code 1."""
    from shakeproof.metrics.settings import Settings
    from shakeproof.results import Outcome
    from shakeproof.studies import STUDIES
    from shakeproof.studies.running import prepare

    if args.study not in STUDIES:
        raise unknown("study", args.study, STUDIES)
    check_limit(args.limit)
    _check_places(args)
    settings = Settings(device=args.device, offline=args.offline)
    models = args.models.split(",") if args.models else None
    ready = prepare(STUDIES[args.study], args.data, settings, models=models, ours=args.ours)
    for line in ready.remarks:
        complain(line)
    found = _run(ready, settings, args)
    for line in told(found):
        say(line)
    _write(found, args)
    return 1 if any(one.outcome is Outcome.ERROR for one in found.results) else 0


def _check_places(args: argparse.Namespace) -> None:
    """See that what is asked for can be written before anything is scored."""
    for path in filter(None, (args.report, args.json)):
        if not path.absolute().parent.is_dir():
            raise SpecError(f"{path}: the folder {path.parent} does not exist")


def _run(ready: Ready, settings: Settings, args: argparse.Namespace) -> Run:
    from shakeproof.studies.running import run_study

    with open_cache(args.cache) as cache:
        return run_study(
            ready,
            settings,
            cache,
            command=command(args),
            limit=args.limit or (ready.study.quick if args.quick else None),
            show=Reporter(),
            texts=not args.no_texts,
            search=args.search,
        )


def command(args: argparse.Namespace) -> str:
    """Give the command that repeats the run."""
    words = ["shakeproof", "study", args.study, "--data", str(args.data)]
    for name in ("models", "limit"):
        words += [f"--{name}", f"{getattr(args, name)}"] if getattr(args, name) else []
    words += [f"--{name}" for name in ("quick", "ours") if getattr(args, name)]
    return shlex.join(words)


def told(found: Run) -> Iterator[str]:
    """Tell the published numbers that could be measured, and how the checks ended."""
    from shakeproof.plugin.summary import counts
    from shakeproof.studies.published import met

    measured = [one for one in found.published if met(one) in ("met", "differs")]
    if measured:
        yield table(("table", "row", "column", "published", "measured", ""), map(_row, measured))
    tally = Counter(met(one) for one in found.published)
    yield (
        f"published numbers: {tally['met']} met to the printed digits, {tally['differs']} differ, "
        f"{tally['stands in']} beside another model, {tally['not measured']} not measured"
    )
    yield counts(found.results)


def _row(one: Published) -> tuple[str, ...]:
    from shakeproof.studies.published import met

    value = one.measured.value if one.measured and one.measured.value is not None else 0.0
    shown = (f"{number:.{one.digits}f}" for number in (one.value, value))
    return (one.table, one.row, one.column, *shown, met(one))


def _write(found: Run, args: argparse.Namespace) -> None:
    from shakeproof.plugin.summary import as_json, as_page

    for path, text in ((args.json, as_json), (args.report, as_page)):
        if path:
            write_text(path, text(found))
            say(path.absolute().as_uri())
