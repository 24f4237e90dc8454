"""Correlation on data with and without copies of the input among the candidates."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from shakeproof.data.copies import copy_rating, gets_copy
from shakeproof.stats.kinds.agreement import Agreement, correlation
from shakeproof.stats.kinds.coefficients import Coefficient
from shakeproof.stats.kinds.copying import copy_scores
from shakeproof.stats.observations import Ints, Mask, Matrix, Observations, ScoreKey, Vector
from shakeproof.stats.rows import original_rows


@dataclass(frozen=True, slots=True)
class CorrelationWithCopies:
    """A correlation on the data with copies of some inputs added (Shen et al. 2022).

    `data.copies` says which inputs get one and how it is rated. Data to which copies were added
    already are taken as they are. With `copies` off, added copies are left out instead.
    """

    is_correlation: ClassVar[bool] = True

    coefficient: Coefficient
    clean: ScoreKey
    copy: ScoreKey
    copies: bool = True

    @property
    def _agreement(self) -> Agreement:
        return correlation(self.coefficient, [self.clean])

    def contributes(self, observed: Observations) -> Mask:
        return self._agreement.contributes(self.data(observed))

    def sums(self, observed: Observations) -> Matrix:
        return self._agreement.sums(self.data(observed))

    def value(self, totals: Matrix) -> Vector:
        return self._agreement.value(totals)

    def note(self, observed: Observations) -> str:
        return self._agreement.note(self.data(observed))

    def data(self, observed: Observations) -> Observations:
        """Return the observations that the correlation is computed on."""
        original = original_rows(observed.candidates)
        if original.all():
            return self.extend(observed) if self.copies else observed
        if self.copies:
            return observed
        rating = np.where(original, observed.candidates.rating, np.nan)
        return replace(observed, candidates=replace(observed.candidates, rating=rating))

    def extend(self, observed: Observations) -> Observations:
        """Add a row for the copy to each segment that gets one and has a score for it."""
        candidates, copies = observed.candidates, copy_scores(observed, self.copy)
        due = np.array([gets_copy(position) for position in range(candidates.segments)], bool)
        chosen: Ints = np.flatnonzero(due & np.isfinite(copies))
        rating = copy_rating(candidates.rating)
        order = np.argsort(np.append(candidates.segment, chosen), kind="stable")
        place = np.argsort(order)[: len(candidates.segment)]
        extended = replace(
            candidates,
            segment=np.append(candidates.segment, chosen)[order],
            rating=np.append(candidates.rating, np.full(len(chosen), rating))[order],
            pairs=place[candidates.pairs],
            members=None,
            added=None,
            ratings={},  # of aspects, which copies have none for
        )
        scores = np.append(observed.scores[self.clean], copies[chosen])[order]
        return Observations(extended, {self.clean: scores}, {})
