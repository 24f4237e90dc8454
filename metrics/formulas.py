"""The formulas that most metrics share: which texts a scorer gets, and what its scores become."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from itertools import islice
from math import isnan, nan
from typing import ClassVar

from shakeproof.metrics.engine.calls import rate_each
from shakeproof.metrics.protocols import (
    Instance,
    Metric,
    MetricInput,
    ScoreColumn,
    Scorer,
    ScoreRequest,
    Texts,
    Vector,
    column_of,
)

REFERENCES = frozenset({"references"})
SOURCE = frozenset({"source"})


def source_of(instance: Instance) -> str:
    """Return the source; a metric that requires one is never given an instance without it."""
    if instance.source is None:
        raise ValueError(f"no source for candidate {instance.candidate!r}")
    return instance.source


def with_source_as_reference(instance: Instance) -> Instance:
    """Put the source in the place of the references."""
    return Instance(instance.candidate, (source_of(instance),), instance.source, instance.stored)


def needs_of(inputs: Iterable[MetricInput]) -> list[ScoreRequest]:
    """List what several metrics need, one after the other."""
    return [request for metric, instance in inputs for request in metric.needs(instance)]


def combine_each(inputs: Iterable[MetricInput], scores: Sequence[float]) -> list[float]:
    """Compute several metrics from scores in the order of `needs_of`."""
    stream = iter(scores)
    return [
        metric.combine(instance, list(islice(stream, len(metric.needs(instance)))))
        for metric, instance in inputs
    ]


@dataclass(frozen=True, slots=True)
class BestReference:
    """The highest score that the candidate gets against any one reference."""

    scorer: Scorer
    requires: ClassVar[frozenset[str]] = REFERENCES

    @property
    def signature(self) -> str:
        return self.scorer.signature

    def needs(self, instance: Instance) -> list[ScoreRequest]:
        return [(self.scorer, (instance.candidate, reference)) for reference in instance.references]

    def combine(self, instance: Instance, scores: Sequence[float]) -> float:
        """Take the highest score; NaN if any score is NaN."""
        if len(scores) == 1:
            return scores[0]
        return nan if any(map(isnan, scores)) else max(scores)


@dataclass(frozen=True, slots=True)
class AllReferences:
    """The score of the candidate against all references at once."""

    scorer: Scorer
    sign: float = 1.0  # -1 for an error rate, so that higher is better
    requires: ClassVar[frozenset[str]] = REFERENCES

    @property
    def signature(self) -> str:
        return self.scorer.signature if self.sign > 0 else f"-{self.scorer.signature}"

    def needs(self, instance: Instance) -> list[ScoreRequest]:
        return [(self.scorer, (instance.candidate, *instance.references))]

    def combine(self, instance: Instance, scores: Sequence[float]) -> float:
        return self.sign * scores[0]


@dataclass(frozen=True, slots=True)
class Computed:
    """A number that is computed each time, because looking it up would take longer."""

    signature: str
    requires: frozenset[str]
    function: Callable[[Instance], float]

    def needs(self, instance: Instance) -> list[ScoreRequest]:
        return []

    def combine(self, instance: Instance, scores: Sequence[float]) -> float:
        return self.function(instance)


@dataclass(frozen=True, slots=True)
class ReferenceFree:
    """The reference-free variant of a metric: the source takes the place of the references."""

    metric: Metric

    @property
    def signature(self) -> str:
        return f"free({self.metric.signature})"

    @property
    def requires(self) -> frozenset[str]:
        return self.metric.requires - REFERENCES | SOURCE

    def needs(self, instance: Instance) -> Sequence[ScoreRequest]:
        return self.metric.needs(with_source_as_reference(instance))

    def combine(self, instance: Instance, scores: Sequence[float]) -> float:
        return self.metric.combine(with_source_as_reference(instance), scores)


@dataclass(frozen=True, slots=True)
class Blend:
    """A number computed from several metrics, each with an instance of its own."""

    label: str
    metrics: tuple[Metric, ...]
    requires: frozenset[str]
    inputs: Callable[[Instance], Sequence[MetricInput]]
    function: Callable[..., float]  # takes the values of the metrics of `inputs`, in order

    @property
    def signature(self) -> str:
        return "|".join([self.label, *(f"({metric.signature})" for metric in self.metrics)])

    def needs(self, instance: Instance) -> list[ScoreRequest]:
        return needs_of(self.inputs(instance))

    def combine(self, instance: Instance, scores: Sequence[float]) -> float:
        return self.function(*combine_each(self.inputs(instance), scores))


@dataclass(frozen=True, slots=True)
class PairwiseScorer:
    """A scorer that calls a plain function for every pair of texts."""

    signature: str
    function: Callable[[str, str], float] = field(compare=False)

    def score(self, tuples: Sequence[Texts]) -> Vector:
        return self.score_column(tuples).scores

    def score_column(self, tuples: Sequence[Texts]) -> ScoreColumn:
        """Rate each pair; one for which the function raises has no score."""
        return column_of(rate_each(self.function, tuples))
