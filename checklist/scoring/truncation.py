"""How many texts a metric does not see whole, because its model takes no more tokens."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache

import numpy as np

from shakeproof.metrics.engine.engine import MissingScores
from shakeproof.metrics.models.runtime import runtimes_of
from shakeproof.metrics.models.truncation import TextTruncation, Truncation, overflow_scorer
from shakeproof.metrics.protocols import Instance, Metric
from shakeproof.plan.items import Item, Plan
from shakeproof.plan.perturbed import CLEAN, Condition, texts
from shakeproof.scoring.score_table import Findings, ScoreTable, instances_of

TRUNCATION = "truncation"  # the kind of columns that are kept


@dataclass(frozen=True, slots=True)
class PerturbedTexts:
    """The texts that some conditions changed, and the counters of tokens cut off them."""

    counters: tuple[TextTruncation, ...]
    conditions: tuple[Condition, ...]

    def instances(self, score_table: ScoreTable) -> list[Instance]:
        """Return an instance for each distinct text."""
        changed = (
            text
            for condition in self.conditions
            for segment in score_table.segments(condition)
            for text in texts(segment, condition.field)
        )
        return [Instance(text) for text in dict.fromkeys(changed)]

    def facts(self, score_table: ScoreTable) -> dict[str, int]:
        """Return how many of these texts are cut off, and by how many tokens."""
        instances = self.instances(score_table)
        counts = [score_table.engine.read(counter, instances) for counter in self.counters]
        cut = np.sum(counts, axis=0)
        return {
            "perturbed texts truncated": int((cut > 0).sum()),
            "tokens cut off perturbed texts": int(np.nansum(cut)),
        }


def truncating_metrics(score_table: ScoreTable, items: Iterable[Item]) -> dict[str, Truncation]:
    """Return the counter of each metric that the items need and whose model cuts off long texts."""
    names = dict.fromkeys(name for item in items for name, _ in item.score_keys)
    return {
        name: Truncation(score_table.metrics[name])
        for name in names
        if name in score_table.metrics and _counters(score_table, name)
    }


def _counters(score_table: ScoreTable, name: str) -> tuple[TextTruncation, ...]:
    """Return what counts the tokens that the models of a metric cut off."""
    metric = score_table.metrics[name]
    first = next(_instances(score_table.plan), None)
    runtimes = runtimes_of(metric, first) if first else ()
    return tuple(TextTruncation(overflow_scorer(runtime)) for runtime in runtimes)


def _instances(plan: Plan) -> Iterator[Instance]:
    return (instance for segment in plan.segments for instance in instances_of(segment))


def _perturbed_texts(score_table: ScoreTable, name: str, items: Iterable[Item]) -> PerturbedTexts:
    """Return under which conditions the items need a metric, with its counters."""
    score_keys = (score_key for item in items for score_key in item.score_keys)
    conditions = dict.fromkeys(condition for metric, condition in score_keys if metric == name)
    return PerturbedTexts(
        _counters(score_table, name),
        tuple(condition for condition in conditions if condition != CLEAN),
    )


def truncation_ratings(
    score_table: ScoreTable, items: Sequence[Item]
) -> Iterator[list[tuple[Metric, Instance]]]:
    """Yield the texts whose tokens are to be counted, clean and perturbed."""
    metrics = {
        name: counter
        for name, counter in truncating_metrics(score_table, items).items()
        if _kept_facts(score_table, counter, _perturbed_texts(score_table, name, items)) is None
    }
    for segment in score_table.plan.segments if metrics else ():
        yield [
            (counter, instance)
            for instance in instances_of(segment)
            for counter in metrics.values()
        ]
    for perturbed in dict.fromkeys(_perturbed_texts(score_table, name, items) for name in metrics):
        for instance in perturbed.instances(score_table):
            yield [(counter, instance) for counter in perturbed.counters]


def truncation_facts(score_table: ScoreTable, items: Sequence[Item]) -> Findings:
    """Add to the facts of each metric how much of the texts it never saw."""
    facts = {name: dict(known) for name, known in score_table.findings.facts.items()}
    facts_of = cache(lambda perturbed: perturbed.facts(score_table))  # shared by a model's metrics
    for name, counter in truncating_metrics(score_table, items).items():
        perturbed = _perturbed_texts(score_table, name, items)
        counted = _kept_facts(score_table, counter, perturbed)
        if counted is None:
            try:
                counted = _clean_facts(score_table, counter)
                counted |= facts_of(perturbed) if perturbed.conditions else {}
            except MissingScores:  # the model fails, and the items will report that
                continue
            _keep_facts(score_table, counter, perturbed, counted)
        facts[name] = {**facts.get(name, {}), **counted}
    return replace(score_table.findings, facts=facts)


def _clean_facts(score_table: ScoreTable, counter: Truncation) -> dict[str, int]:
    """Return how many candidates are cut off, and by how many tokens."""
    cut = score_table.engine.read(counter, list(_instances(score_table.plan)))
    return {
        "candidates truncated": int((cut > 0).sum()),
        "tokens cut off": int(np.nansum(cut)),
    }


def _kept_facts(
    score_table: ScoreTable, counter: Truncation, perturbed: PerturbedTexts
) -> dict[str, int] | None:
    """Return the facts that an earlier run counted, if one did."""
    kept = score_table.kept.find(TRUNCATION, (CLEAN, *perturbed.conditions), counter.signature)
    return None if kept is None else dict(json.loads(kept))


def _keep_facts(
    score_table: ScoreTable,
    counter: Truncation,
    perturbed: PerturbedTexts,
    facts: dict[str, int],
) -> None:
    conditions = (CLEAN, *perturbed.conditions)
    content = json.dumps(facts).encode()
    score_table.kept.keep(TRUNCATION, conditions, counter.signature, content)
