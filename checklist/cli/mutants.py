"""`shakeproof mutants`: whether the checks of a checklist would notice a broken metric."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from shakeproof.cli.common import (
    Commands,
    add_checklist_options,
    add_command,
    open_cache,
    read_plan,
    run_config,
)
from shakeproof.cli.terminal import complain, say, table
from shakeproof.errors import SpecError, unknown

if TYPE_CHECKING:
    from shakeproof.plan.items import Plan
    from shakeproof.runs.mutants import Notice

EXAMPLE = """\
  shakeproof mutants noise.checklist.yaml --metric chrf"""
WORDS = {"fail": "fails", "pass": "passes", "inconclusive": "undecided", None: "breaks"}
WORST = ("fail", None, "inconclusive", "pass")  # what a check says over its levels


def add(commands: Commands) -> None:
    """Add the command."""
    command = add_command(
        commands,
        "mutants",
        run,
        summary="Run the checks against deliberately broken metrics and say which notice what",
        example=EXAMPLE,
    )
    add_checklist_options(command)
    command.add_argument(
        "--metric", action="append", metavar="NAME", help="only mutants of this metric"
    )


def run(args: argparse.Namespace) -> int:
    """Try every mutant of the chosen metrics; a check that none fails makes the exit code 1."""
    plan = read_plan(args)
    names = _chosen(plan, args.metric)
    for name, why in plan.failures.items():
        complain(f"metric {name!r} cannot run here: {why}")
    notices = _noticed(plan, names, args)
    for name in names:
        mine = [one for one in notices if one.item.metric == name]
        say(f"{name}:")
        say(matrix(mine))
        say()
    blind = unnoticing(notices)
    for check in blind:
        say(f"no mutant fails the check {check!r}: would it notice anything?")
    if not blind:
        say("every check fails at least one mutant")
    return 1 if blind else 0


def _chosen(plan: Plan, asked: Sequence[str] | None) -> list[str]:
    names = list(dict.fromkeys(item.metric for item in plan.items))
    for name in asked or ():
        if name not in names:
            raise unknown("metric", name, names)
    chosen = [name for name in names if name in (asked or names) and name in plan.metrics]
    if not chosen:
        raise SpecError("none of the metrics can run here")
    return chosen


def _noticed(plan: Plan, names: Sequence[str], args: argparse.Namespace) -> list[Notice]:
    from shakeproof.metrics.engine.engine import Engine
    from shakeproof.runs.mutants import mutants_of, try_out

    settings = run_config(args).settings
    found: list[Notice] = []
    with open_cache(args.cache) as cache:
        engine = Engine(cache)
        for name in names:
            items = [item for item in plan.items if item.metric == name]
            for mutant in mutants_of(plan, name, settings):
                found += try_out(plan, items, mutant, engine)
    return found


def matrix(notices: Sequence[Notice]) -> str:
    """Set what each check says about each mutant in a table."""
    mutants = list(dict.fromkeys(one.mutant for one in notices))
    return table((*mutants, "check"), _rows(notices, mutants))


def _rows(notices: Sequence[Notice], mutants: Sequence[str]) -> Iterator[tuple[str, ...]]:
    for check in dict.fromkeys(one.item.check.name for one in notices):
        mine = [one for one in notices if one.item.check.name == check]
        said = (_word([one for one in mine if one.mutant == mutant]) for mutant in mutants)
        yield (*said, check)


def _word(notices: Sequence[Notice]) -> str:
    """Say what a check says, the levels taken together."""
    said = {one.verdict for one in notices}
    worst = next(verdict for verdict in WORST if verdict in said)
    return WORDS[worst]


def unnoticing(notices: Sequence[Notice]) -> list[str]:
    """List the checks that fail no mutant of any metric."""
    failing = {one.item.check.name for one in notices if one.verdict == "fail"}
    checks = dict.fromkeys(one.item.check.name for one in notices)
    return [check for check in checks if check not in failing]
