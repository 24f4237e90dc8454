"""One item from scores to a verdict, as its checklist sets everything."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from shakeproof.evidence.search.exploring import explore
from shakeproof.expectations.baseline import NoWorseThanBaseline
from shakeproof.expectations.rescored import Rescored
from shakeproof.expectations.search import Search
from shakeproof.metrics.engine.cache import Cache
from shakeproof.metrics.engine.engine import Engine
from shakeproof.metrics.protocols import Instance, Metric
from shakeproof.plan.items import Item
from shakeproof.runs.regression import since_stored
from shakeproof.scoring.score_table import ScoreTable, instances_of
from shakeproof.scoring.tuning import calibrated
from shakeproof.stats.assess import Assessment, assess
from shakeproof.stats.exact import disagreements, violations
from shakeproof.stats.observations import Vector


def judged(score_table: ScoreTable, item: Item) -> Assessment:
    """Estimate and judge what an item asks."""
    checklist, expect = (
        score_table.plan.checklist,
        calibrated(score_table.plan, item, score_table.engine),
    )
    if isinstance(expect, Rescored):
        return _rated_anew(expect, score_table, item.metric)
    if isinstance(expect, Search):
        return explore(score_table, item, expect).assessment
    found = assess(
        expect,
        item.compared,
        score_table.observe(item.score_keys),
        draws=checklist.draws,
        seed=checklist.seed,
        confidence=checklist.confidence,
        method=checklist.interval,
    )
    if isinstance(expect, NoWorseThanBaseline):
        return since_stored(expect, score_table.plan, item, found)
    return found


def _rated_anew(axiom: Rescored, score_table: ScoreTable, name: str) -> Assessment:
    """Let an axiom rate some texts in two ways, and count where they differ."""
    metric = score_table.plan.metrics[name]
    places = [
        (segment, item)
        for segment, one in enumerate(score_table.plan.segments)
        for item in instances_of(one)
    ]
    chosen = short_to_long(places, axiom.texts)
    first, second = axiom.twice(lambda items: rate(metric, items), [item for _, item in chosen])
    broken = disagreements(first, second, axiom.tolerance)
    segments = len({segment for segment, _ in chosen})
    found, judgement = violations(int(broken.sum()), len(chosen), segments)
    return Assessment(found, (), judgement, np.empty(0))


def short_to_long(places: Sequence[tuple[int, Instance]], most: int) -> list[tuple[int, Instance]]:
    """Choose some candidates of all lengths, so that in a batch short ones are padded."""
    ordered = sorted(places, key=lambda place: len(place[1].candidate))
    if len(ordered) <= most:
        return ordered
    return [ordered[at * (len(ordered) - 1) // (most - 1)] for at in range(most)]


def rate(metric: Metric, items: Sequence[Instance]) -> Vector:
    """Rate items past the cache, in one go and in this order."""
    with Cache() as cache:
        engine = Engine(cache)
        engine.fill([[(metric, item) for item in items]])
        return engine.read(metric, items)
