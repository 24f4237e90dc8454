"""The scores of all metrics of a checklist on its texts as they are."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping
from itertools import chain
from typing import NamedTuple

import numpy as np

from shakeproof.metrics.engine.cache import Cache
from shakeproof.metrics.engine.engine import Engine, MissingScores, Progress
from shakeproof.metrics.protocols import Metric
from shakeproof.plan.items import Plan
from shakeproof.plan.perturbed import CLEAN
from shakeproof.results import counted
from shakeproof.scoring.score_table import ScoreTable, instances_of
from shakeproof.scoring.step import Ratings, development_ratings
from shakeproof.scoring.tuning import tune
from shakeproof.stats.observations import Candidates, Observations, Vector
from shakeproof.stats.rows import rated_by


class CleanScores(NamedTuple):
    """The scores of each metric, one for each candidate, and why other metrics have none."""

    candidates: Candidates
    scores: dict[str, Vector]  # by metric, NaN where one is missing
    metrics: Mapping[str, Metric]
    failures: Mapping[str, str]


def score_clean(
    plan: Plan, cache: Cache, progress: Callable[[Progress], None] | None = None
) -> CleanScores:
    """Score the clean texts with every metric that can be built; a metric may fail alone."""
    engine = Engine(cache, progress=progress)
    table = ScoreTable(plan, engine)
    with cache.lock():
        if missing := engine.missing(_ratings(table)):
            engine.fill(_ratings(table), total=missing)
    table = table.with_findings(tune(table, plan.items))
    scores: dict[str, Vector] = {}
    failures = dict(table.failures)
    for name in plan.checklist.metrics:
        if name not in failures:
            try:
                scores[name] = _scores(table, name)
            except MissingScores as error:
                failures[name] = error.described(texts=True)
    candidates = rated_by(table.candidates, plan.checklist.ratings.single)
    return CleanScores(candidates, scores, table.metrics, failures)


def _ratings(table: ScoreTable) -> Iterator[Ratings]:
    """Yield what is to be rated, segment by segment."""
    clean = (
        [(metric, one) for metric in table.metrics.values() for one in instances_of(segment)]
        for segment in table.plan.segments
    )
    return chain(clean, development_ratings(table, table.plan.items))


def _scores(table: ScoreTable, name: str) -> Vector:
    """Return the scores of a metric; MissingScores if it has none at all."""
    scores = table.scores((name, CLEAN))
    if not np.isfinite(scores).any():
        every = f"all {counted(len(scores), 'score')} are missing"
        raise MissingScores(table.failures_of((name, CLEAN))[0], every)
    return scores


def observe_scored_by_all(scores: CleanScores) -> Observations:
    """Return what statistics need to compare the metrics, on the candidates that all scored."""
    unscored = np.isnan(list(scores.scores.values())).any(axis=0)
    vectors: dict[Hashable, Vector] = {
        name: np.where(unscored, np.nan, vector) for name, vector in scores.scores.items()
    }
    return Observations(scores.candidates, vectors, {})
