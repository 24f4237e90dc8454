"""The scoring step: once per run, what the selected items still lack."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from shakeproof.metrics.engine.cache import Cache
from shakeproof.metrics.engine.engine import Engine, MissingScores
from shakeproof.metrics.protocols import Item, Metric
from shakeproof.plan.items import Plan, PlannedItem
from shakeproof.plan.perturbed import Condition
from shakeproof.scoring.score_table import Observer, items_of
from shakeproof.scoring.truncation import truncation_demands
from shakeproof.scoring.tuning import calibrating, untuned


def score(
    engine: Engine, cache: Cache, work: Sequence[tuple[Observer, Sequence[PlannedItem]]]
) -> None:
    """Score, under the cache's lock, what the items of all checklists still lack.

    Whoever holds the lock first does the work; the others then find it done.
    """
    with cache.lock():
        if all(_is_known(engine, *each) for each in work):
            return
        lacking = engine.missing(_all(work))
        if lacking:
            engine.fill(_all(work), total=lacking)


def _is_known(engine: Engine, observer: Observer, items: Sequence[PlannedItem]) -> bool:
    """Read all scores, which the items will want anyway, and tell whether none was missing."""
    if untuned(observer.plan, items):
        return False
    try:
        for condition, metrics in _names_by_condition(observer, items).items():
            for name in metrics:
                observer.scores((name, condition))
    except MissingScores:
        return False
    return engine.missing(_beside(observer, items)) == 0


def _all(
    work: Sequence[tuple[Observer, Sequence[PlannedItem]]],
) -> Iterator[list[tuple[Metric, Item]]]:
    for observer, items in work:
        yield from demands(observer, items)


def demands(
    observer: Observer, items: Sequence[PlannedItem]
) -> Iterator[list[tuple[Metric, Item]]]:
    """Name, segment by segment, everything the items must know about it."""
    wanted = metrics_by_condition(observer, items)
    conditions = {condition: observer.segments(condition) for condition in wanted}
    for position in range(len(observer.plan.segments)):
        yield [
            (metric, item)
            for condition, segments in conditions.items()
            for item in items_of(segments[position])
            for metric in wanted[condition]
        ]
    yield from _beside(observer, items)


def _beside(
    observer: Observer, items: Sequence[PlannedItem]
) -> Iterator[list[tuple[Metric, Item]]]:
    """Name what must be known beside the scores that are judged."""
    yield from development_demands(observer.plan, items)
    yield from truncation_demands(observer, items)


def development_demands(
    plan: Plan, items: Sequence[PlannedItem]
) -> Iterator[list[tuple[Metric, Item]]]:
    """Name what must be known about the development part before anything can be tuned on it."""
    wanting = list({**untuned(plan, items), **calibrating(plan, items)}.values())
    for segment in plan.development if wanting else ():
        yield [(metric, item) for item in items_of(segment) for metric in wanting]


def metrics_by_condition(
    observer: Observer, items: Sequence[PlannedItem]
) -> dict[Condition, list[Metric]]:
    """Say under which conditions which metrics are needed, those that failed left out."""
    metrics = observer.plan.metrics
    return {
        condition: [metrics[name] for name in names]
        for condition, names in _names_by_condition(observer, items).items()
    }


def _names_by_condition(
    observer: Observer, items: Sequence[PlannedItem]
) -> dict[Condition, dict[str, None]]:
    wanted: dict[Condition, dict[str, None]] = {}
    for item in items:
        for name, condition in item.blocks:
            if name in observer.plan.metrics:
                wanted.setdefault(condition, {})[name] = None
    return wanted
