"""Scores that a metric did not return: counted for each metric and condition, with reasons."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

import numpy as np

from shakeproof.metrics.engine.engine import MissingScores
from shakeproof.metrics.failures import Failure
from shakeproof.plan.items import Item, ScoreKey
from shakeproof.plan.perturbed import Condition
from shakeproof.results import MissingCount
from shakeproof.scoring.score_table import Findings, MissingInCondition, ScoreTable


def missing_findings(score_table: ScoreTable, items: Sequence[Item]) -> Findings:
    """Add what is missing of each metric that the items need, if anything is."""
    conditions: dict[str, dict[Condition, list[ScoreKey]]] = {}
    for score_key in dict.fromkeys(score_key for item in items for score_key in item.score_keys):
        name, condition = score_key
        if name in score_table.metrics and name not in score_table.failures:
            by_condition = conditions.setdefault(name, {})
            by_condition.setdefault(replace(condition, seed=0), []).append(score_key)
    counted = {
        name: [_count(score_table, condition, keys) for condition, keys in by_condition.items()]
        for name, by_condition in conditions.items()
    }
    missing = {
        name: tuple(filter(None, counts))
        for name, counts in counted.items()
        if any(one is not None and one.count for one in counts)
    }
    return replace(score_table.findings, missing=missing)


def _count(
    score_table: ScoreTable, condition: Condition, score_keys: Sequence[ScoreKey]
) -> MissingInCondition | None:
    """Count what is missing under a condition, over all its seeds; None if it was never scored."""
    try:
        scores = np.concatenate([score_table.scores(score_key) for score_key in score_keys])
    except MissingScores:  # the items will report it
        return None
    count = int(np.isnan(scores).sum())
    failures = most_frequent(score_table, score_keys) if count else ()
    return MissingInCondition(condition, count, len(scores), failures)


def most_frequent(score_table: ScoreTable, score_keys: Iterable[ScoreKey]) -> tuple[Failure, ...]:
    """Return the reasons of missing scores, each once, in the order of the keys."""
    failures = (failure for key in score_keys for failure in score_table.failures_of(key))
    return tuple({failure.kind: failure for failure in failures}.values())


def left_out(score_table: ScoreTable, item: Item, *, texts: bool = True) -> MissingCount | None:
    """Count the candidates that an item leaves out because a score is missing; None if none."""
    keys = [key for key in item.score_keys if key[0] in score_table.metrics]
    rows = score_table.without_score(keys)
    if not rows.any():
        return None
    failures = most_frequent(score_table, keys)
    return MissingCount(
        count=int(rows.sum()),
        of=len(rows),
        reasons=tuple(one.described(texts=texts) for one in failures),
    )
