"""The scoring step: score what the selected items still need, once for each run."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from typing import TypeAlias

from shakeproof.errors import SpecError
from shakeproof.metrics.engine.cache import Cache
from shakeproof.metrics.engine.engine import Engine, MissingScores
from shakeproof.metrics.protocols import Instance, Metric
from shakeproof.plan.items import Item
from shakeproof.plan.perturbed import Condition
from shakeproof.scoring.missing import missing_findings
from shakeproof.scoring.score_table import ScoreTable, instances_of
from shakeproof.scoring.truncation import truncation_facts, truncation_ratings
from shakeproof.scoring.tuning import metrics_to_calibrate, metrics_to_tune, tune

# What is to be rated by which metric, for one segment.
Ratings: TypeAlias = list[tuple[Metric, Instance]]


def score(
    engine: Engine,
    cache: Cache,
    work: Sequence[tuple[ScoreTable, Sequence[Item]]],
    *,
    begin: Callable[[], None] = lambda: None,
) -> list[ScoreTable]:
    """Score, under the cache's lock, what the items still need; return the tables completed.

    The process that gets the lock first does the work; the others then find it done. `begin` is
    called once the lock is held.
    """
    with cache.lock():
        begin()
        work = [(score_table, with_texts(score_table, items)) for score_table, items in work]
        if not all(_all_scored(engine, *pair) for pair in work):
            missing = engine.missing(_all_ratings(work))
            if missing:
                engine.fill(_all_ratings(work), total=missing)
    return [completed(score_table, items) for score_table, items in work]


def with_texts(score_table: ScoreTable, items: Sequence[Item]) -> list[Item]:
    """Return the items whose texts can be perturbed; the others will report why not.

    Texts whose scores are all kept were perturbed before.
    """
    failed: set[Condition] = set()
    conditions = list(
        dict.fromkeys(
            score_key[1]
            for item in items
            for score_key in item.score_keys
            if score_key[0] not in score_table.metrics or not score_table.has_scores(score_key)
        )
    )
    with suppress(SpecError):
        score_table.perturb(conditions)
    for condition in conditions:
        try:
            score_table.segments(condition)
        except SpecError:
            failed.add(condition)
    return [item for item in items if not any(c in failed for _, c in item.score_keys)]


def completed(score_table: ScoreTable, items: Sequence[Item]) -> ScoreTable:
    """Return the table with tuned metrics and with what scoring found out about the texts."""
    tuned = score_table.with_findings(tune(score_table, items))
    counted = tuned.with_findings(truncation_facts(tuned, items))
    return counted.with_findings(missing_findings(counted, items))


def _all_scored(engine: Engine, score_table: ScoreTable, items: Sequence[Item]) -> bool:
    """Read all scores, which the items need anyway, and return whether none was missing."""
    if metrics_to_tune(score_table, items):
        return False
    try:
        for condition, names in _metric_names(score_table, items).items():
            for name in names:
                score_table.scores((name, condition))
    except MissingScores:
        return False
    return engine.missing(_supplementary_ratings(score_table, items)) == 0


def _all_ratings(work: Sequence[tuple[ScoreTable, Sequence[Item]]]) -> Iterator[Ratings]:
    for score_table, items in work:
        yield from wanted_ratings(score_table, items)


def wanted_ratings(score_table: ScoreTable, items: Sequence[Item]) -> Iterator[Ratings]:
    """Yield, segment by segment, everything that the items need to have rated."""
    by_condition = {
        condition: (score_table.segments(condition), [score_table.metrics[name] for name in names])
        for condition, names in _metric_names(score_table, items).items()
    }
    for position in range(len(score_table.plan.segments)):
        yield [
            (metric, instance)
            for segments, metrics in by_condition.values()
            for instance in instances_of(segments[position])
            for metric in metrics
        ]
    yield from _supplementary_ratings(score_table, items)


def _supplementary_ratings(score_table: ScoreTable, items: Sequence[Item]) -> Iterator[Ratings]:
    """Yield what must be rated besides the scores that are judged."""
    yield from development_ratings(score_table, items)
    yield from truncation_ratings(score_table, items)


def development_ratings(score_table: ScoreTable, items: Sequence[Item]) -> Iterator[Ratings]:
    """Yield what must be rated of the development part before anything can be tuned on it."""
    metrics = {
        **metrics_to_tune(score_table, items),
        **metrics_to_calibrate(score_table, items),
    }.values()
    for segment in score_table.plan.development if metrics else ():
        yield [(metric, instance) for instance in instances_of(segment) for metric in metrics]


def _metric_names(
    score_table: ScoreTable, items: Sequence[Item]
) -> dict[Condition, dict[str, None]]:
    """Return which metrics are needed under which conditions, without those that failed."""
    names: dict[Condition, dict[str, None]] = {}
    for item in items:
        for name, condition in item.score_keys:
            if name in score_table.metrics:
                names.setdefault(condition, {})[name] = None
    return names
