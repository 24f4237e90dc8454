"""What a statistic sees: rows of candidates in segments, and vectors of scores."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass, field
from typing import Protocol, TypeAlias, runtime_checkable

import numpy as np
from numpy.typing import NDArray

Vector: TypeAlias = NDArray[np.float64]
Matrix: TypeAlias = NDArray[np.float64]
Ints: TypeAlias = NDArray[np.int64]
Mask: TypeAlias = NDArray[np.bool_]
ScoreKey: TypeAlias = Hashable  # names one vector of scores: a metric under a condition


@dataclass(frozen=True, slots=True)
class Candidates:
    """The rows that scores belong to: one per candidate, in segment order."""

    segments: int
    segment: Ints  # (rows,) the segment of each row
    rating: Vector  # (rows,) NaN where nobody rated
    pairs: Ints  # (pairs, 2) rows (better, worse); repeats count
    group: Ints  # (segments,) index into groups
    groups: tuple[str, ...] = ("",)
    ids: tuple[str, ...] = ()  # of the segments; only cross-fitting needs them
    members: Ints | None = None  # (memberships, 2) row and index into systems
    systems: tuple[str, ...] = ()
    cluster: Ints | None = None  # (segments,) what is resampled together, such as documents
    added: Mask | None = None  # (rows,) copies of the input put into the data, rated lowest


@dataclass(frozen=True, slots=True)
class Observations:
    """Score vectors by key, and the rows whose texts differ from the clean ones."""

    candidates: Candidates
    scores: Mapping[ScoreKey, Vector]  # (rows,) each
    changed: Mapping[ScoreKey, Mask]  # (rows,) each


@dataclass(frozen=True, slots=True)
class ComparedScores:
    """What one item compares: clean scores and, per level, those of each seed."""

    clean: ScoreKey
    levels: tuple[float, ...] = ()
    perturbed: tuple[tuple[ScoreKey, ...], ...] = ()  # by level, then by seed
    others: Mapping[str, ComparedScores] = field(default_factory=dict)  # by metric or by family
    views: Mapping[str, Mapping[ScoreKey, ScoreKey]] = field(default_factory=dict)
    # other numbers of the metric: by name, the key of the view for each key of the metric

    @property
    def condition(self) -> tuple[ScoreKey, ...]:
        """Return the keys of the first level, one per seed; of the clean scores without levels."""
        return self.perturbed[0] if self.perturbed else (self.clean,)

    @property
    def view_keys(self) -> tuple[ScoreKey, ...]:
        """Return the keys of all views."""
        return tuple(key for view in self.views.values() for key in view.values())

    def view(self, name: str) -> tuple[ScoreKey, ...]:
        """Return the keys of a view under the condition, one per seed."""
        return tuple(self.views[name][score_key] for score_key in self.condition)


class Statistic(Protocol):
    """A number about a whole data set that can be resampled by segment."""

    def sums(self, observed: Observations) -> Matrix:
        """Return each segment's additive share: (segments, k)."""
        ...

    def value(self, totals: Matrix) -> Vector:
        """Turn totals (..., k) into numbers (...); NaN where undefined."""
        ...


@runtime_checkable
class CountsSegments(Protocol):
    """A statistic that marks its segments itself; by default those whose sums are not all 0."""

    def contributes(self, observed: Observations) -> Mask:
        """Mark the segments with something to compare: (segments,)."""
        ...


@runtime_checkable
class MayBeCorrelation(Protocol):
    """A statistic that may be a correlation, whose interval then stays within -1 and 1."""

    @property
    def is_correlation(self) -> bool:
        """Return whether the value is a correlation, or a mean of correlations."""
        ...


@runtime_checkable
class MayHaveUnseenChanges(Protocol):
    """A difference that may be 0 because the segments that differ are not among those at hand."""

    def unseen_change(self, sums: Matrix) -> float:
        """Return how far one segment can move it, if no segment does; 0 if one does."""
        ...

    def same_scores(self, observed: Observations) -> bool:
        """Return whether the compared scores are equal, so that no segment can differ."""
        ...


@runtime_checkable
class HasNote(Protocol):
    """A statistic that can explain why it is undefined, or what it left out."""

    def note(self, observed: Observations) -> str:
        """Return the explanation in one line; "" if there is none."""
        ...


@runtime_checkable
class ShareOfSegments(Protocol):
    """A statistic that is a share of segments, and takes an exact interval."""

    def outcomes(self, observed: Observations) -> Vector:
        """Return 1 for each segment that behaves, 0 if not, NaN where it does not count."""
        ...
