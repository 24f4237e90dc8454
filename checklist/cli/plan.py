"""`shakeproof plan`: what a checklist would take to run, and what its data can show."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from shakeproof.cli.common import (
    Commands,
    add_checklist_options,
    add_command,
    open_cache,
    read_plan,
)
from shakeproof.cli.terminal import say, table
from shakeproof.scoring.progress import duration

if TYPE_CHECKING:
    from shakeproof.runs.forecast import Forecast, Smallest, Tally

EXAMPLE = """\
  shakeproof plan noise.checklist.yaml"""


def add(commands: Commands) -> None:
    """Add the command."""
    command = add_command(
        commands,
        "plan",
        run,
        summary="Say what a checklist would take to run and what its data can show; load no model",
        example=EXAMPLE,
    )
    add_checklist_options(command)


def run(args: argparse.Namespace) -> int:
    """Print the forecast; a cache that is not there is not made."""
    from shakeproof.runs.forecast import forecast
    from shakeproof.scoring.rates import known_rates

    plan = read_plan(args)
    with open_cache(args.cache if args.cache.is_file() else None) as cache:
        found = forecast(plan, cache)
    for line in told(found, known_rates(args.cache)):
        say(line)
    return 0


def told(found: Forecast, rates: Mapping[str, float]) -> Iterator[str]:
    """Tell items, work, time and the smallest effects."""
    plan = found.plan
    tuples = sum(tally.tuples for tally in found.tallies)
    yield f"{plan.file}: {len(plan.items):,} items, {len(plan.segments):,} segments"
    if plan.development:
        yield f"{len(plan.development):,} segments are set aside for tuning"
    yield f"{tuples:,} tuples to rate, {tuples - found.lacking:,} in the cache"
    if found.lacking:
        lacking = [tally for tally in found.tallies if tally.lacking]
        yield table(("to score", "known", "scorer"), map(_work, lacking))
    yield _time(found, rates)
    for name, why in plan.failures.items():
        yield f"metric {name!r} cannot run here: {why}"
    yield ""
    yield "the smallest effect beyond its bound that would show in 4 of 5 cases:"
    yield table(("effect", "known from", "item"), map(_effect, found.smallest))


def _work(tally: Tally) -> tuple[str, str, str]:
    name = " ".join(tally.signature.split("|")[:2])
    return f"{tally.lacking:,}", f"{tally.known:,}", name


def _time(found: Forecast, rates: Mapping[str, float]) -> str:
    if not found.lacking:
        return "time: nothing to score"
    seconds = found.seconds(rates)
    if seconds is None:
        return "time: unknown, as not every scorer was timed here before"
    return f"time: about {duration(seconds)}, as fast as here before"


def _effect(one: Smallest) -> tuple[str, str, str]:
    item = one.item
    name = f"{item.metric}: {item.check.name}, {item.name}"
    unit = f" {item.check.expect.unit}" if item.check.expect.unit else ""
    if one.low is None:
        return "-", "nothing yet", name
    if one.high is not None:
        return f"{one.low:.3f} to {one.high:.3f}{unit}", "a guess", name
    return f"{one.low:.3f}{unit}", "scores", name
