"""The shapes everything in this folder has: items, scorers, metrics."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol, TypeAlias, runtime_checkable

import numpy as np
from numpy.typing import NDArray

Vector: TypeAlias = NDArray[np.float64]
Matrix: TypeAlias = NDArray[np.float64]
Texts: TypeAlias = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Instance:
    """One candidate to be rated, with what surrounds it."""

    candidate: str
    references: tuple[str, ...] = ()
    source: str | None = None
    stored: Mapping[str, float] = field(default_factory=dict)  # scores computed elsewhere


class Scorer(Protocol):
    """Rates tuples of texts, most often pairs. A score depends on its texts alone."""

    @property
    def signature(self) -> str:
        """All that is needed to repeat the score; computed without loading a model."""
        ...

    def score(self, tuples: Sequence[Texts]) -> Vector:
        """Rate each tuple, in order."""
        ...


@runtime_checkable
class SharedScorer(Scorer, Protocol):
    """A scorer that is cheaper in company: those with equal `company` share one forward pass."""

    @property
    def group(self) -> Hashable:
        """What the scorers share, such as one encoder on one device."""
        ...

    def score_together(self, scorers: Sequence[Scorer], tuples: Sequence[Texts]) -> Matrix:
        """Rate each tuple with each of `scorers`, all of this company: (tuples, scorers)."""
        ...


ScoreRequest: TypeAlias = tuple[Scorer, Texts]


class Metric(Protocol):
    """A formula over scorers; higher is better."""

    @property
    def signature(self) -> str:
        """All that is needed to repeat the metric, its scorers' signatures included."""
        ...

    @property
    def requires(self) -> frozenset[str]:
        """What an item must have: "references", "source", or "stored:NAME"."""
        ...

    def needs(self, instance: Instance) -> Sequence[ScoreRequest]:
        """Say which tuples must be rated by which scorer for this item."""
        ...

    def combine(self, instance: Instance, scores: Sequence[float]) -> float:
        """Make one number of the scores, given in the order of `needs`."""
        ...
