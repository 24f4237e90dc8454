"""`shakeproof mutants`: whether the checks of a checklist catch broken metrics."""

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
    from shakeproof.plan.items import Item, Plan
    from shakeproof.runs.mutants import MutantVerdict

EXAMPLE = """\
  shakeproof mutants noise.checklist.yaml --metric chrf"""
WORDS = {"fail": "fails", "pass": "passes", "inconclusive": "undecided", None: "error"}
WORST_FIRST = ("fail", None, "inconclusive", "pass")


def add(commands: Commands) -> None:
    """Add the command."""
    command = add_command(
        commands,
        "mutants",
        run,
        summary="Run the checks on deliberately broken metrics and show which check catches which",
        example=EXAMPLE,
    )
    add_checklist_options(command)
    command.add_argument(
        "--metric", action="append", metavar="NAME", help="only mutants of this metric"
    )


def run(args: argparse.Namespace) -> int:
    """Judge the mutants of the metrics; the exit code is 1 if a check catches none of them."""
    plan = read_plan(args)
    names = _metric_names(plan, args.metric)
    for name, reason in plan.failures.items():
        complain(f"metric {name!r} cannot run here: {reason}")
    verdicts = _judge_mutants(plan, names, args)
    for name in names:
        say(f"{name}:")
        say(verdict_table([verdict for verdict in verdicts if verdict.item.metric == name]))
        say()
    catching_none = checks_catching_none(verdicts)
    for check in catching_none:
        say(f"check {check!r} catches none of the broken metrics")
    if not catching_none:
        say("every check catches at least one broken metric")
    return 1 if catching_none else 0


def _metric_names(plan: Plan, requested: Sequence[str] | None) -> list[str]:
    names = list(dict.fromkeys(item.metric for item in _items(plan)))
    for name in requested or ():
        if name not in names:
            raise unknown("metric", name, names)
    runnable = [name for name in names if name in (requested or names) and name in plan.metrics]
    if not runnable:
        raise SpecError("none of the metrics can run here")
    return runnable


def _items(plan: Plan) -> list[Item]:
    """Return what a broken metric can be judged by: it has neither draws nor comparisons."""
    return [item for item in plan.items if not item.check.expect.compares_views]


def _judge_mutants(
    plan: Plan, names: Sequence[str], args: argparse.Namespace
) -> list[MutantVerdict]:
    from shakeproof.metrics.engine.engine import Engine
    from shakeproof.runs.mutants import judge_mutant, make_mutants

    settings = run_config(args).settings
    verdicts: list[MutantVerdict] = []
    with open_cache(args.cache) as cache:
        engine = Engine(cache)
        for name in names:
            items = [item for item in _items(plan) if item.metric == name]
            for mutant in make_mutants(plan, name, settings):
                verdicts += judge_mutant(plan, items, mutant, engine)
    return verdicts


def verdict_table(verdicts: Sequence[MutantVerdict]) -> str:
    """Return a table of the verdict of each check on each mutant."""
    mutants = list(dict.fromkeys(verdict.mutant for verdict in verdicts))
    return table((*mutants, "check"), _rows(verdicts, mutants))


def _rows(verdicts: Sequence[MutantVerdict], mutants: Sequence[str]) -> Iterator[tuple[str, ...]]:
    """Yield a row for each check; of its levels the worst verdict is shown."""
    for check in dict.fromkeys(verdict.item.check.name for verdict in verdicts):
        words = []
        for mutant in mutants:
            outcomes = {
                verdict.verdict
                for verdict in verdicts
                if (verdict.item.check.name, verdict.mutant) == (check, mutant)
            }
            words.append(WORDS[next(outcome for outcome in WORST_FIRST if outcome in outcomes)])
        yield (*words, check)


def checks_catching_none(verdicts: Sequence[MutantVerdict]) -> list[str]:
    """List the checks that fail on no mutant of any metric."""
    catching = {verdict.item.check.name for verdict in verdicts if verdict.verdict == "fail"}
    checks = dict.fromkeys(verdict.item.check.name for verdict in verdicts)
    return [check for check in checks if check not in catching]
