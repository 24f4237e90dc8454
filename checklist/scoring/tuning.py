"""Tuning: parameters that ratings decide, set on the development part alone."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any, TypeGuard

from shakeproof.expectations import Expectation
from shakeproof.expectations.correlations import Correlational
from shakeproof.metrics.engine.engine import Engine, MissingScores
from shakeproof.metrics.kinds.parascore import ParaScore
from shakeproof.metrics.kinds.parascore_tuning import tuned
from shakeproof.metrics.protocols import Metric
from shakeproof.plan.items import Item, Plan, ScoreKey
from shakeproof.plan.perturbed import CLEAN
from shakeproof.results import ChecklistRecord
from shakeproof.scoring.score_table import instances_of
from shakeproof.stats.kinds.accuracy import development_threshold
from shakeproof.stats.rows import candidates_of


def untuned(plan: Plan, items: Iterable[Item]) -> dict[str, ParaScore]:
    """Find the metrics that some items need and whose omega is still open."""
    names = {name for item in items for name, _ in item.score_keys}
    chosen = ((name, plan.metrics.get(name)) for name in plan.checklist.metrics if name in names)
    return {
        name: metric
        for name, metric in chosen
        if isinstance(metric, ParaScore) and metric.omega is None
    }


def tune(plan: Plan, items: Iterable[Item], engine: Engine) -> Plan:
    """Put tuned metrics in the place of open ones; one that cannot be tuned fails alone."""
    metrics, failures, facts = dict(plan.metrics), dict(plan.failures), dict(plan.facts)
    for name, metric in untuned(plan, items).items():
        try:
            metrics[name], found = _tuned(plan, name, metric, engine)
        except (MissingScores, ValueError) as error:
            failures[name] = str(error)
        else:
            facts[name] = {**facts.get(name, {}), **found}
    return replace(plan, metrics=metrics, failures=failures, facts=facts)


def _tuned(
    plan: Plan, name: str, metric: ParaScore, engine: Engine
) -> tuple[ParaScore, dict[str, Any]]:
    rows = [
        (item, candidate.rating)
        for segment in plan.development
        for item, candidate in zip(instances_of(segment), segment.candidates, strict=True)
        if candidate.rating is not None
    ]
    items, ratings = [item for item, _ in rows], [rating for _, rating in rows]
    published = bool(getattr(plan.checklist.metrics[name].options, "published", False))
    made = tuned(metric, items, engine.scores(metric, items), ratings, published=published)
    return made, {"omega": made.omega, "tuned on": f"{len(rows):,} candidates"}


def calibrating(plan: Plan, items: Iterable[Item]) -> dict[str, Metric]:
    """Find the metrics whose ties some items would set on the development part."""
    asking = [item for item in items if plan.development and _calibrates(item.check.expect)]
    names = {name for item in asking for name, _ in _clean(item)}
    return {name: metric for name, metric in plan.metrics.items() if name in names}


def calibrated(plan: Plan, item: Item, engine: Engine) -> Expectation:
    """Set the tie thresholds of an expectation on the development part, where it has any."""
    expect = item.check.expect
    if not (plan.development and _calibrates(expect)):
        return expect
    candidates = candidates_of(plan.development)
    rows = [row for segment in plan.development for row in instances_of(segment)]
    widths = {
        score_key: development_threshold(
            candidates, engine.read(plan.metrics[score_key[0]], rows), expect.tie
        )
        for score_key in _clean(item)
    }
    return expect.with_thresholds(
        {one: width for one, width in widths.items() if width is not None}
    )


def _calibrates(expect: Expectation) -> TypeGuard[Correlational]:
    return isinstance(expect, Correlational) and expect.calibrates


def _clean(item: Item) -> list[ScoreKey]:
    """List the blocks of clean scores that an item compares, each metric's once."""
    return [score_key for score_key in dict.fromkeys(item.score_keys) if score_key[1] == CLEAN]


def with_facts(record: ChecklistRecord, facts: Mapping[str, Mapping[str, Any]]) -> ChecklistRecord:
    """Write down beside each metric what only scoring could tell."""
    metrics = tuple(
        one.model_copy(update={"facts": {**one.facts, **facts.get(one.name, {})}})
        for one in record.metrics
    )
    return record.model_copy(update={"metrics": metrics})
