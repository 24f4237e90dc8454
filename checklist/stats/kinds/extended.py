"""Correlation on data with and without copies of the input among the candidates."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from shakeproof.data.copies import copy_rating, gets_copy
from shakeproof.stats.kinds.agreement import Agreement, correlation
from shakeproof.stats.kinds.coefficients import Coefficient
from shakeproof.stats.kinds.copying import copy_scores
from shakeproof.stats.observations import Ints, Mask, Matrix, Observations, ScoreKey, Vector
from shakeproof.stats.rows import original_rows


@dataclass(frozen=True, slots=True)
class Extended:
    """A correlation on the data with every fifth input's copy added, rated 0 (Shen et al. 2022).

    Where ratings go below 0, the copy gets the lowest of them. Data to which copies were added
    already are taken as they are. With `copies` off, added copies are left out instead.
    """

    coefficient: Coefficient
    clean: ScoreKey
    copy: ScoreKey
    copies: bool = True

    @property
    def _plain(self) -> Agreement:
        return correlation(self.coefficient, [self.clean])

    def contributes(self, observed: Observations) -> Mask:
        """Mark the segments with something to compare."""
        return self._plain.contributes(self.data(observed))

    def sums(self, observed: Observations) -> Matrix:
        """Sum with the copies among the rows, or without any."""
        return self._plain.sums(self.data(observed))

    def value(self, totals: Matrix) -> Vector:
        """Take the value of the correlation."""
        return self._plain.value(totals)

    def note(self, observed: Observations) -> str:
        """Say what holds for these data."""
        return self._plain.note(self.data(observed))

    def data(self, observed: Observations) -> Observations:
        """Give the data that the correlation is taken on."""
        original = original_rows(observed.candidates)
        if original.all():
            return self.extend(observed) if self.copies else observed
        return observed if self.copies else _only(observed, original)

    def extend(self, observed: Observations) -> Observations:
        """Add a row for the copy to every fifth segment that has one."""
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
        )
        scores = np.append(observed.scores[self.clean], copies[chosen])[order]
        return Observations(extended, {self.clean: scores}, {})


def _only(observed: Observations, rows: Mask) -> Observations:
    """Take the ratings of the other rows away, as if nobody had judged them."""
    rating = np.where(rows, observed.candidates.rating, np.nan)
    return replace(observed, candidates=replace(observed.candidates, rating=rating))
