"""Correlation between systems: mean scores against mean ratings."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from shakeproof.stats.intervals import IntervalTraits
from shakeproof.stats.kinds.coefficients import Coefficient, rated
from shakeproof.stats.observations import Candidates, Ints, Mask, Matrix, Vector
from shakeproof.stats.rows import TIE, by_segment, ratio, rows_per_segment, tie_width

FEWEST = 3  # systems below which a correlation says nothing


@dataclass(frozen=True, slots=True)
class BySystem(Coefficient):
    """A coefficient over the systems' means; exact, for these very systems."""

    kind: Literal["pearson", "spearman", "tau-b"] = "pearson"
    tie: float = TIE

    @property
    def interval_traits(self) -> IntervalTraits:
        """Allow for noise in the means, which lowers correlations."""
        return IntervalTraits(noise_lowers=True, in_steps=self.kind != "pearson")

    def rows(self, candidates: Candidates) -> Mask:
        """Mark what is rated and of a known system."""
        return rated(candidates) & known_systems(candidates)

    def counts(self, candidates: Candidates, scores: Matrix, rows: Mask) -> Ints:
        """Count rated outputs."""
        row = memberships(candidates)[:, 0]
        return rows_per_segment(candidates, row[rows[row]])

    def sums(self, candidates: Candidates, scores: Matrix, rows: Mask) -> Matrix:
        """Sum ratings and scores and count outputs, system by system."""
        members = memberships(candidates)
        members = members[rows[members[:, 0]]]
        present = np.unique(members[:, 1])
        tables = [_system_sums(candidates, vector, members, present) for vector in scores]
        return np.stack(tables, axis=1)

    def value(self, totals: Matrix) -> Vector:
        by_system = totals.reshape(*totals.shape[:-1], -1, 3) if totals.size else None
        if by_system is None or by_system.shape[-2] < FEWEST:
            return np.full(totals.shape[:-1], np.nan)
        n, human, score = np.moveaxis(by_system, -1, 0)
        x, y = ratio(score, n), ratio(human, n)
        return _across(x, y, self.kind, self.tie)

    def remark(self, candidates: Candidates, scores: Matrix, rows: Mask) -> str:
        """Return that there are too few systems, if so."""
        return too_few_systems(candidates, rows)


def memberships(candidates: Candidates) -> Ints:
    """Return pairs of row and system; none where the data names no systems."""
    return np.empty((0, 2), np.int64) if candidates.members is None else candidates.members


def known_systems(candidates: Candidates) -> Mask:
    """Mark the candidates whose system is known."""
    known = np.zeros(len(candidates.segment), bool)
    known[memberships(candidates)[:, 0]] = True
    return known


def too_few_systems(candidates: Candidates, rows: Mask) -> str:
    """Return that there are too few systems among the usable rows, if so."""
    members = memberships(candidates)
    systems = len(np.unique(members[rows[members[:, 0]], 1]))
    return f"{systems} systems of at least {FEWEST}" if systems < FEWEST else ""


def _system_sums(candidates: Candidates, scores: Vector, members: Ints, present: Ints) -> Matrix:
    """Lay each system's count, ratings and scores side by side: (segments, 3 * systems)."""
    columns = []
    for system in present:
        row = members[members[:, 1] == system, 0]
        values = (np.ones(len(row)), candidates.rating[row], scores[row])
        columns.append(by_segment(candidates.segments, candidates.segment[row], *values))
    return np.hstack(columns) if columns else np.zeros((candidates.segments, 0))


def _across(x: Vector, y: Vector, kind: str, tie: float) -> Vector:
    """Correlate along the last axis; NaN where a side is constant."""
    if kind == "tau-b":
        return _tau(x, y, tie)
    if kind == "spearman":
        x, y = (_signs(values, tie).sum(axis=-1) for values in (x, y))
    dx, dy = (values - values.mean(axis=-1, keepdims=True) for values in (x, y))
    xx, yy = (dx * dx).sum(axis=-1), (dy * dy).sum(axis=-1)
    varied = (xx > tie_width(x, tie) ** 2) & (yy > tie_width(y, tie) ** 2)
    usable = np.where(varied, xx * yy, np.nan)
    return ratio((dx * dy).sum(axis=-1), np.sqrt(usable))


def _signs(values: Vector, tie: float) -> Vector:
    """Compare all with all: (..., systems, systems)."""
    gaps = values[..., :, None] - values[..., None, :]
    signs: Vector = np.where(np.abs(gaps) > tie_width(values, tie), np.sign(gaps), gaps * 0)
    return signs


def _tau(x: Vector, y: Vector, tie: float) -> Vector:
    dx, dy = _signs(x, tie), _signs(y, tie)
    surplus = (dx * dy).sum(axis=(-2, -1))
    pairs = np.abs(dx).sum(axis=(-2, -1)) * np.abs(dy).sum(axis=(-2, -1))
    return ratio(surplus, np.sqrt(pairs))
