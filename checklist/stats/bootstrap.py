"""Bootstrap draws of a statistic over the segments of one group, and each segment's influence."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from shakeproof.stats.binomial import Binomial, HasThreshold, binomial, clustered
from shakeproof.stats.bins import binned, binned_influence
from shakeproof.stats.intervals import USUAL, IntervalTraits, as_new_data, interval_traits
from shakeproof.stats.observations import (
    CountsSegments,
    HasNote,
    Ints,
    Mask,
    Matrix,
    MayBeCorrelation,
    MayHaveUnseenChanges,
    Observations,
    ShareOfSegments,
    Statistic,
    Vector,
)
from shakeproof.stats.studentised import drawn_errors, error_columns
from shakeproof.stats.weights import bootstrap_weights, weighted_sums

NUMBERS_AT_ONCE = 1_000_000  # of drawn totals that are changed in a copy


@dataclass(frozen=True, slots=True)
class GroupSample:
    """The value of one statistic in one group, with its draws and influences."""

    value: float
    draws: Vector  # (draws,), NaN where undefined; empty if nothing was drawn
    errors: Vector  # (draws,), the standard error within each draw
    influence: Vector  # (segments,), NaN where a segment is not resampled by itself
    segments: int  # that count: documents, if those are resampled
    note: str = ""
    binomial: Binomial | None = None  # where the interval must be exact
    correlation: bool = False  # the interval stays within -1 and 1
    traits: IntervalTraits = USUAL
    unseen_change: float = 0.0  # how far one segment can move the value, where none did


@dataclass(frozen=True, slots=True)
class SegmentSums:
    """A statistic's sums, which segments count, and which have a share in the draws.

    The two masks differ for scores in spreads: segments without a changed text do not count,
    but take part in the spread.
    """

    sums: Matrix
    counted: Mask
    active: Mask

    def by_unit(self, units: Ints) -> tuple[Matrix, Ints]:
        """Sum over what is resampled together, and return where each unit begins."""
        if self.active.all():  # no copy: there may be a million segments
            return sums_by_unit(self.sums, units)
        return sums_by_unit(self.sums[self.active], units[self.active])


def segment_sums(statistic: Statistic, observed: Observations) -> SegmentSums:
    """Sum a statistic by segment."""
    sums = statistic.sums(observed)
    nonzero: Mask = np.abs(sums).sum(axis=1) != 0  # NaN is not 0, and makes the value undefined
    counted = nonzero
    if isinstance(statistic, CountsSegments):
        counted = statistic.contributes(observed)
    return SegmentSums(sums, counted, nonzero | counted)


def contributing_segments(statistic: Statistic, observed: Observations) -> Mask:
    """Mark the segments that count for a statistic."""
    if isinstance(statistic, CountsSegments):
        return statistic.contributes(observed)
    return segment_sums(statistic, observed).counted


def draw_all(
    statistics: Sequence[Statistic], observed: Observations, draws: int, seed: Sequence[int]
) -> list[GroupSample]:
    """Draw several statistics; those that use the same segments share one matrix product."""
    units = _units(observed)
    tables = [segment_sums(statistic, observed) for statistic in statistics]
    influences = [
        influence(statistic, table, units)
        for statistic, table in zip(statistics, tables, strict=True)
    ]
    by_mask: dict[bytes, list[int]] = {}
    for position, table in enumerate(tables):
        by_mask.setdefault(table.active.tobytes(), []).append(position)
    drawn: dict[int, Drawn] = {}
    for positions in by_mask.values():
        together = [
            Drawable(statistics[place], tables[place], influences[place]) for place in positions
        ]
        drawn.update(zip(positions, _draw(together, units, draws, seed), strict=True))
    return [
        _group_sample(statistic, observed, tables[place], influences[place], drawn[place])
        for place, statistic in enumerate(statistics)
    ]


def _units(observed: Observations) -> Ints:
    """Return what is resampled together: each segment alone unless documents were asked for."""
    cluster = observed.candidates.cluster
    return np.arange(observed.candidates.segments) if cluster is None else cluster


class Drawable(NamedTuple):
    """A statistic with its sums and influences."""

    statistic: Statistic
    table: SegmentSums
    influence: Vector


class Drawn(NamedTuple):
    """The values of draws and the standard error within each of them."""

    values: Vector
    errors: Vector


def _draw(
    together: Sequence[Drawable], units: Ints, draws: int, seed: Sequence[int]
) -> list[Drawn]:
    """Weight the columns of all these statistics at once and turn totals into values."""
    active = together[0].table.active
    if draws == 0 or not active.any():
        return [Drawn(np.empty(0), np.empty(0)) for _ in together]
    by_unit = [one.table.by_unit(units) for one in together]
    first = by_unit[0][1]
    sums, place = distinct_columns(np.hstack([binned(rows, seed) for rows, _ in by_unit]))
    ends = np.cumsum([one.table.sums.shape[1] for one in together])[:-1]
    places = np.split(np.array(place), ends)
    for_errors = [
        np.empty((len(sums), 0))
        if interval_traits(one.statistic).predicts
        else error_columns(sums[:, own], binned_influence(one.influence[active][first], seed))
        for one, own in zip(together, places, strict=True)
    ]
    tables = [sums, np.hstack(for_errors)]  # apart: a product rounds by the shape of its factors
    chunks: list[list[Matrix]] = [[] for _ in tables]
    for weights in bootstrap_weights(len(sums), draws, seed):
        for table, products in zip(tables, chunks, strict=True):
            products.append(weighted_sums(weights, table))
    totals, error_totals = (np.concatenate(products) for products in chunks)
    columns = np.split(error_totals, np.cumsum([t.shape[1] for t in for_errors])[:-1], axis=1)
    return [
        _values_and_errors(one.statistic, totals[:, own], table, sums[:, own])
        for one, own, table in zip(together, places, columns, strict=True)
    ]


def _values_and_errors(
    statistic: Statistic, totals: Matrix, columns: Matrix, sums: Matrix
) -> Drawn:
    if interval_traits(statistic).predicts:
        chunks = np.array_split(totals, max(1, totals.size // NUMBERS_AT_ONCE))
        values = [statistic.value(as_new_data(chunk, sums)) for chunk in chunks]
        return Drawn(np.concatenate(values), np.zeros(len(totals)))
    return Drawn(statistic.value(totals), drawn_errors(statistic, totals, columns, len(sums)))


def distinct_columns(columns: Matrix) -> tuple[Matrix, list[int]]:
    """Keep each column once, and return where each of the given columns is now.

    A matrix product may round equal columns differently, depending on where they stand; computed
    once, the difference of two equal statistics is 0 in every draw and on every machine.
    """
    first: dict[bytes, int] = {}
    place = [first.setdefault(column.tobytes(), len(first)) for column in columns.T]
    kept = [place.index(number) for number in range(len(first))]
    return columns[:, kept], place


def sums_by_unit(rows: Matrix, units: Ints) -> tuple[Matrix, Ints]:
    """Sum the rows that are resampled together: (units, k), and where each unit begins."""
    if (np.diff(units) > 0).all():
        return rows, np.arange(len(rows))
    _, first, unit = np.unique(units, return_index=True, return_inverse=True)
    if len(first) == len(rows):
        return rows[first], first
    sums = np.zeros((len(first), rows.shape[1]))
    np.add.at(sums, unit, rows)
    return sums, first


def _group_sample(
    statistic: Statistic,
    observed: Observations,
    table: SegmentSums,
    psi: Vector,
    drawn: Drawn,
) -> GroupSample:
    counted = len(np.unique(_units(observed)[table.counted]))
    value = float(statistic.value(table.sums.sum(axis=0))) if counted else float("nan")
    return GroupSample(
        value=value,
        draws=drawn.values,
        errors=drawn.errors,
        influence=psi,
        segments=counted,
        note=statistic.note(observed) if isinstance(statistic, HasNote) else "",
        binomial=_binomial(statistic, observed, value, psi),
        correlation=isinstance(statistic, MayBeCorrelation) and statistic.is_correlation,
        traits=interval_traits(statistic),
        unseen_change=_unseen_change(statistic, observed, table.sums),
    )


def _unseen_change(statistic: Statistic, observed: Observations, sums: Matrix) -> float:
    if not isinstance(statistic, MayHaveUnseenChanges):
        return 0.0
    change = statistic.unseen_change(sums)
    return change if change and not statistic.same_scores(observed) else 0.0


def influence(statistic: Statistic, table: SegmentSums, units: Ints) -> Vector:
    """Return how each segment moves the value, by leaving it out: (segments,).

    The spread of these numbers over the root of their count is the standard error, and the
    value plus their weighted mean is a draw, so they are all that a comparison of two runs needs.
    Segments that are resampled together are left out together, and the first of them has the
    number.
    """
    sums, first = table.by_unit(units)
    total, n = table.sums.sum(axis=0), len(sums)
    psi = np.full(len(table.active), np.nan)
    if n:
        without = statistic.value(total - sums)
        psi[np.flatnonzero(table.active)[first]] = (n - 1) * (statistic.value(total) - without)
    return psi


def _binomial(
    statistic: Statistic, observed: Observations, value: float, psi: Vector
) -> Binomial | None:
    """Return what the interval of a share takes: of segments, or of candidates or pairs in them."""
    if isinstance(statistic, ShareOfSegments):
        threshold = statistic.threshold(observed) if isinstance(statistic, HasThreshold) else None
        return binomial(statistic.outcomes(observed), observed.candidates.cluster, threshold)
    return share_of_pairs(statistic, value, psi)


def share_of_pairs(statistic: Statistic, value: float, psi: Vector) -> Binomial | None:
    """Return what the interval of a share of candidates or pairs takes; None for other values."""
    extremes: tuple[float, float] | None = getattr(statistic, "extremes", None)
    known = psi[np.isfinite(psi)]
    if extremes is None or not np.isfinite(value) or not len(known):
        return None
    low, width = extremes[0], extremes[1] - extremes[0]
    return clustered((value - low) / width, known / width, np.inf, extremes)
