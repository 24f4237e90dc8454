"""Mutants: deliberately broken metrics, to see whether the checks of a checklist notice them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from shakeproof.errors import SpecError
from shakeproof.metrics.engine.engine import Engine, MissingScores
from shakeproof.metrics.kinds.trivial import CandidateOnlyOptions, ConstantOptions, RandomOptions
from shakeproof.metrics.options import Options
from shakeproof.metrics.protocols import Instance, Metric
from shakeproof.metrics.settings import Settings
from shakeproof.plan.items import Item, Plan, build_metrics
from shakeproof.plan.perturbed import Condition
from shakeproof.results import Verdict
from shakeproof.runs.evaluate import assess_item
from shakeproof.scoring.score_table import ScoreTable, instances_of
from shakeproof.scoring.step import completed, development_ratings, wanted_ratings

ALWAYS: dict[str, Options] = {
    "constant": ConstantOptions(),
    "random": RandomOptions(),
    "length": CandidateOnlyOptions(),
}
SHUFFLED = "shuffled pairs"


@dataclass(frozen=True, slots=True)
class Mutant:
    """A broken metric that stands in for a real one."""

    name: str
    metric: Metric
    elsewhere: bool = False  # each candidate is compared with what belongs to another segment


@dataclass(frozen=True, slots=True)
class Notice:
    """What an item said about a mutant; None where it broke."""

    item: Item
    mutant: str
    verdict: Verdict | None


def mutants_of(plan: Plan, name: str, settings: Settings) -> list[Mutant]:
    """Break a metric in every way that applies to it."""
    metric, options = plan.metrics[name], plan.checklist.metrics[name].options
    made = [Mutant(kind, broken.build({}, settings)) for kind, broken in ALWAYS.items()]
    made.append(Mutant(SHUFFLED, metric, elsewhere=True))
    for kind, changed in twins(options, metric):
        twin = _built(plan, name, changed, settings)
        if twin is not None:
            made.append(Mutant(kind, twin))
    return made


def twins(options: Options, metric: Metric) -> Iterator[tuple[str, Options]]:
    """Give near relatives of a metric: one that minds capitals, one a layer off."""
    if getattr(options, "lowercase", False):
        yield "cased twin", options.model_copy(update={"lowercase": False})
    layer = getattr(getattr(getattr(metric, "metric", metric), "scorer", None), "layer", None)
    if isinstance(layer, int) and "layer" in type(options).model_fields:
        beside = layer - 1 if layer > 1 else layer + 1
        yield "off-by-one layer", options.model_copy(update={"layer": beside})


def _built(plan: Plan, name: str, options: Options, settings: Settings) -> Metric | None:
    """Build a twin as the checklist would; None where its model has no such layer."""
    specs = plan.checklist.metrics
    changed = replace(
        plan.checklist, metrics={**specs, name: replace(specs[name], options=options)}
    )
    return build_metrics(changed, settings)[0].get(name)


def try_out(plan: Plan, items: Sequence[Item], mutant: Mutant, engine: Engine) -> list[Notice]:
    """Let the items of one metric judge a mutant of it."""
    name = items[0].metric
    others = {other: metric for other, metric in plan.metrics.items() if other != name}
    mutated = ScoreTable(replace(plan, metrics={**others, name: mutant.metric}), engine)
    if mutant.elsewhere:
        engine.fill(wanted_ratings(ScoreTable(replace(plan, metrics=others), engine), items))
        engine.fill(development_ratings(mutated, items))
    else:
        engine.fill(wanted_ratings(mutated, items))
    score_table = completed(mutated, items)
    if mutant.elsewhere:
        _shuffle(score_table, items)
    return [Notice(item, mutant.name, _verdict(score_table, item)) for item in items]


def _shuffle(score_table: ScoreTable, items: Sequence[Item]) -> None:
    """Score every candidate against what belongs to the next segment."""
    name = items[0].metric
    if name in score_table.failures:
        return
    metric = score_table.metrics[name]
    for score_key in dict.fromkeys(score_key for item in items for score_key in item.score_keys):
        if score_key[0] == name:
            strange = elsewhere(score_table, score_key[1])
            score_table.engine.fill([[(metric, instance)] for instance in strange])
            try:
                score_table.replace_scores(score_key, score_table.engine.read(metric, strange))
            except MissingScores:
                return  # the items will report it


def elsewhere(score_table: ScoreTable, condition: Condition) -> list[Instance]:
    """Put the candidates of each segment beside the references and source of the next."""
    segments = score_table.segments(condition)
    following = (*segments[1:], *segments[:1])
    return [
        replace(item, references=other.references, source=other.source)
        for segment, other in zip(segments, following, strict=True)
        for item in instances_of(segment)
    ]


def _verdict(score_table: ScoreTable, item: Item) -> Verdict | None:
    if any(name in score_table.failures for name, _ in item.score_keys):
        return None
    try:
        return assess_item(score_table, item).judgement.verdict
    except (MissingScores, SpecError):
        return None
