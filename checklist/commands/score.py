"""`shakeproof score`: fill the score cache, whole or a shard of it, without judging anything."""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import TYPE_CHECKING

from shakeproof.commands.adding import Commands, add_command
from shakeproof.commands.opening import add_options, open_cache, read_plan
from shakeproof.commands.terminal import complain, say
from shakeproof.errors import SpecError

if TYPE_CHECKING:
    from shakeproof.metrics.engine import Engine, Progress
    from shakeproof.metrics.jobs import Rating
    from shakeproof.plan import Plan

EXAMPLE = """\
  shakeproof score noise.checklist.yaml --shard 2/8 --cache shard2.sqlite
  shakeproof cache merge shard*.sqlite"""
PAUSE = 5.0  # seconds between lines


def add(commands: Commands) -> None:
    """Add the command."""
    command = add_command(
        commands,
        "score",
        run,
        summary="Fill the score cache for a checklist without judging anything",
        example=EXAMPLE,
    )
    add_options(command)
    command.add_argument(
        "--shard", default="1/1", metavar="K/N", help="only the K-th of N equal parts"
    )


def run(args: argparse.Namespace) -> int:
    """Score what is missing; a scorer that fails is told, and the others go on."""
    from shakeproof.metrics.engine import Engine
    from shakeproof.rates import Stopwatch

    number, count = shard(args.shard)
    plan = read_plan(args)
    for name, why in plan.failures.items():
        complain(f"metric {name!r}: {why}")
    with open_cache(args.cache) as cache, cache.lock():
        watch = Stopwatch(Reporter())
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


def wanted(plan: Plan, engine: Engine, number: int, count: int) -> Iterator[Sequence[Rating]]:
    """List what every N-th segment asks for, beginning with the K-th."""
    from shakeproof.observe import Observer
    from shakeproof.scoring import demands

    observer = Observer(plan, engine)
    return islice(demands(observer, plan.items), number - 1, None, count)


class Reporter:
    """Writes a line to standard error every few seconds."""

    def __init__(self) -> None:
        self.last = time.monotonic()

    def __call__(self, progress: Progress) -> None:
        """Show how far scoring has come."""
        from shakeproof.progress import line

        now = time.monotonic()
        finished = progress.done == progress.total
        if finished or now - self.last >= PAUSE:
            self.last = now
            sys.stderr.write(f"{line(progress)}\n")
