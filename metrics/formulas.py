"""The formulas most metrics share: one scorer, and which texts it is given."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from itertools import islice
from math import isnan, nan
from typing import TypeAlias

import numpy as np

from shakeproof.metrics.protocols import Instance, Metric, Scorer, ScoreRequest, Texts, Vector

View: TypeAlias = tuple[Metric, Instance]  # a metric, and the item as that metric shall see it

REFERENCES = frozenset({"references"})
SOURCE = frozenset({"source"})


def source_of(instance: Instance) -> str:
    """Return the source; a metric that asks for it is never given an item without one."""
    if instance.source is None:
        raise ValueError(f"no source beside candidate {instance.candidate!r}")
    return instance.source


def towards_source(instance: Instance) -> Instance:
    """Put the source in the place of the references."""
    return Instance(instance.candidate, (source_of(instance),), instance.source, instance.stored)


def needs_of(views: Iterable[View]) -> list[ScoreRequest]:
    """List what several metrics need, one after the other."""
    return [comparison for metric, instance in views for comparison in metric.needs(instance)]


def combine_each(views: Iterable[View], scores: Sequence[float]) -> list[float]:
    """Share the scores out in the order of `needs_of`, and let each metric combine its own."""
    stream = iter(scores)
    return [
        metric.combine(instance, list(islice(stream, len(metric.needs(instance)))))
        for metric, instance in views
    ]


@dataclass(frozen=True, slots=True)
class BestReference:
    """The highest score that the candidate gets against any one reference."""

    scorer: Scorer

    @property
    def signature(self) -> str:
        """Return the scorer's signature."""
        return self.scorer.signature

    @property
    def requires(self) -> frozenset[str]:
        """Ask for references."""
        return REFERENCES

    def needs(self, instance: Instance) -> list[ScoreRequest]:
        """Compare the candidate with each reference."""
        return [(self.scorer, (instance.candidate, reference)) for reference in instance.references]

    def combine(self, instance: Instance, scores: Sequence[float]) -> float:
        """Take the best; a score that is not a number spoils the others."""
        if len(scores) == 1:
            return scores[0]
        return nan if any(map(isnan, scores)) else max(scores)


@dataclass(frozen=True, slots=True)
class AllReferences:
    """The score of the candidate against all references at once."""

    scorer: Scorer
    sign: float = 1.0  # -1 for an error rate, so that higher is better

    @property
    def signature(self) -> str:
        """Return the scorer's signature, with the sign."""
        return self.scorer.signature if self.sign > 0 else f"-{self.scorer.signature}"

    @property
    def requires(self) -> frozenset[str]:
        """Ask for references."""
        return REFERENCES

    def needs(self, instance: Instance) -> list[ScoreRequest]:
        """Hand over the candidate followed by every reference."""
        return [(self.scorer, (instance.candidate, *instance.references))]

    def combine(self, instance: Instance, scores: Sequence[float]) -> float:
        """Take the only score."""
        return self.sign * scores[0]


@dataclass(frozen=True, slots=True)
class Computed:
    """A number so cheap that storing it would cost more than computing it."""

    signature: str
    requires: frozenset[str]
    function: Callable[[Instance], float]

    def needs(self, instance: Instance) -> list[ScoreRequest]:
        """Need no scorer."""
        return []

    def combine(self, instance: Instance, scores: Sequence[float]) -> float:
        """Compute the number from the item itself."""
        return self.function(instance)


@dataclass(frozen=True, slots=True)
class Free:
    """The reference-free twin of a metric: the source takes the place of the references."""

    metric: Metric

    @property
    def signature(self) -> str:
        """Name the twin."""
        return f"free({self.metric.signature})"

    @property
    def requires(self) -> frozenset[str]:
        """Ask for the source instead of references."""
        return self.metric.requires - REFERENCES | SOURCE

    def needs(self, instance: Instance) -> Sequence[ScoreRequest]:
        """Need what the metric needs with the source as reference."""
        return self.metric.needs(towards_source(instance))

    def combine(self, instance: Instance, scores: Sequence[float]) -> float:
        """Combine as the metric does with the source as reference."""
        return self.metric.combine(towards_source(instance), scores)


@dataclass(frozen=True, slots=True)
class Blend:
    """A number made of those of other metrics, each with its own view of the item."""

    label: str
    metrics: tuple[Metric, ...]
    requires: frozenset[str]
    views: Callable[[Instance], Sequence[View]]
    function: Callable[..., float]

    @property
    def signature(self) -> str:
        """Name the blend and its metrics."""
        return "|".join([self.label, *(f"({metric.signature})" for metric in self.metrics)])

    def needs(self, instance: Instance) -> list[ScoreRequest]:
        """Need what the metrics need."""
        return needs_of(self.views(instance))

    def combine(self, instance: Instance, scores: Sequence[float]) -> float:
        """Let each metric combine its own scores, and blend the results."""
        return self.function(*combine_each(self.views(instance), scores))


@dataclass(frozen=True, slots=True)
class PairwiseScorer:
    """A scorer that calls a plain function for every pair of texts."""

    signature: str
    function: Callable[[str, str], float] = field(compare=False)

    def score(self, tuples: Sequence[Texts]) -> Vector:
        """Rate pair by pair."""
        return np.array([float(self.function(*texts)) for texts in tuples])
