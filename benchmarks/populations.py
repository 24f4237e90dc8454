"""Populations in which the truth about every expectation is known: the population's own value.

`QUESTIONS` has an entry for each expectation of the registry: the settings that are asked of every
population or, under `WITHOUT_SAMPLING`, why its verdict has no sampling error.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np

from shakeproof.expectations import EXPECTATIONS, Claim, Expectation, OwnStatistic
from shakeproof.metrics.judges.views import View, draw_view
from shakeproof.results import Bounds
from shakeproof.stats.kinds.scores import Shift
from shakeproof.stats.observations import (
    Candidates,
    ComparedScores,
    Ints,
    Observations,
    Statistic,
    Vector,
)

Settings: TypeAlias = Mapping[str, Any]

SEGMENTS = 2_000  # of a made population
LEVELS = (0.1, 0.3)
LONG_TAILS = 0.8  # `heavy` of a shape from which the promise is not kept
RATINGS: Settings = {"coefficient": "wmt-kendall", "rating_gap": 2}
VIEWS = (*map(draw_view, (1, 2, 3)), *View)
EXACT = "exact: a statement about the texts at hand, not about new ones"

WITHOUT_SAMPLING = {
    "score_range": EXACT,
    "identity": EXACT,
    "empty_text": EXACT,
    "same_scores": EXACT,
    "symmetry": EXACT,
    "batch_independence": EXACT,
    "order_independence": EXACT,
    "search": "none: it says what was found within its budget",
}
QUESTIONS: Mapping[str, tuple[Settings, ...]] = {
    "correlation": (
        {"coefficient": "pearson", "at_least": 0},
        {"coefficient": "spearman", "at_least": 0},
        {"coefficient": "tau-b", "by": "segment", "at_least": 0},
        {"coefficient": "pearson", "by": "system", "at_least": 0},
        {"coefficient": "tau-b", "by": "system", "at_least": 0},
        {**RATINGS, "at_least": 0},
        {"coefficient": "acc-eq", "at_least": 0},
        {"coefficient": "soft-pairwise", "by": "system", "at_least": 0},
    ),
    "correlation_drop": (
        {"coefficient": "pearson", "at_most": 0},
        {"coefficient": "spearman", "at_most": 0},
        {"coefficient": "tau-b", "at_most": 0},
        {**RATINGS, "at_most": 0},
        {"coefficient": "acc-eq", "at_most": 0},
        {"coefficient": "pearson", "by": "system", "at_most": 0},
        {"coefficient": "soft-pairwise", "by": "system", "at_most": 0},
    ),
    "retention": ({"coefficient": "pearson", "at_least": 0}, {**RATINGS, "at_least": 0}),
    "retention_area": ({"coefficient": "pearson", "at_least": 0},),
    "correlation_in_slices": ({"slices_by": "other", "slices": 2, "at_least": 0},),
    "attribution": (
        {"held": "other", "varied": "third", "within": 0.8, "apart": 0.3, "at_least": 0},
    ),
    "more_robust_than": ({"metric": "other"}, {**RATINGS, "metric": "other"}),
    "beats_yardsticks": ({"yardsticks": ["other"]},),
    "no_worse_than_baseline": ({"baseline": "run.json"},),
    "score_change": ({"at_most": 0}, {"at_most": 0, "unit": "raw"}),
    "score_drop": ({"at_most": 0},),
    "score_rise": ({"at_most": 0},),
    "monotone": ({"direction": "falling"},),
    "segments_behave": (
        {"scores": "drop", "by": 0.5, "at_least": 0},
        {"scores": "drop", "by": 1.5, "at_least": 0},
        {"scores": "change", "by": 1.5, "at_least": 0},
        {"scores": "drop", "by": 0.5, "unit": "raw", "at_least": 0},
    ),
    "prefers_original": ({"at_least": 0},),
    "prefers_better": ({"rating_gap": 2, "at_least": 0},),
    "copy_penalty": ({"at_least": 0},),
    "stable": ({"at_most": 0}, {"at_most": 0, "unit": "raw"}),
    "position_consistency": ({"at_least": 0},),
    "position_preference": ({"at_most": 0},),
    "python": ({"statistic": "populations:raw_drop", "at_most": 0},),
}


@dataclass(frozen=True, slots=True)
class Population:
    """Many segments from which data sets are drawn; with clusters, whole clusters are."""

    name: str
    observed: Observations
    made: bool = True  # and not measured
    long_tails: bool = False  # longer than those of the real ones: what the promise does not cover

    @property
    def clusters(self) -> Ints:
        """Return what is drawn together: each segment alone, or its document."""
        cluster = self.observed.candidates.cluster
        return np.arange(self.observed.candidates.segments) if cluster is None else cluster


@dataclass(frozen=True, slots=True)
class Question:
    """An expectation about a population, with the true value of each of its claims."""

    population: Population
    expectation: Expectation
    compared: ComparedScores
    settings: str  # in words

    @property
    def claims(self) -> list[Claim]:
        """Return the claims, whatever their bounds are."""
        if self.expectation.name == "no_worse_than_baseline":
            return [Claim("", self.expectation.statistic(self.compared), Bounds(high=0.0))]
        return self.expectation.claims(self.compared)

    @property
    def truths(self) -> list[float]:
        """Return the value of each claim in the whole population."""
        return [true_value(claim.statistic, self.population) for claim in self.claims]


def true_value(statistic: Statistic, population: Population) -> float:
    """Return the value of a statistic in the whole population."""
    return float(statistic.value(statistic.sums(population.observed).sum(axis=0)))


def questions(population: Population, name: str) -> list[Question]:
    """Ask all that is asked of an expectation, as far as the population can answer."""
    asked = []
    for written in QUESTIONS[name]:
        settings = fitting(written, population)
        expectation = EXPECTATIONS[name].model_validate(settings)
        if isinstance(expectation, OwnStatistic):
            expectation = expectation.look_in([Path(__file__).parent])
        compared = compared_scores(expectation)
        if not answerable(expectation, compared, population):
            continue
        expectation = with_thresholds(expectation, population)
        question = Question(population, expectation, compared, in_words(settings))
        asked.append(replace(question, expectation=at_the_truth(question)))
    return asked


def fitting(settings: Settings, population: Population) -> Settings:
    """Take people's preferences where a population has them instead of ratings."""
    if not len(population.observed.candidates.pairs):
        return settings
    return {key: value for key, value in settings.items() if key != "rating_gap"}


def answerable(expectation: Expectation, compared: ComparedScores, population: Population) -> bool:
    """Return whether a population has the judgements, systems and scores that are needed."""
    candidates = population.observed.candidates
    needed = expectation.required_data | ({"ratings"} if expectation.needs_judgements else set())
    if "ratings" in needed and not np.isfinite(candidates.rating).any():
        return False
    if "preferences" in needed and not len(candidates.pairs):
        return False
    if getattr(expectation, "by", "") == "system" and not candidates.systems:
        return False
    noisy = (key for seeds in compared.perturbed for key in seeds)
    keys = {compared.clean, *noisy, *compared.view_keys}
    return keys <= set(population.observed.scores)


def with_thresholds(expectation: Expectation, population: Population) -> Expectation:
    """Set thresholds of ties on the whole population, as on a development part."""
    if not expectation.calibrates:
        return expectation
    observed = population.observed
    return expectation.calibrate(observed.candidates, {"clean": observed.scores["clean"]})


def in_words(settings: Settings) -> str:
    """Name the settings but for the bounds."""
    shown = {key: value for key, value in settings.items() if key not in ("at_most", "at_least")}
    return ", ".join(f"{key} {value}" for key, value in shown.items())


def compared_scores(expectation: Expectation) -> ComparedScores:
    """Name the scores that an expectation compares, as the columns of a population."""
    levels = LEVELS if expectation.over_levels else LEVELS[-1:]
    own, other = (
        ComparedScores(metric, levels, tuple((f"{metric} {level}",) for level in levels))
        for metric in ("clean", "other")
    )
    if expectation.name == "copy_penalty":
        return ComparedScores("clean", (1.0,), (("copy",),))
    if not expectation.needs_perturb:
        own, other = (ComparedScores(one.clean) for one in (own, other))
    others = {"other": other, "third": ComparedScores("third")}
    views = {view: {"clean": view} for view in expectation.views_among(VIEWS)}
    return replace(own, others=others, views=views)


def at_the_truth(question: Question) -> Expectation:
    """Ask for the share of the correlation that is truly kept, which its statistic depends on."""
    expectation = question.expectation
    if expectation.name not in ("retention", "retention_area"):
        return expectation
    none, whole = (
        replace(question, expectation=expectation.model_copy(update={"at_least": share})).truths[0]
        for share in (0.0, 1.0)
    )
    return expectation.model_copy(update={"at_least": none / (none - whole)})


def raw_drop(compared: ComparedScores) -> Statistic:
    """Return a statistic as users write them."""
    return Shift(compared.clean, (f"clean {LEVELS[-1]}",), "drop", spread=False)


def made_populations(segments: int = SEGMENTS, seed: int = 16) -> dict[str, Population]:
    """Make a population of each kind."""
    kinds = {
        "even": Shape(heavy=0.3),
        "skewed": Shape(heavy=0.45, candidates=(2, 9)),
        "tied": Shape(grid=0.5),
        "in documents": Shape(documents=6),
        "near the end": Shape(effect=2.2, noise=0.15),
        "alike": Shape(heavy=0.05, effect=3.8, varied=0.2, noise=0.1),
        "close systems": Shape(heavy=0.3, apart=0.15),
        "few candidates": Shape(effect=3.5, varied=1.5, noise=0.3, candidates=(1, 4)),
        "long tails": Shape(heavy=0.8),
        "very long tails": Shape(heavy=1.2),
    }
    return {name: make_population(name, shape, segments, seed) for name, shape in kinds.items()}


@dataclass(frozen=True, slots=True)
class Shape:
    """What is special about a made population."""

    heavy: float = 0.5  # how much the noise of segments differs, on a log scale
    candidates: tuple[int, int] = (5, 5)
    grid: float = 0.0  # scores are rounded to its multiples
    documents: int = 0  # at most so many segments each
    effect: float = 1.0  # of the noise on scores, which all candidates of a segment share
    varied: float = 0.8  # how much that effect differs between segments
    noise: float = 0.5  # of each candidate by itself
    apart: float = 1.0  # how far the best and the worst system are from the mean


def make_population(name: str, shape: Shape, segments: int, seed: int = 16) -> Population:
    """Draw graded candidates with the scores of three metrics, clean and under noise."""
    rng = np.random.default_rng(seed)
    sizes = rng.integers(shape.candidates[0], shape.candidates[1] + 1, segments)
    segment = np.repeat(np.arange(segments), sizes)
    rows = len(segment)
    document = np.arange(segments)
    shared = rng.normal(size=segments)
    if shape.documents:
        document = np.repeat(np.arange(segments), rng.integers(1, shape.documents + 1, segments))
        document = document[:segments]
        shared = 0.7 * rng.normal(size=segments)[document] + 0.7 * shared
    loud = np.exp(shape.heavy * (rng.normal(size=segments) - shape.heavy / 2))
    members = systems_of(segment, sizes)
    ability = shape.apart * np.linspace(-1, 1, int(sizes.max()))
    quality = rng.normal(size=rows) + ability[members[:, 1]]
    scores = {"clean": quality + (0.8 * loud)[segment] * rng.normal(size=rows)}
    scores["other"] = quality + 1.1 * rng.normal(size=rows)
    scores["third"] = 0.3 * quality + rng.normal(size=rows)
    for metric, strength in (("clean", 1.0), ("other", 0.7)):
        for level in LEVELS:
            reach = shape.effect + shape.varied * shared if metric == "clean" else np.ones(segments)
            own = shape.noise * rng.normal(size=rows)
            lost = 2 * level * strength * (loud * reach)[segment] + 3 * level * own
            scores[f"{metric} {level}"] = scores[metric] - lost
    scores["copy"] = (0.6 + 0.8 * shared + loud * rng.normal(size=segments))[segment]
    scores |= draws_of(scores["clean"], loud[segment], np.random.default_rng(seed + 1))
    scores |= comparisons(segment, sizes, shape, shared, np.random.default_rng(seed + 2))
    if shape.grid:
        scores = {key: np.round(v / shape.grid) * shape.grid for key, v in scores.items()}
    candidates = Candidates(
        segments=segments,
        segment=segment,
        rating=np.round(2 * quality + rng.normal(size=rows)).clip(-3, 2),
        pairs=np.empty((0, 2), np.int64),
        group=np.zeros(segments, np.int64),
        members=members,
        systems=tuple(f"system {number}" for number in range(int(sizes.max()))),
        cluster=document if shape.documents else None,
        ids=tuple(map(str, range(segments))),
    )
    changed = {key: np.ones(rows, bool) for key in scores}
    return Population(
        name, Observations(candidates, scores, changed), long_tails=shape.heavy >= LONG_TAILS
    )


def draws_of(scores: Vector, loud: Vector, rng: np.random.Generator) -> dict[str, Vector]:
    """Draw each score three times around it, as a judge does whose mean it is."""
    noise = 0.4 * loud * rng.normal(size=(3, len(scores)))
    noise -= noise.mean(axis=0)
    return {draw_view(number): scores + one for number, one in enumerate(noise, 1)}


def comparisons(
    segment: Ints, sizes: Ints, shape: Shape, shared: Vector, rng: np.random.Generator
) -> dict[str, Vector]:
    """Compare each candidate with up to four rivals, in segments that are hard or easy."""
    asked = np.minimum(sizes - 1, 4)[segment]
    steady = 1 / (1 + np.exp(-(1.2 * shape.effect + shape.varied * shared)))
    consistent = rng.binomial(asked, steady[segment])
    first = rng.binomial(asked - consistent, 0.8) + consistent / 2
    counts = {View.CONSISTENT: consistent, View.FLIPPED: asked - consistent, View.FIRST: first}
    with np.errstate(invalid="ignore"):
        means = {view: np.divide(count, asked) for view, count in counts.items()}
    return {**means, View.ASKED: asked.astype(float)}


def systems_of(segment: Ints, sizes: Ints) -> Ints:
    """Let the first candidate of each segment be of the first system, and so on."""
    starts = np.repeat(np.cumsum(sizes) - sizes, sizes)
    rows = np.arange(len(segment))
    return np.stack([rows, rows - starts], axis=1)
