"""Parameters that human ratings decide, set on the development part alone."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from itertools import compress
from math import isfinite

from shakeproof.data.ratings import aspects_of, rating_of
from shakeproof.expectations import Expectation
from shakeproof.metrics.engine.engine import MissingScores
from shakeproof.metrics.kinds.parascore import ParaScore, with_tuned_omega
from shakeproof.metrics.protocols import Metric
from shakeproof.plan.items import Item, ScoreKey
from shakeproof.plan.perturbed import CLEAN
from shakeproof.scoring.score_table import Findings, ScoreTable, instances_of
from shakeproof.stats.observations import Vector
from shakeproof.stats.rows import candidates_of, rated_by


def metrics_to_tune(score_table: ScoreTable, items: Iterable[Item]) -> dict[str, ParaScore]:
    """Return the metrics that the items need and whose omega is not set yet."""
    needed = {name for item in items for name, _ in item.score_keys}
    return {
        name: metric
        for name in score_table.plan.checklist.metrics
        if name in needed
        and isinstance(metric := score_table.metrics.get(name), ParaScore)
        and metric.omega is None
    }


def tune(score_table: ScoreTable, items: Iterable[Item]) -> Findings:
    """Set the open parameters of metrics; a metric that cannot be tuned fails alone."""
    metrics: dict[str, Metric] = {}
    failures: dict[str, str] = {}
    facts: dict[str, dict[str, object]] = {}
    for name, metric in metrics_to_tune(score_table, items).items():
        try:
            tuned_metric, candidates = _tuned(score_table, name, metric)
        except MissingScores as error:
            failures[name] = error.described(texts=False)  # goes into run.json in any case
        except ValueError as error:
            failures[name] = str(error)
        else:
            metrics[name] = tuned_metric
            facts[name] = {"omega": tuned_metric.omega, "tuned on": f"{candidates:,} candidates"}
    return Findings(metrics, failures, facts)


def _tuned(score_table: ScoreTable, name: str, metric: ParaScore) -> tuple[ParaScore, int]:
    """Tune a metric; return it with the number of rated candidates it was tuned on."""
    chosen, development = score_table.plan.checklist.ratings.single, score_table.plan.development
    aspects = aspects_of(development)
    rated = [
        (instance, rating)
        for segment in development
        for instance, candidate in zip(instances_of(segment), segment.candidates, strict=True)
        if (rating := rating_of(candidate, chosen, aspects)) is not None
    ]
    instances, ratings = [instance for instance, _ in rated], [rating for _, rating in rated]
    options = score_table.plan.checklist.metrics[name].options
    published = bool(getattr(options, "published", False))
    scores = score_table.engine.scores(metric, instances)
    known = [all(map(isfinite, row)) for row in scores]
    tuned = with_tuned_omega(
        metric,
        list(compress(instances, known)),
        list(compress(scores, known)),
        list(compress(ratings, known)),
        published=published,
    )
    return tuned, sum(known)


def metrics_to_calibrate(score_table: ScoreTable, items: Iterable[Item]) -> dict[str, Metric]:
    """Return the metrics whose tie thresholds some items set on the development part."""
    if not score_table.plan.development:
        return {}
    calibrating = (item for item in items if item.check.expect.calibrates)
    names = {name for item in calibrating for name, _ in _clean_keys(item)}
    return {name: metric for name, metric in score_table.metrics.items() if name in names}


def calibrated(score_table: ScoreTable, item: Item) -> Expectation:
    """Return the expectation with its tie thresholds set, where the development part sets any."""
    expect, development = item.check.expect, score_table.plan.development
    if not (development and expect.calibrates):
        return expect
    candidates = rated_by(candidates_of(development), item.rating)
    instances = [instance for segment in development for instance in instances_of(segment)]
    scores: dict[Hashable, Vector] = {
        score_key: score_table.engine.read(score_table.metrics[score_key[0]], instances)
        for score_key in _clean_keys(item)
    }
    return expect.calibrate(candidates, scores)


def _clean_keys(item: Item) -> list[ScoreKey]:
    """Return the clean scores that an item compares, those of each metric once."""
    return [score_key for score_key in dict.fromkeys(item.score_keys) if score_key[1] == CLEAN]
