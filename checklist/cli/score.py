"""`shakeproof score`: fill the score cache, or one shard of it, and write scores to a file."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from shakeproof.cli.common import (
    Commands,
    add_checklist_options,
    add_command,
    open_cache,
    read_plan,
    run_config,
)
from shakeproof.cli.score_files import scores_path, write_scores
from shakeproof.cli.terminal import Stderr, complain, say
from shakeproof.errors import SpecError
from shakeproof.runs.arguments import gpu_share, worker_choice

if TYPE_CHECKING:
    from shakeproof.metrics.engine.engine import Progress
    from shakeproof.metrics.protocols import Instance, MetricInput, ScoreRequest
    from shakeproof.runs.config import RunConfig
    from shakeproof.scoring.progress import Display
    from shakeproof.scoring.score_table import ScoreTable

EXAMPLE = """\
  shakeproof score noise.checklist.yaml --shard 2/8 --cache shard2.sqlite
  shakeproof cache merge shard*.sqlite
  shakeproof score noise.checklist.yaml --to scores.jsonl"""


def add(commands: Commands) -> None:
    """Add the command."""
    command = add_command(
        commands,
        "score",
        run,
        summary="Fill the score cache for a checklist without evaluating its checks",
        example=EXAMPLE,
    )
    add_checklist_options(command)
    command.add_argument(
        "--workers",
        type=worker_choice,
        metavar="N|auto|ray",
        help="rate in N processes (auto: one for each GPU or core), or on a Ray cluster: ray, or "
        "ray://HOST:PORT",
    )
    command.add_argument(
        "--gpus-per-worker",
        type=gpu_share,
        metavar="N",
        help="GPUs of each worker of a Ray cluster (0.5: two workers share one, 0: none)",
    )
    command.add_argument(
        "--shard",
        default="1/1",
        metavar="K/N",
        help="only the K-th of N equal parts; of large files only that part is read and checked",
    )
    command.add_argument(
        "--to",
        type=scores_path,
        metavar="FILE",
        help="write the score of every candidate under every condition, without texts, to FILE "
        "(.jsonl or .csv)",
    )


def run(args: argparse.Namespace) -> int:
    """Score what is missing; a scorer that fails is reported, and the others go on."""
    from shakeproof.metrics.engine.engine import Engine
    from shakeproof.results import ERRORS, counted
    from shakeproof.runs.workers import with_workers
    from shakeproof.scoring.progress import Live, preparing
    from shakeproof.scoring.rates import Stopwatch
    from shakeproof.scoring.score_table import ScoreTable

    number, count = read_shard(args.shard)
    if args.to and count > 1:
        raise SpecError("--to writes all scores; merge the parts first, then leave --shard out")
    plan = read_plan(args, part=(number, count))
    for name, reason in plan.failures.items():
        complain(f"metric {name!r}: {reason}")
    with open_cache(args.cache) as cache, cache.lock(), Live(stderr_display()) as live:
        watch = Stopwatch(live)
        watch(preparing())
        engine = Engine(cache, progress=watch)
        score_table = ScoreTable(plan, engine)
        missing = engine.missing(shard_inputs(score_table, number, count))
        with with_workers(engine, config_of(args), [plan]):
            errors = engine.fill(shard_inputs(score_table, number, count), total=missing)
        watch.keep(args.cache)
        if args.to:
            export_scores(args.to, score_table)
    for signature, reason in errors.items():
        complain(f"{' '.join(signature.split('|')[:2])}: {reason}")
    for signature, failures in engine.failed().items():
        first = next(iter(failures.values()))
        scores = f"{counted(len(failures), 'score')} missing: {first.reason}"
        complain(f"{' '.join(signature.split('|')[:2])}: {scores}")
    part = "" if count == 1 else f", part {number} of {count}"
    say(f"{args.cache}: {missing:,} scores were missing{part}")
    if args.to:
        say(args.to.absolute().as_uri())
    return ERRORS if errors or plan.failures else 0


def export_scores(path: Path, score_table: ScoreTable) -> None:
    """Write the scores of all metrics that could be scored; tuned ones as they were tuned."""
    from shakeproof.scoring.score_rows import score_rows
    from shakeproof.scoring.step import completed

    items = score_table.plan.items
    write_scores(path, score_rows(completed(score_table, items), items))


def config_of(args: argparse.Namespace) -> RunConfig:
    """Return the configuration of a run, with its workers."""
    return replace(run_config(args), workers=args.workers, gpus_per_worker=args.gpus_per_worker)


def read_shard(text: str) -> tuple[int, int]:
    """Read K/N, the number of a shard and how many there are."""
    number, _, count = text.partition("/")
    if not (number.isdigit() and count.isdigit() and 1 <= int(number) <= int(count)):
        raise SpecError(f"--shard must be of the form 2/8, got {text!r}")
    return int(number), int(count)


def shard_inputs(
    score_table: ScoreTable, number: int, count: int
) -> Iterator[Sequence[MetricInput]]:
    """Yield what every N-th segment needs, from the K-th on, without what earlier segments need.

    So no two shards compute the same score, and together they compute all. If only one part of the
    data was read, all of its segments are scored, also where another part has equal texts.
    """
    from shakeproof.data.large_files import WHOLE
    from shakeproof.metrics.engine.cache import key
    from shakeproof.scoring.step import wanted_ratings

    wanted = wanted_ratings(score_table, score_table.plan.items)
    if count == 1 or score_table.plan.part != WHOLE:
        yield from wanted
        return
    known: set[tuple[str, bytes]] = set()
    for position, ratings in enumerate(wanted):
        new: list[MetricInput] = []
        for metric, instance in ratings:
            for scorer, texts in metric.needs(instance):
                name = scorer.signature, key(texts)
                if name not in known:
                    known.add(name)
                    new.append((SingleScore((scorer, texts)), instance))
        if position % count == number - 1:
            yield new


@dataclass(frozen=True, slots=True)
class SingleScore:
    """A metric that is one score of a scorer, the same for every instance."""

    request: ScoreRequest
    signature: str = ""
    requires: frozenset[str] = frozenset()

    def needs(self, instance: Instance) -> list[ScoreRequest]:
        return [self.request]

    def combine(self, instance: Instance, scores: Sequence[float]) -> float:
        return scores[0]


def stderr_display() -> Display:
    """Return a display of progress on standard error."""
    from shakeproof.scoring.progress import Display

    return Display(Stderr(), sys.stderr.isatty())


def stderr_progress() -> Callable[[Progress], None]:
    """Return a function that shows progress on standard error."""
    return stderr_display().show
