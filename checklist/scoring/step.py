"""The scoring step: once per run, what the selected items still lack."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from shakeproof.metrics.engine.cache import Cache
from shakeproof.metrics.engine.engine import Engine, MissingScores
from shakeproof.metrics.protocols import Instance, Metric
from shakeproof.plan.items import Item, Plan
from shakeproof.plan.perturbed import Condition
from shakeproof.scoring.score_table import ScoreTable, instances_of
from shakeproof.scoring.truncation import truncation_demands
from shakeproof.scoring.tuning import calibrating, untuned


def score(engine: Engine, cache: Cache, work: Sequence[tuple[ScoreTable, Sequence[Item]]]) -> None:
    """Score, under the cache's lock, what the items of all checklists still lack.

    Whoever holds the lock first does the work; the others then find it done.
    """
    with cache.lock():
        if all(_is_known(engine, *each) for each in work):
            return
        lacking = engine.missing(_all(work))
        if lacking:
            engine.fill(_all(work), total=lacking)


def _is_known(engine: Engine, score_table: ScoreTable, items: Sequence[Item]) -> bool:
    """Read all scores, which the items will want anyway, and tell whether none was missing."""
    if untuned(score_table.plan, items):
        return False
    try:
        for condition, metrics in _names_by_condition(score_table, items).items():
            for name in metrics:
                score_table.scores((name, condition))
    except MissingScores:
        return False
    return engine.missing(_beside(score_table, items)) == 0


def _all(
    work: Sequence[tuple[ScoreTable, Sequence[Item]]],
) -> Iterator[list[tuple[Metric, Instance]]]:
    for score_table, items in work:
        yield from demands(score_table, items)


def demands(
    score_table: ScoreTable, items: Sequence[Item]
) -> Iterator[list[tuple[Metric, Instance]]]:
    """Name, segment by segment, everything the items must know about it."""
    wanted = metrics_by_condition(score_table, items)
    conditions = {condition: score_table.segments(condition) for condition in wanted}
    for position in range(len(score_table.plan.segments)):
        yield [
            (metric, item)
            for condition, segments in conditions.items()
            for item in instances_of(segments[position])
            for metric in wanted[condition]
        ]
    yield from _beside(score_table, items)


def _beside(
    score_table: ScoreTable, items: Sequence[Item]
) -> Iterator[list[tuple[Metric, Instance]]]:
    """Name what must be known beside the scores that are judged."""
    yield from development_demands(score_table.plan, items)
    yield from truncation_demands(score_table, items)


def development_demands(
    plan: Plan, items: Sequence[Item]
) -> Iterator[list[tuple[Metric, Instance]]]:
    """Name what must be known about the development part before anything can be tuned on it."""
    wanting = list({**untuned(plan, items), **calibrating(plan, items)}.values())
    for segment in plan.development if wanting else ():
        yield [(metric, item) for item in instances_of(segment) for metric in wanting]


def metrics_by_condition(
    score_table: ScoreTable, items: Sequence[Item]
) -> dict[Condition, list[Metric]]:
    """Say under which conditions which metrics are needed, those that failed left out."""
    metrics = score_table.plan.metrics
    return {
        condition: [metrics[name] for name in names]
        for condition, names in _names_by_condition(score_table, items).items()
    }


def _names_by_condition(
    score_table: ScoreTable, items: Sequence[Item]
) -> dict[Condition, dict[str, None]]:
    wanted: dict[Condition, dict[str, None]] = {}
    for item in items:
        for name, condition in item.score_keys:
            if name in score_table.plan.metrics:
                wanted.setdefault(condition, {})[name] = None
    return wanted
