"""The table of scores: a row for each candidate, a column for each metric and condition."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import asdict, dataclass, field, replace
from typing import Any

import numpy as np

from shakeproof.data.lazy import LazySegments, blocks_of
from shakeproof.data.segments import Segment
from shakeproof.errors import SpecError
from shakeproof.metrics.engine.engine import Engine
from shakeproof.metrics.engine.memory import without_garbage_collection
from shakeproof.metrics.failures import Failure
from shakeproof.metrics.models.files import ModelFiles
from shakeproof.metrics.models.tokenizer_files import tokenizer_model
from shakeproof.metrics.protocols import Instance, Metric
from shakeproof.perturbations.severity import realised
from shakeproof.plan.items import Item, Plan, ScoreKey
from shakeproof.plan.perturbed import (
    CLEAN,
    Condition,
    perturbed,
    perturbed_segment,
    perturbed_together,
)
from shakeproof.plan.views import find_metric
from shakeproof.results import MissingCount, Realised
from shakeproof.scoring.changes import changed_rows, texts_of, unknown_tokens
from shakeproof.scoring.control import scores_asked_again
from shakeproof.scoring.kept_columns import KeptColumns
from shakeproof.stats.observations import Candidates, Mask, Observations, Vector
from shakeproof.stats.rows import candidates_of, rated_by

MAX_EXPLAINED = 200  # missing scores of a column whose reasons are looked up
MAX_REASONS = 3


def instances_of(segment: Segment) -> list[Instance]:
    """Return each candidate of a segment as a metric rates it, the next ones being its rivals."""
    clean = [candidate.text for candidate in segment.unperturbed or segment.candidates]
    references, source = segment.references, segment.source
    return [
        Instance(
            candidate.text,
            references,
            source,
            candidate.scores,
            (*clean[position + 1 :], *clean[:position]),
        )
        for position, candidate in enumerate(segment.candidates)
    ]


@dataclass(frozen=True, slots=True)
class MissingInCondition:
    """The scores that are missing under a condition, of how many, and the frequent reasons."""

    condition: Condition
    count: int
    of: int
    failures: tuple[Failure, ...]

    def record(self, *, texts: bool) -> MissingCount:
        """Return it as run.json has it; without texts, reasons do not quote any."""
        condition = self.condition
        return MissingCount(
            count=self.count,
            of=self.of,
            reasons=tuple(one.described(texts=texts) for one in self.failures),
            family=condition.family or None,
            field=condition.field or None,
            level=condition.level if condition.family else None,
        )


@dataclass(frozen=True, slots=True)
class Findings:
    """What scoring found out about the metrics of a plan, by name."""

    metrics: Mapping[str, Metric] = field(default_factory=dict)  # tuned: they replace the planned
    failures: Mapping[str, str] = field(default_factory=dict)  # that could not be tuned, and why
    facts: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)  # such as tokens cut off
    missing: Mapping[str, Sequence[MissingInCondition]] = field(
        default_factory=dict
    )  # by condition


@dataclass(slots=True)
class ScoreTable:
    """Reads the scores of a plan, each column once: as an earlier run kept it, or by the engine."""

    plan: Plan
    engine: Engine
    findings: Findings = Findings()
    candidates: Candidates = field(init=False)
    metrics: Mapping[str, Metric] = field(init=False)
    failures: Mapping[str, str] = field(init=False)
    kept: KeptColumns = field(init=False)
    _conditions: dict[Condition, Sequence[Segment]] = field(default_factory=dict)
    _scores: dict[ScoreKey, Vector] = field(default_factory=dict)
    _changed: dict[Condition, Mask] = field(default_factory=dict)
    _realised: dict[tuple[Condition, ModelFiles | None], Realised] = field(default_factory=dict)
    _instances: tuple[Condition, list[Instance]] | None = None  # of the condition read last

    def __post_init__(self) -> None:
        self.candidates = candidates_of(self.plan.segments, self.plan.checklist.cluster)
        self.kept = KeptColumns(self.plan, self.engine.cache)
        self._take(self.findings)

    def with_findings(self, findings: Findings) -> ScoreTable:
        """Return the table with what scoring found out; texts and scores are shared."""
        table = copy(self)
        table._take(findings)
        return table

    def _take(self, findings: Findings) -> None:
        self.findings = findings
        self.metrics = {**self.plan.metrics, **findings.metrics}
        self.failures = {**self.plan.failures, **findings.failures}

    def segments(self, condition: Condition) -> Sequence[Segment]:
        """Return the segments with their texts under a condition."""
        if condition not in self._conditions:
            self._conditions[condition] = perturbed(
                condition, self.plan.segments, self.plan.checklist.families
            )
        return self._conditions[condition]

    def segment(self, condition: Condition, number: int) -> Segment:
        """Return one segment under a condition, without perturbing the others."""
        if condition in self._conditions:
            return self._conditions[condition][number]
        return perturbed_segment(
            condition, self.plan.segments, number, self.plan.checklist.families
        )

    @without_garbage_collection()
    def perturb(self, conditions: Iterable[Condition]) -> None:
        """Perturb the texts, all levels of a family together, which is faster than one by one."""
        alike: dict[Condition, list[Condition]] = {}
        for condition in conditions:
            if condition != CLEAN and not condition.stored and condition not in self._conditions:
                alike.setdefault(replace(condition, level=0.0), []).append(condition)
        segments, families = self.plan.segments, self.plan.checklist.families
        for levels in alike.values():
            self._conditions.update(perturbed_together(levels, segments, families))

    def changed(self, condition: Condition) -> Mask:
        """Return for each row whether its texts differ from the clean ones."""
        if self.is_control(condition):  # its texts are compared although they are the same
            return np.ones(len(self.candidates.segment), dtype=bool)
        if condition not in self._changed:
            kept = self.kept.get("changed", [condition], "", lambda: self._compare(condition))
            self._changed[condition] = np.frombuffer(kept, dtype=bool)
        return self._changed[condition]

    def is_control(self, condition: Condition) -> bool:
        """Return whether a condition changes nothing, on purpose."""
        family = self.plan.checklist.families.get(condition.family)
        return family is not None and family.control and not condition.stored

    def _compare(self, condition: Condition) -> bytes:
        return changed_rows(condition, self.plan.segments, self.segments(condition)).tobytes()

    def realised(self, score_key: ScoreKey) -> Realised:
        """Measure what a condition did to the texts, also in tokens of the metric's model."""
        name, condition = score_key
        metric = self.metrics[name]

        def measure() -> bytes:
            model = tokenizer_model(metric, self._first_instance())
            return self._realised_for(condition, model).model_dump_json().encode()

        kept = self.kept.get("realised", [condition], metric.signature, measure)
        return Realised.model_validate_json(kept)

    def _realised_for(self, condition: Condition, model: ModelFiles | None) -> Realised:
        """Measure once for each model; what does not depend on the model is measured once."""
        if (condition, model) not in self._realised:
            before = texts_of(self.plan.segments, condition.field)
            after = texts_of(self.segments(condition), condition.field)
            if model is None:
                measured = Realised(**asdict(realised(before, after)))
            else:
                measured = self._realised_for(condition, None)
                measured = measured.model_copy(update=unknown_tokens(before, after, model))
            self._realised[condition, model] = measured
        return self._realised[condition, model]

    def _first_instance(self) -> Instance:
        return next(
            instance for segment in self.plan.segments for instance in instances_of(segment)
        )

    def scores(self, score_key: ScoreKey) -> Vector:
        """Return the scores of a metric under a condition, one for each candidate; NaN: none."""
        name, condition = score_key
        if self.is_control(condition):
            return scores_asked_again(name, self._metric(name), self.scores)
        if not self.has_scores(score_key):
            metric, blocks = self._metric(name), self._instance_blocks(condition)
            read = np.concatenate(
                [self.engine.read(metric, one) for one in blocks] or [np.empty(0)]
            )
            scores = self._scores[score_key] = np.where(np.isfinite(read), read, np.nan)
            if not np.isnan(scores).any():  # what failed is tried again in the next run
                self.kept.keep("scores", [condition], metric.signature, scores.tobytes())
        return self._scores[score_key]

    def has_scores(self, score_key: ScoreKey) -> bool:
        """Return whether the scores were read already, in this run or in an earlier one."""
        if score_key not in self._scores:
            name, condition = score_key
            kept = self.kept.find("scores", [condition], self._metric(name).signature)
            if kept is not None:
                self._scores[score_key] = np.frombuffer(kept)
        return score_key in self._scores

    def _metric(self, name: str) -> Metric:
        return find_metric(name, self.metrics)

    def without_score(self, score_keys: Iterable[ScoreKey]) -> Mask:
        """Mark the candidates that have no score under at least one of the keys."""
        rows = np.zeros(len(self.candidates.segment), bool)
        for score_key in score_keys:
            rows |= np.isnan(self.scores(score_key))
        return rows

    def failures_of(self, score_key: ScoreKey) -> tuple[Failure, ...]:
        """Return why scores are missing: the most frequent kinds of failures, an example each."""
        name, condition = score_key
        rows = np.flatnonzero(np.isnan(self.scores(score_key)))[:MAX_EXPLAINED]
        found = [
            self.engine.failure(self.metrics[name], self.instance(condition, row)) for row in rows
        ]
        examples = {failure.kind: failure for failure in reversed(found)}
        kinds = Counter(failure.kind for failure in found)
        return tuple(examples[kind] for kind, _ in kinds.most_common(MAX_REASONS))

    def instance(self, condition: Condition, row: int) -> Instance:
        """Return the instance of one row under a condition."""
        number = int(self.candidates.segment[row])
        first = int(np.searchsorted(self.candidates.segment, number))
        return instances_of(self.segment(condition, number))[row - first]

    def _instance_blocks(self, condition: Condition) -> Iterator[Sequence[Instance]]:
        """Yield the instances under a condition; those of large data in blocks."""
        segments = self.segments(condition)
        if not isinstance(segments, LazySegments):
            yield self._instances_under(condition)
            return
        for block in blocks_of(segments):
            yield [rated for segment in block for rated in instances_of(segment)]

    @without_garbage_collection()
    def _instances_under(self, condition: Condition) -> list[Instance]:
        """Return the instances under a condition, kept while its scores are read one by one."""
        if self._instances is None or self._instances[0] != condition:
            segments = self.segments(condition)
            instances = [rated for segment in segments for rated in instances_of(segment)]
            self._instances = condition, instances
        return self._instances[1]

    def replace_scores(self, score_key: ScoreKey, scores: Vector) -> None:
        """Use other scores for a metric under a condition."""
        self._scores[score_key] = scores

    def observe(self, item: Item, *, paired: bool = True) -> Observations:
        """Return what a statistic over the scores of an item needs.

        If `paired`, a candidate without a score under one key is left out under all of them. A
        view need not have a number for each candidate.
        """
        left_out = self.without_score(item.score_keys if paired else ())
        score_keys = (*item.score_keys, *item.view_keys)
        changed: dict[Hashable, Mask] = {
            score_key: self._effective(score_key[1]) for score_key in score_keys
        }
        scores: dict[Hashable, Vector] = {
            score_key: np.where(left_out, np.nan, self.scores(score_key))
            for score_key in score_keys
        }
        return Observations(rated_by(self.candidates, item.rating), scores, changed)

    def _effective(self, condition: Condition) -> Mask:
        """Return the changed rows; a condition that changes nothing is a mistake."""
        mask = self.changed(condition)
        if condition != CLEAN and not condition.first and not mask.any():
            raise SpecError(
                f"{condition.family!r} changes none of the {len(self.plan.segments)} segments, "
                "so the check would prove nothing; choose another family, field or data set"
            )
        return mask
