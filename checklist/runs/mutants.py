"""Mutants: deliberately broken metrics, to see whether the checks of a checklist fail on them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from shakeproof.errors import SpecError
from shakeproof.metrics.engine.engine import Engine, MissingScores
from shakeproof.metrics.kinds.trivial import CandidateOnlyOptions, ConstantOptions, RandomOptions
from shakeproof.metrics.options import Options
from shakeproof.metrics.protocols import Instance, Metric
from shakeproof.metrics.settings import Settings
from shakeproof.plan.items import Item, Plan
from shakeproof.plan.metrics import build_metrics
from shakeproof.plan.perturbed import Condition
from shakeproof.results import Verdict
from shakeproof.runs.evaluate import assess_item
from shakeproof.runs.judge_usage import find_judges
from shakeproof.scoring.score_table import ScoreTable, instances_of
from shakeproof.scoring.step import completed, development_ratings, wanted_ratings

BROKEN: dict[str, Options] = {  # mutants of every metric
    "constant": ConstantOptions(),
    "random": RandomOptions(),
    "length": CandidateOnlyOptions(),
}
SHUFFLED = "shuffled pairs"


@dataclass(frozen=True, slots=True)
class Mutant:
    """A broken metric in the place of a metric of the checklist."""

    name: str
    metric: Metric
    shuffled: bool = False  # candidates get the references and source of another segment


@dataclass(frozen=True, slots=True)
class MutantVerdict:
    """The verdict of an item on a mutant; None if it could not be computed."""

    item: Item
    mutant: str
    verdict: Verdict | None


def make_mutants(plan: Plan, name: str, settings: Settings) -> list[Mutant]:
    """Return the mutants of a metric: those of every metric, and variants of its own options.

    A variant is left out if it cannot be built, such as one with a layer that its model lacks. A
    judge is not asked about shuffled pairs: answers cost money, and nobody planned these.
    """
    specs = plan.checklist.metrics
    mutants = [Mutant(kind, options.build({}, settings)) for kind, options in BROKEN.items()]
    if all(judge.metric != name for judge in find_judges(plan)):
        mutants.append(Mutant(SHUFFLED, plan.metrics[name], shuffled=True))
    for variant, options in specs[name].options.variants(settings).items():
        changed = {**specs, name: replace(specs[name], options=options)}
        metrics, _ = build_metrics(replace(plan.checklist, metrics=changed), settings)
        if name in metrics:
            mutants.append(Mutant(variant, metrics[name]))
    return mutants


def judge_mutant(
    plan: Plan, items: Sequence[Item], mutant: Mutant, engine: Engine
) -> list[MutantVerdict]:
    """Return the verdicts of the items of one metric if a mutant takes its place."""
    name = items[0].metric
    others = {other: metric for other, metric in plan.metrics.items() if other != name}
    mutated = ScoreTable(replace(plan, metrics={**others, name: mutant.metric}), engine)
    if mutant.shuffled:
        engine.fill(wanted_ratings(ScoreTable(replace(plan, metrics=others), engine), items))
        engine.fill(development_ratings(mutated, items))
    else:
        engine.fill(wanted_ratings(mutated, items))
    score_table = completed(mutated, items)
    if mutant.shuffled:
        _shuffle_scores(score_table, items)
    return [MutantVerdict(item, mutant.name, _verdict(score_table, item)) for item in items]


def _shuffle_scores(score_table: ScoreTable, items: Sequence[Item]) -> None:
    """Replace the scores of the items' metric by those of shuffled instances."""
    name = items[0].metric
    if name in score_table.failures:
        return
    metric = score_table.metrics[name]
    for score_key in dict.fromkeys(score_key for item in items for score_key in item.score_keys):
        if score_key[0] == name:
            instances = shuffled_instances(score_table, score_key[1])
            score_table.engine.fill([[(metric, instance)] for instance in instances])
            try:
                score_table.replace_scores(score_key, score_table.engine.read(metric, instances))
            except MissingScores:
                return  # the items will report it


def shuffled_instances(score_table: ScoreTable, condition: Condition) -> list[Instance]:
    """Return the candidates of each segment with the references and source of the next one."""
    segments = score_table.segments(condition)
    following = (*segments[1:], *segments[:1])
    return [
        replace(instance, references=other.references, source=other.source)
        for segment, other in zip(segments, following, strict=True)
        for instance in instances_of(segment)
    ]


def _verdict(score_table: ScoreTable, item: Item) -> Verdict | None:
    if any(name in score_table.failures for name, _ in item.score_keys):
        return None
    try:
        return assess_item(score_table, item).judgement.verdict
    except (MissingScores, SpecError):
        return None
