"""ParaScore: closeness to the source or a reference, plus a reward for different wording."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Annotated, ClassVar, Literal

import numpy as np
from pydantic import Field

from shakeproof.metrics.bertscore.scorer import BertScoreOptions
from shakeproof.metrics.formulas import (
    REFERENCES,
    SOURCE,
    combine_each,
    needs_of,
    with_source_as_reference,
)
from shakeproof.metrics.kinds.distance import EditSimilarityOptions
from shakeproof.metrics.options import Options, metric_or_default
from shakeproof.metrics.protocols import Instance, Metric, MetricInput, ScoreRequest, Vector
from shakeproof.metrics.settings import Settings

OMEGA = 0.05  # fixed in the released package; a copied input loses hardly anything
GAMMA = 0.35
ROUNDING = 1e-6  # a float32 similarity may exceed 1 by so much
OMEGA_STEP = 0.01
OMEGA_STEPS = 100  # 0.00 to 0.99, as in the code of Shen et al. 2022


def divergence(distance: float, gamma: float = GAMMA) -> float:
    """Reward wording that differs, from -1 for a copy to `gamma` (Shen et al. 2022, eq. 8)."""
    if distance < -ROUNDING:
        raise ValueError(
            f"distance {distance!r} is below 0; use a metric between 0 and 1 as the distance"
        )
    return gamma if distance > gamma else max(distance, 0.0) * (gamma + 1) / gamma - 1


@dataclass(frozen=True, slots=True)
class Parts:
    """The two terms of ParaScore, before omega is applied."""

    similarity: float
    divergence: float


@dataclass(frozen=True, slots=True)
class ParaScore:
    """max(Sim(X, C), Sim(R, C)) + omega * DS(distance(X, C)) (Shen et al. 2022, eq. 7).

    Any metric that compares with references can be the similarity, or the closeness, which is
    1 minus the distance. The last three fields switch parts off, as Table 10 does.
    """

    similarity: Metric
    closeness: Metric
    omega: float | None  # None until it is tuned
    gamma: float = GAMMA
    use_max: bool = True
    threshold: bool = True
    divergence: bool = True

    @property
    def signature(self) -> str:
        omega = "tuned" if self.omega is None else f"{self.omega}"
        switches = f"max:{self.use_max}|threshold:{self.threshold}|divergence:{self.divergence}"
        parts = f"sim:({self.similarity.signature})|dist:1-({self.closeness.signature})"
        return f"parascore|omega:{omega}|gamma:{self.gamma}|{switches}|{parts}"

    @property
    def requires(self) -> frozenset[str]:
        inner = (self.similarity.requires | self.closeness.requires) - REFERENCES
        return inner | SOURCE | (REFERENCES if self.use_max else frozenset())

    def needs(self, instance: Instance) -> list[ScoreRequest]:
        return needs_of(self._inputs(instance))

    def combine(self, instance: Instance, scores: Sequence[float]) -> float:
        if self.omega is None:
            raise ValueError("omega is still to be tuned, which takes rated candidates")
        parts = self.parts(instance, scores)
        return parts.similarity + self.omega * parts.divergence

    def parts(self, instance: Instance, scores: Sequence[float]) -> Parts:
        """Compute the two terms from the scores, given in the order of `needs`."""
        *similar, close = combine_each(self._inputs(instance), scores)
        if not self.divergence:
            return Parts(max(similar), 0.0)
        distance = 1 - close
        return Parts(max(similar), divergence(distance, self.gamma) if self.threshold else distance)

    def _inputs(self, instance: Instance) -> list[MetricInput]:
        source_only = with_source_as_reference(instance)
        similar = [(self.similarity, source_only)]
        if self.use_max:
            similar.append((self.similarity, instance))
        return [*similar, (self.closeness, source_only)]


def tune_omega(
    similarities: Vector, divergences: Vector, ratings: Vector, *, published: bool = False
) -> float:
    """Choose the omega of highest Pearson correlation with the ratings, the first if several.

    The released code then uses the step after the one it chose; `published` repeats that.
    """
    weights = np.arange(OMEGA_STEPS) * OMEGA_STEP
    scores = similarities + weights[:, np.newaxis] * divergences
    correlations = _pearson(scores, ratings)
    if np.isnan(correlations).all():
        raise ValueError(
            "omega cannot be tuned: all ratings or all scores are equal; give omega a number"
        )
    best = int(np.nanargmax(correlations))
    return round((best + published) * OMEGA_STEP, 2)


def with_tuned_omega(
    metric: ParaScore,
    instances: Sequence[Instance],
    scores: Sequence[Sequence[float]],
    ratings: Sequence[float],
    *,
    published: bool = False,
) -> ParaScore:
    """Set the omega of a metric by instances, their scores (as `needs` lists them) and ratings."""
    parts = [metric.parts(instance, row) for instance, row in zip(instances, scores, strict=True)]
    omega = tune_omega(
        np.array([part.similarity for part in parts]),
        np.array([part.divergence for part in parts]),
        np.asarray(ratings, dtype=float),
        published=published,
    )
    return replace(metric, omega=omega)


def _pearson(rows: Vector, ratings: Vector) -> Vector:
    """Correlate every row with the ratings; NaN where either does not vary."""
    centred = rows - rows.mean(axis=-1, keepdims=True)
    rated = ratings - ratings.mean()
    norms = np.sqrt((centred**2).sum(axis=-1) * (rated**2).sum())
    correlations: Vector = np.full(len(rows), np.nan)
    np.divide(centred @ rated, norms, out=correlations, where=norms > 0)
    return correlations


class ParaScoreFreeOptions(Options):
    """Settings of ParaScore.Free; `published` tunes omega exactly as the released code does."""

    summary: ClassVar[str] = "ParaScore without references: Sim(X, C) + omega * DS(X, C)"

    similarity: str | None = None
    distance: str | None = None
    omega: Annotated[float, Field(ge=0)] | Literal["tuned"] = OMEGA
    gamma: float = Field(default=GAMMA, gt=0, le=1)
    threshold: bool = True
    divergence: bool = True
    published: bool = False

    @property
    def refers(self) -> tuple[str, ...]:
        return tuple(name for name in (self.similarity, self.distance) if name is not None)

    def build(self, others: Mapping[str, Metric], settings: Settings) -> ParaScore:
        return self._build(others, settings, use_max=False)

    def _build(
        self, others: Mapping[str, Metric], settings: Settings, *, use_max: bool
    ) -> ParaScore:
        similarity = metric_or_default(self.similarity, others, BertScoreOptions(), settings)
        closeness = metric_or_default(self.distance, others, EditSimilarityOptions(), settings)
        omega = None if self.omega == "tuned" else self.omega
        return ParaScore(
            similarity=similarity,
            closeness=closeness,
            omega=omega,
            gamma=self.gamma,
            use_max=use_max,
            threshold=self.threshold,
            divergence=self.divergence,
        )


class ParaScoreOptions(ParaScoreFreeOptions):
    """Settings of ParaScore; without `use_max` it is ParaScore.Free."""

    summary: ClassVar[str] = "ParaScore: max(Sim(X, C), Sim(R, C)) + omega * DS(X, C)"

    use_max: bool = True

    def build(self, others: Mapping[str, Metric], settings: Settings) -> ParaScore:
        return self._build(others, settings, use_max=self.use_max)
