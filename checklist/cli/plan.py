"""`shakeproof plan`: how long a checklist would run, and which effects its data can show."""

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
from shakeproof.runs.arguments import positive
from shakeproof.scoring.progress import duration

if TYPE_CHECKING:
    from shakeproof.runs.forecast import DetectableEffect, Forecast, ScoreCount
    from shakeproof.runs.judge_usage import JudgeForecast

EXAMPLE = """\
  shakeproof plan noise.checklist.yaml"""


def add(commands: Commands) -> None:
    """Add the command."""
    command = add_command(
        commands,
        "plan",
        run,
        summary="Estimate the time of a run and the effects that its data can show; load no model",
        example=EXAMPLE,
    )
    add_checklist_options(command)
    command.add_argument(
        "--workers", type=positive, default=1, metavar="N", help="the time with N workers"
    )


def run(args: argparse.Namespace) -> int:
    """Print the forecast; a cache that does not exist is not created."""
    from shakeproof.runs.forecast import forecast
    from shakeproof.scoring.rates import known_rates

    plan = read_plan(args)
    with open_cache(args.cache if args.cache.is_file() else None) as cache:
        expected = forecast(plan, cache)
    rates = with_workers(known_rates(args.cache), args.workers)
    for line in forecast_lines(expected, rates, workers=args.workers):
        say(line)
    return 0


def with_workers(rates: Mapping[str, float], workers: int) -> dict[str, float]:
    """Return how fast so many workers are; models on a CPU use all of its cores without them."""
    return {
        signature: rate if "|device:cpu|" in signature else rate * workers
        for signature, rate in rates.items()
    }


def forecast_lines(
    forecast: Forecast, rates: Mapping[str, float], *, workers: int = 1
) -> Iterator[str]:
    """Yield the number of items and scores, the expected time and the smallest effects."""
    from shakeproof.results import counted

    plan = forecast.plan
    needed = sum(scorer.needed for scorer in forecast.scorers)
    items, segments = counted(len(plan.items), "item"), counted(len(plan.segments), "segment")
    yield f"{plan.file}: {items}, {segments}"
    if plan.development:
        yield f"set aside for tuning: {counted(len(plan.development), 'segment')}"
    yield f"{needed:,} scores needed, {needed - forecast.missing:,} in the cache"
    if forecast.missing:
        incomplete = [scorer for scorer in forecast.scorers if scorer.missing]
        yield table(("to score", "in the cache", "scorer"), map(_scorer_row, incomplete))
    yield from map(judge_line, forecast.judges)
    yield _time_line(forecast, rates, workers)
    for name, reason in plan.failures.items():
        yield f"metric {name!r} cannot run here: {reason}"
    yield ""
    yield "the smallest effect beyond its bound that these data would detect in 4 of 5 cases:"
    yield table(("effect", "based on", "item"), map(_effect_row, forecast.effects))


def _scorer_row(scorer: ScoreCount) -> tuple[str, str, str]:
    name = " ".join(scorer.signature.split("|")[:2])
    return f"{scorer.missing:,}", f"{scorer.cached:,}", name


def judge_line(judge: JudgeForecast) -> str:
    """Say what a judge would be asked for, and whether its budget suffices."""
    from shakeproof.results import counted, format_money, format_tokens

    asked = judge.to_ask
    if not asked.calls:
        return f"{judge.metric}: no calls to make, all answers are in the cache"
    money = "" if asked.money is None else f", {format_money(asked.money)} at the given prices"
    return (
        f"{judge.metric}: {counted(asked.calls, 'call')} to make, "
        f"about {format_tokens(asked.tokens)}{money}; {_budget_in_words(judge)}"
    )


def _budget_in_words(judge: JudgeForecast) -> str:
    if judge.max_calls is None and judge.max_tokens is None:
        return "no budget is set"
    short = []
    if not judge.calls_suffice:
        short.append(f"{judge.max_calls:,} calls")
    if not judge.tokens_suffice:
        short.append(f"{judge.max_tokens:,} tokens")
    return f"the budget of {' and '.join(short)} is not enough" if short else "the budget suffices"


def _time_line(forecast: Forecast, rates: Mapping[str, float], workers: int) -> str:
    if not forecast.missing:
        return "time: nothing to score"
    seconds = forecast.seconds(rates)
    if seconds is None:
        return "time: unknown, because not every scorer was timed on this machine before"
    by_workers = f" with {workers} workers" if workers > 1 else ""
    return f"time: about {duration(seconds)}{by_workers}, at the speed of earlier runs"


def _effect_row(effect: DetectableEffect) -> tuple[str, str, str]:
    item = effect.item
    name = f"{item.metric}: {item.check.name}, {item.name}"
    unit = f" {item.check.expect.unit}" if item.check.expect.unit else ""
    if effect.low is None:
        return "-", "nothing yet", name
    if effect.high is not None:
        return f"{effect.low:.3f} to {effect.high:.3f}{unit}", "a guess", name
    return f"{effect.low:.3f}{unit}", "scores", name
