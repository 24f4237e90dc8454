"""What a run would cost and which effects its data can show, before any model is loaded."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import compress

import numpy as np

from shakeproof.errors import SpecError
from shakeproof.expectations import Evaluation
from shakeproof.expectations.assess import assess
from shakeproof.metrics.engine.cache import Cache, key
from shakeproof.metrics.engine.distinct import DistinctKeys
from shakeproof.metrics.engine.engine import BLOCK_CHARACTERS, Engine, MissingScores
from shakeproof.metrics.engine.jobs import blocks, collect
from shakeproof.metrics.failures import RatingFailed
from shakeproof.metrics.protocols import MetricInput, Texts
from shakeproof.plan.items import Item, Plan
from shakeproof.plan.perturbed import CLEAN
from shakeproof.runs.judge_usage import HasPrompts, JudgeForecast, find_judges, forecast_judge
from shakeproof.scoring.score_table import ScoreTable
from shakeproof.scoring.step import wanted_ratings
from shakeproof.scoring.tuning import tune
from shakeproof.stats.intervals import IntervalTraits, interval_traits
from shakeproof.stats.power import detectable, detectable_by
from shakeproof.stats.rows import rated_by


@dataclass(frozen=True, slots=True)
class ScoreCount:
    """How many different scores of one scorer a run needs, and how many the cache has."""

    signature: str
    needed: int
    cached: int
    prompts: tuple[int, ...] = ()  # bytes of each question that a judge would be asked

    @property
    def missing(self) -> int:
        """Return how many scores are still to be computed."""
        return self.needed - self.cached


@dataclass(frozen=True, slots=True)
class DetectableEffect:
    """The smallest effect beyond its bound that an item would detect in 4 of 5 cases."""

    item: Item
    low: float | None  # None: nothing can be said before scoring
    high: float | None = None  # a guess is a range

    @property
    def guessed(self) -> bool:
        """Return whether this is a range that was seen on other data."""
        return self.high is not None


@dataclass(frozen=True, slots=True)
class Forecast:
    """What a run would need, and the effects that it could detect."""

    plan: Plan
    scorers: tuple[ScoreCount, ...]
    effects: tuple[DetectableEffect, ...]
    judges: tuple[JudgeForecast, ...] = ()

    @property
    def missing(self) -> int:
        """Return how many scores are still to be computed."""
        return sum(scorer.missing for scorer in self.scorers)

    def seconds(self, rates: Mapping[str, float]) -> float | None:
        """Return how long scoring takes at these rates; None if the rate of a scorer is unknown."""
        incomplete = [scorer for scorer in self.scorers if scorer.missing]
        if any(not rates.get(scorer.signature) for scorer in incomplete):
            return None
        return sum(scorer.missing / rates[scorer.signature] for scorer in incomplete)


def forecast(plan: Plan, cache: Cache) -> Forecast:
    """Count the scores that are missing, and estimate the detectable effects from cached ones."""
    engine = Engine(cache)
    score_table = ScoreTable(plan, engine)
    scorers = tuple(count_scores(wanted_ratings(score_table, plan.items), cache))
    judges = forecast_judges(plan, scorers, engine)
    score_table = score_table.with_findings(tune(score_table, plan.items))
    effects = tuple(_detectable_effect(score_table, item) for item in plan.items)
    return Forecast(plan, scorers, effects, judges)


def forecast_judges(
    plan: Plan, scorers: Iterable[ScoreCount], engine: Engine
) -> tuple[JudgeForecast, ...]:
    """Estimate what each metric that asks a service would be asked for."""
    prompts = {scorer.signature: scorer.prompts for scorer in scorers}
    judges = find_judges(plan)
    cached = engine.usage() if judges else {}
    return tuple(forecast_judge(judge, prompts, cached) for judge in judges)


def count_scores(segments: Iterable[Sequence[MetricInput]], cache: Cache) -> Iterator[ScoreCount]:
    """Count for each scorer the different scores that are needed, and those in the cache."""
    needed: dict[str, DistinctKeys] = {}
    cached: dict[str, DistinctKeys] = {}
    prompts: dict[str, dict[bytes, int]] = {}  # the bytes of each question to a judge
    for block in blocks(segments, BLOCK_CHARACTERS):
        for signature, (scorer, texts) in collect(block).items():
            keys = list(map(key, texts))
            _, hits = cache.get_many(signature, texts)
            needed.setdefault(signature, DistinctKeys()).add(keys)
            cached.setdefault(signature, DistinctKeys()).add(compress(keys, hits))
            if isinstance(scorer, HasPrompts):
                asked = compress(zip(keys, texts, strict=True), ~hits)
                prompts.setdefault(signature, {}).update(prompt_lengths(scorer, asked))
    for signature, keys_needed in needed.items():
        lengths = prompts.get(signature, {})
        yield ScoreCount(
            signature, len(keys_needed), len(cached[signature]), tuple(lengths.values())
        )


def prompt_lengths(scorer: HasPrompts, asked: Iterable[tuple[bytes, Texts]]) -> dict[bytes, int]:
    """Return the bytes of each question by its key; what cannot be written is not asked."""
    lengths: dict[bytes, int] = {}
    for question, texts in asked:
        with suppress(RatingFailed):
            lengths[question] = scorer.prompt_bytes(texts)
    return lengths


def _detectable_effect(score_table: ScoreTable, item: Item) -> DetectableEffect:
    plan, failures = score_table.plan, score_table.plan.failures
    if item.check.expect.evaluation is not Evaluation.STATISTIC or item.skip:
        return DetectableEffect(item, None)  # no interval, or one that needs more than these scores
    if any(name in failures for name, _ in item.score_keys):
        return _guess(score_table, item)
    try:
        observed = score_table.observe(item)
    except (MissingScores, SpecError):
        return _guess(score_table, item)
    influence = assess(item.check.expect, item.compared, observed, draws=0).influence
    if np.isfinite(influence).sum() < 2:
        return DetectableEffect(item, None)
    confidence = plan.checklist.confidence
    return DetectableEffect(
        item, detectable_by(influence, confidence=confidence, traits=_interval_traits(item))
    )


def _interval_traits(item: Item) -> IntervalTraits:
    return interval_traits(item.check.expect.claims(item.compared)[0].statistic)


def _guess(score_table: ScoreTable, item: Item) -> DetectableEffect:
    """Return the range of the effects that such items could detect on other data."""
    candidates = rated_by(score_table.candidates, item.rating)
    changed_segments = [
        len(np.unique(candidates.segment[score_table.changed(condition)]))
        for _, condition in item.score_keys
        if condition != CLEAN and not condition.first
    ]
    segments = min(changed_segments, default=candidates.segments)
    errors = item.check.expect.guess_standard_error(candidates, segments)
    if errors is None:
        return DetectableEffect(item, None)
    confidence = score_table.plan.checklist.confidence
    traits = _interval_traits(item)
    low, high = (detectable(se, segments, confidence=confidence, traits=traits) for se in errors)
    return DetectableEffect(item, low, high)
