"""ParaScore: closeness to the source or a reference, plus a reward for different wording."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, ClassVar, Literal

from pydantic import Field

from shakeproof.metrics.bertscore.scorer import BertScoreOptions
from shakeproof.metrics.formulas import (
    REFERENCES,
    SOURCE,
    View,
    combine_each,
    needs_of,
    towards_source,
)
from shakeproof.metrics.kinds.distance import EditSimilarityOptions
from shakeproof.metrics.options import Options, other
from shakeproof.metrics.protocols import Instance, Metric, ScoreRequest
from shakeproof.metrics.settings import Settings

OMEGA = 0.05  # fixed in the released package; it hardly punishes a copied input
GAMMA = 0.35
ROUNDING = 1e-6  # a float32 similarity may exceed 1 by so much


def divergence(distance: float, gamma: float = GAMMA) -> float:
    """Reward wording that differs, from -1 for a copy to `gamma` (Shen et al. 2022, eq. 8)."""
    if distance < -ROUNDING:
        raise ValueError(f"distance {distance!r} is below 0; take one from a metric of 0 to 1")
    return gamma if distance > gamma else max(distance, 0.0) * (gamma + 1) / gamma - 1


@dataclass(frozen=True, slots=True)
class Parts:
    """The two terms of ParaScore before they are weighed."""

    similarity: float
    divergence: float


@dataclass(frozen=True, slots=True)
class ParaScore:
    """max(Sim(X, C), Sim(R, C)) + omega * DS(distance(X, C)) (Shen et al. 2022, eq. 7).

    Any metric that compares with references serves as similarity, and as closeness, which
    is 1 minus the distance. The last three fields switch parts off, as Table 10 does.
    """

    similarity: Metric
    closeness: Metric
    omega: float | None  # None: still to be tuned
    gamma: float = GAMMA
    use_max: bool = True
    threshold: bool = True
    divergence: bool = True

    @property
    def signature(self) -> str:
        """Name the parameters and both metrics."""
        omega = "tuned" if self.omega is None else f"{self.omega}"
        switches = f"max:{self.use_max}|threshold:{self.threshold}|divergence:{self.divergence}"
        parts = f"sim:({self.similarity.signature})|dist:1-({self.closeness.signature})"
        return f"parascore|omega:{omega}|gamma:{self.gamma}|{switches}|{parts}"

    @property
    def requires(self) -> frozenset[str]:
        """Ask for the source and, with the max, for references."""
        inner = (self.similarity.requires | self.closeness.requires) - REFERENCES
        return inner | SOURCE | (REFERENCES if self.use_max else frozenset())

    def needs(self, instance: Instance) -> list[ScoreRequest]:
        """Need both similarities and the distance."""
        return needs_of(self._views(instance))

    def combine(self, instance: Instance, scores: Sequence[float]) -> float:
        """Weigh the two terms."""
        if self.omega is None:
            raise ValueError("omega is still to be tuned; tune it on rated items first")
        parts = self.parts(instance, scores)
        return parts.similarity + self.omega * parts.divergence

    def parts(self, instance: Instance, scores: Sequence[float]) -> Parts:
        """Compute the two terms from the scores, given in the order of `needs`."""
        *similar, close = combine_each(self._views(instance), scores)
        if not self.divergence:
            return Parts(max(similar), 0.0)
        distance = 1 - close
        return Parts(max(similar), divergence(distance, self.gamma) if self.threshold else distance)

    def _views(self, instance: Instance) -> list[View]:
        turned = towards_source(instance)
        similar = [(self.similarity, turned)]
        if self.use_max:
            similar.append((self.similarity, instance))
        return [*similar, (self.closeness, turned)]


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
        """Name the metrics taken as similarity and distance."""
        return tuple(name for name in (self.similarity, self.distance) if name is not None)

    def build(self, others: Mapping[str, Metric], settings: Settings) -> ParaScore:
        """Compare with the source alone."""
        return self._build(others, settings, use_max=False)

    def _build(
        self, others: Mapping[str, Metric], settings: Settings, *, use_max: bool
    ) -> ParaScore:
        similarity = other(self.similarity, others, BertScoreOptions(), settings)
        closeness = other(self.distance, others, EditSimilarityOptions(), settings)
        omega = None if self.omega == "tuned" else self.omega
        ablations = (use_max, self.threshold, self.divergence)
        return ParaScore(similarity, closeness, omega, self.gamma, *ablations)


class ParaScoreOptions(ParaScoreFreeOptions):
    """Settings of ParaScore; without `use_max` it is ParaScore.Free."""

    summary: ClassVar[str] = "ParaScore: max(Sim(X, C), Sim(R, C)) + omega * DS(X, C)"

    use_max: bool = True

    def build(self, others: Mapping[str, Metric], settings: Settings) -> ParaScore:
        """Compare with the source and the references."""
        return self._build(others, settings, use_max=self.use_max)
