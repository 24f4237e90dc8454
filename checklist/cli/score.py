"""`shakeproof score`: fill the score cache, whole or a shard of it, without judging anything."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from shakeproof.cli.common import (
    Commands,
    add_checklist_options,
    add_command,
    open_cache,
    read_plan,
)
from shakeproof.cli.terminal import Stderr, complain, say
from shakeproof.errors import SpecError

if TYPE_CHECKING:
    from shakeproof.metrics.engine.engine import Engine, Progress
    from shakeproof.metrics.protocols import Instance, MetricInput, ScoreRequest
    from shakeproof.plan.items import Plan
    from shakeproof.scoring.progress import Display

EXAMPLE = """\
  shakeproof score noise.checklist.yaml --shard 2/8 --cache shard2.sqlite
  shakeproof cache merge shard*.sqlite"""


def add(commands: Commands) -> None:
    """Add the command."""
    command = add_command(
        commands,
        "score",
        run,
        summary="Fill the score cache for a checklist without judging anything",
        example=EXAMPLE,
    )
    add_checklist_options(command)
    command.add_argument(
        "--shard", default="1/1", metavar="K/N", help="only the K-th of N equal parts"
    )


def run(args: argparse.Namespace) -> int:
    """Score what is missing; a scorer that fails is told, and the others go on."""
    from shakeproof.metrics.engine.engine import Engine
    from shakeproof.scoring.progress import Live
    from shakeproof.scoring.rates import Stopwatch

    number, count = shard(args.shard)
    plan = read_plan(args)
    for name, why in plan.failures.items():
        complain(f"metric {name!r}: {why}")
    with open_cache(args.cache) as cache, cache.lock(), Live(display()) as live:
        watch = Stopwatch(live)
        engine = Engine(cache, progress=watch)
        lacking = engine.missing(wanted(plan, engine, number, count))
        errors = engine.fill(wanted(plan, engine, number, count), total=lacking)
        watch.keep(args.cache)
    for signature, why in errors.items():
        complain(f"{' '.join(signature.split('|')[:2])}: {why}")
    part = "" if count == 1 else f", part {number} of {count}"
    say(f"{args.cache}: {lacking:,} tuples were missing{part}")
    return 1 if errors or plan.failures else 0


def shard(text: str) -> tuple[int, int]:
    """Read K/N."""
    number, _, count = text.partition("/")
    if not (number.isdigit() and count.isdigit() and 1 <= int(number) <= int(count)):
        raise SpecError(f"--shard must be of the form 2/8, got {text!r}")
    return int(number), int(count)


def wanted(plan: Plan, engine: Engine, number: int, count: int) -> Iterator[Sequence[MetricInput]]:
    """List what every N-th segment asks for, beginning with the K-th, and no segment before it.

    So no two shards score the same tuple, and together they score all.
    """
    from shakeproof.metrics.engine.cache import key
    from shakeproof.scoring.score_table import ScoreTable
    from shakeproof.scoring.step import wanted_ratings

    known: set[tuple[str, bytes]] = set()
    for position, ratings in enumerate(wanted_ratings(ScoreTable(plan, engine), plan.items)):
        new: list[MetricInput] = []
        for metric, item in ratings:
            for scorer, texts in metric.needs(item):
                name = scorer.signature, key(texts)
                if name not in known:
                    known.add(name)
                    new.append((Only((scorer, texts)), item))
        if position % count == number - 1:
            yield new


@dataclass(frozen=True, slots=True)
class Only:
    """Asks for one comparison, whatever the item."""

    request: ScoreRequest
    signature: str = ""
    requires: frozenset[str] = frozenset()

    def needs(self, item: Instance) -> list[ScoreRequest]:
        """Ask for it."""
        return [self.request]

    def combine(self, item: Instance, scores: Sequence[float]) -> float:
        """Take the only score."""
        return scores[0]


def display() -> Display:
    """Show progress on standard error."""
    from shakeproof.scoring.progress import Display

    return Display(Stderr(), sys.stderr.isatty())


class Reporter:
    """Shows progress on standard error while something else scores."""

    def __init__(self) -> None:
        self.show = display().show

    def __call__(self, progress: Progress) -> None:
        """Show how far scoring has come."""
        self.show(progress)
