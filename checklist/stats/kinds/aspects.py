"""Agreement with the ratings for one of several aspects, all on the same candidates."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from shakeproof.stats.kinds.agreement import Agreement
from shakeproof.stats.kinds.coefficients import Coefficient
from shakeproof.stats.observations import Mask, Matrix, Observations, Vector
from shakeproof.stats.rows import rated_by


@dataclass(frozen=True, slots=True)
class AspectAgreement:
    """An agreement with the ratings for an aspect, of candidates that were rated for all."""

    agreement: Agreement
    aspect: str
    aspects: tuple[str, ...]  # that are compared, this one among them

    @property
    def coefficient(self) -> Coefficient:
        return self.agreement.coefficient

    @property
    def extremes(self) -> tuple[float, float] | None:
        return self.agreement.extremes

    @property
    def is_correlation(self) -> bool:
        return self.agreement.is_correlation

    def observed(self, observed: Observations) -> Observations:
        """Take the ratings for the aspect, where there are ratings for all aspects."""
        candidates = rated_by(observed.candidates, self.aspect)
        columns = [rated_by(observed.candidates, aspect).rating for aspect in self.aspects]
        rated = np.isfinite(columns).all(axis=0)
        rating = np.where(rated, candidates.rating, np.nan)
        return replace(observed, candidates=replace(candidates, rating=rating))

    def contributes(self, observed: Observations) -> Mask:
        return self.agreement.contributes(self.observed(observed))

    def sums(self, observed: Observations) -> Matrix:
        return self.agreement.sums(self.observed(observed))

    def value(self, totals: Matrix) -> Vector:
        return self.agreement.value(totals)

    def unseen_change(self, sums: Matrix) -> float:
        return self.agreement.unseen_change(sums)

    def same_scores(self, observed: Observations) -> bool:
        return self.agreement.same_scores(self.observed(observed))

    def note(self, observed: Observations) -> str:
        return self.agreement.note(self.observed(observed))
