"""How many texts a metric does not see whole, because its model takes no more."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache

import numpy as np

from shakeproof.metrics.engine.engine import MissingScores
from shakeproof.metrics.models.truncation import Limited, TextTruncation, Truncation
from shakeproof.metrics.protocols import Instance, Metric
from shakeproof.plan.items import Item, Plan
from shakeproof.plan.perturbed import CLEAN, Condition, texts
from shakeproof.scoring.score_table import ScoreTable, instances_of


@dataclass(frozen=True, slots=True)
class Noisy:
    """The texts that some conditions may have changed, and what counts their tokens."""

    counters: tuple[TextTruncation, ...]
    conditions: tuple[Condition, ...]

    def items(self, score_table: ScoreTable) -> list[Instance]:
        """Make an item of each distinct text."""
        found = (
            text
            for condition in self.conditions
            for segment in score_table.segments(condition)
            for text in texts(segment, condition.field)
        )
        return [Instance(text) for text in dict.fromkeys(found)]

    def facts(self, score_table: ScoreTable) -> dict[str, int]:
        """Say how many of these texts are cut off, and by how much."""
        items = self.items(score_table)
        cut = np.sum([score_table.engine.read(each, items) for each in self.counters], axis=0)
        return {
            "perturbed texts truncated": int((cut > 0).sum()),
            "tokens cut off perturbed texts": int(cut.sum()),
        }


def limited(plan: Plan, items: Iterable[Item]) -> dict[str, Truncation]:
    """Find the metrics that some items need and whose models cut off long texts."""
    names = dict.fromkeys(name for item in items for name, _ in item.score_keys)
    return {
        name: Truncation(plan.metrics[name])
        for name in names
        if name in plan.metrics and _counters(plan, name)
    }


def _counters(plan: Plan, name: str) -> tuple[TextTruncation, ...]:
    """List what counts the tokens that the models of a metric cut off."""
    needs = (need for item in _all_items(plan)[:1] for need in plan.metrics[name].needs(item))
    found = dict.fromkeys(scorer.overflow for scorer, _ in needs if isinstance(scorer, Limited))
    return tuple(TextTruncation(overflow) for overflow in found)


def _all_items(plan: Plan) -> list[Instance]:
    return [item for segment in plan.segments for item in instances_of(segment)]


def _noisy(plan: Plan, name: str, items: Iterable[Item]) -> Noisy:
    """Say under which conditions some items need a metric, and what counts for it."""
    score_keys = (score_key for item in items for score_key in item.score_keys)
    found = dict.fromkeys(condition for metric, condition in score_keys if metric == name)
    return Noisy(_counters(plan, name), tuple(each for each in found if each != CLEAN))


def truncation_demands(
    score_table: ScoreTable, items: Sequence[Item]
) -> Iterator[list[tuple[Metric, Instance]]]:
    """Name the texts whose tokens are to be counted, clean and perturbed."""
    plan = score_table.plan
    metrics = limited(plan, items)
    for segment in plan.segments if metrics else ():
        yield [(count, item) for item in instances_of(segment) for count in metrics.values()]
    for noisy in dict.fromkeys(_noisy(plan, name, items) for name in metrics):
        for item in noisy.items(score_table):
            yield [(counter, item) for counter in noisy.counters]


def with_truncation(score_table: ScoreTable, items: Sequence[Item]) -> Plan:
    """Add to the facts of each metric how much of the texts it never saw."""
    plan = score_table.plan
    facts = dict(plan.facts)
    everything = _all_items(plan)
    noisy_facts = cache(lambda noisy: noisy.facts(score_table))  # metrics of one model share them
    for name, count in limited(plan, items).items():
        try:
            cut = score_table.engine.read(count, everything)
            noisy = _noisy(plan, name, items)
            perturbed = noisy_facts(noisy) if noisy.conditions else {}
        except MissingScores:  # the model fails, and the items will say so
            continue
        clean = {"candidates truncated": int((cut > 0).sum()), "tokens cut off": int(cut.sum())}
        facts[name] = {**facts.get(name, {}), **clean, **perturbed}
    return replace(plan, facts=facts)
