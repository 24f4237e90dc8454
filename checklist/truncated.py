"""How many clean candidates a metric does not see whole, because its model takes no more."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from shakeproof.metrics.engine import Engine, MissingScores
from shakeproof.metrics.protocols import Item, Metric
from shakeproof.metrics.truncation import Limited, Truncation
from shakeproof.observe import items_of
from shakeproof.plan import Plan, PlannedItem


def limited(plan: Plan, items: Iterable[PlannedItem]) -> dict[str, Truncation]:
    """Find the metrics that some items need and whose models cut off long texts."""
    names = dict.fromkeys(name for item in items for name, _ in item.blocks)
    example = next(iter(_all_items(plan)), None)
    return {
        name: Truncation(plan.metrics[name])
        for name in names
        if name in plan.metrics and example and _cuts(plan.metrics[name], example)
    }


def _cuts(metric: Metric, item: Item) -> bool:
    return any(isinstance(scorer, Limited) for scorer, _ in metric.needs(item))


def _all_items(plan: Plan) -> Iterator[Item]:
    return (item for segment in plan.segments for item in items_of(segment))


def truncation_demands(
    plan: Plan, items: Iterable[PlannedItem]
) -> Iterator[list[tuple[Metric, Item]]]:
    """Name the clean texts whose tokens are to be counted."""
    counts = list(limited(plan, items).values())
    for segment in plan.segments if counts else ():
        yield [(count, item) for item in items_of(segment) for count in counts]


def with_truncation(plan: Plan, items: Iterable[PlannedItem], engine: Engine) -> Plan:
    """Add to the facts of each metric how much of the clean texts it never saw."""
    facts = dict(plan.facts)
    everything = list(_all_items(plan))
    for name, count in limited(plan, items).items():
        try:
            cut = engine.read(count, everything)
        except MissingScores:  # the model fails, and the items will say so
            continue
        found = {"candidates truncated": int((cut > 0).sum()), "tokens cut off": int(cut.sum())}
        facts[name] = {**facts.get(name, {}), **found}
    return replace(plan, facts=facts)
