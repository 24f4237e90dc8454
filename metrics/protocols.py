"""What scorers and metrics are, and the instances that metrics rate."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from math import nan
from typing import Protocol, TypeAlias, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from shakeproof.metrics.failures import Failure

Vector: TypeAlias = NDArray[np.float64]
Matrix: TypeAlias = NDArray[np.float64]
IntArray: TypeAlias = NDArray[np.int64]
Texts: TypeAlias = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Instance:
    """One candidate to be rated, with its references, its source and its rivals."""

    candidate: str
    references: tuple[str, ...] = ()
    source: str | None = None
    stored: Mapping[str, float] = field(default_factory=dict)  # scores computed elsewhere
    rivals: tuple[str, ...] = ()  # the segment's other candidates, never perturbed, next one first


class Scorer(Protocol):
    """Rates tuples of texts, most often pairs. A score depends on its texts alone."""

    @property
    def signature(self) -> str:
        """Name all that the score depends on, without loading a model; the cache's key."""
        ...

    def score(self, tuples: Sequence[Texts]) -> Vector:
        """Rate each tuple, in order."""
        ...


@dataclass(frozen=True, slots=True)
class ScoreColumn:
    """A score for each tuple; where one is not finite, `failures` says why, by position."""

    scores: Vector
    failures: Mapping[int, Failure] = field(default_factory=dict)


def column_of(rated: Iterable[float | Failure]) -> ScoreColumn:
    """Separate scores and failures."""
    entries = list(rated)
    failures = {at: entry for at, entry in enumerate(entries) if isinstance(entry, Failure)}
    scores = [nan if isinstance(entry, Failure) else entry for entry in entries]
    return column_with(np.array(scores, dtype=float), failures)


def column_with(scores: Vector, failures: Mapping[int, Failure] | None = None) -> ScoreColumn:
    """Make a column; a score that is not finite is a failure too."""
    unexplained = set(np.flatnonzero(~np.isfinite(scores)).tolist()) - set(failures or ())
    infinite = {at: Failure(f"returned {scores[at]}") for at in sorted(unexplained)}
    return ScoreColumn(scores, {**(failures or {}), **infinite})


@runtime_checkable
class ColumnScorer(Scorer, Protocol):
    """A scorer that can say why a score is missing, tuple by tuple."""

    def score_column(self, tuples: Sequence[Texts]) -> ScoreColumn:
        """Rate each tuple, in order; raise RatingFailed if the batch as a whole failed."""
        ...


@runtime_checkable
class SharedScorer(Scorer, Protocol):
    """A scorer that can share a forward pass with the other scorers of its group."""

    @property
    def group(self) -> Hashable:
        """Return what the scorers share, such as one encoder on one device."""
        ...

    def score_together(self, scorers: Sequence[Scorer], tuples: Sequence[Texts]) -> Matrix:
        """Rate each tuple with each of `scorers`, all of this group: (tuples, scorers)."""
        ...


ScoreRequest: TypeAlias = tuple[Scorer, Texts]


class Metric(Protocol):
    """A formula over scorers; higher is better."""

    @property
    def signature(self) -> str:
        """Name all that the metric depends on, the signatures of its scorers included."""
        ...

    @property
    def requires(self) -> frozenset[str]:
        """Return what an instance must have: references, source, rivals, or stored:NAME."""
        ...

    def needs(self, instance: Instance) -> Sequence[ScoreRequest]:
        """List the scores that the formula needs: a scorer and the texts it rates."""
        ...

    def combine(self, instance: Instance, scores: Sequence[float]) -> float:
        """Compute the metric from those scores, which come in the order of `needs`."""
        ...


MetricInput: TypeAlias = tuple[Metric, Instance]  # a metric, and an instance that it rates
