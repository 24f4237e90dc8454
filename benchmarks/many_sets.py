"""Intervals of one statistic in many data sets at once, equal to those that the program computes.

The products of the bootstrap are computed for hundreds of data sets together; the rest is the
program's own functions. tests/checklist/expectations/test_coverage.py compares the two.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from data_sets import Draws

from shakeproof.results import Estimate
from shakeproof.stats.bootstrap import GroupSample, segment_sums, share_of_pairs, sums_by_unit
from shakeproof.stats.estimate import IntervalSettings, pool, resample
from shakeproof.stats.intervals import STUDENTISED, as_new_data, interval_traits
from shakeproof.stats.kinds.coefficients import Spearman
from shakeproof.stats.kinds.ranks import Tau
from shakeproof.stats.kinds.slices import Sliced
from shakeproof.stats.observations import (
    Ints,
    Matrix,
    MayBeCorrelation,
    MayHaveUnseenChanges,
    Observations,
    ShareOfSegments,
    Statistic,
)
from shakeproof.stats.studentised import drawn_errors, error_columns
from shakeproof.stats.verdicts import MIN_SEGMENTS
from shakeproof.stats.weights import bootstrap_weights

TOGETHER = 200  # data sets in one product
OTHER_SETS = 7_919  # a seed


def estimates(
    statistic: Statistic, data_sets: Draws, sets: int, draws: int, seed: int
) -> Iterator[Estimate]:
    """Estimate a statistic in each of many data sets."""
    if isinstance(statistic, ShareOfSegments):
        for observed in data_sets.generate(sets, seed):
            yield resample([statistic], observed, draws=0, floor=MIN_SEGMENTS)[0].estimate
        return
    by_size: dict[int, list[Matrix]] = {}
    for table in unit_tables(statistic, data_sets, sets, seed):
        size = len(table)
        by_size.setdefault(size, []).append(table)
        if len(by_size[size]) == TOGETHER:
            yield from estimate_together(statistic, np.stack(by_size.pop(size)), draws)
    for tables in by_size.values():
        yield from estimate_together(statistic, np.stack(tables), draws)


def mean_value(statistic: Statistic, data_sets: Draws, sets: int) -> float:
    """Return the mean value of a statistic in many data sets, other ones than are estimated."""
    tables = unit_tables(statistic, data_sets, sets, OTHER_SETS)
    return float(statistic.value(np.stack([table.sum(axis=0) for table in tables])).mean())


def unit_tables(statistic: Statistic, data_sets: Draws, sets: int, seed: int) -> Iterator[Matrix]:
    """Return the sums of each data set, by what is resampled: (units, k)."""
    if is_additive(statistic):
        units = sums_of_units(statistic, data_sets.population.observed)
        for chosen in data_sets.choose(sets, seed):
            table = units[chosen]
            yield table[np.abs(table).sum(axis=1) != 0]
        return
    for observed in data_sets.generate(sets, seed):
        yield sums_of_units(statistic, observed, only_active=True)


def is_additive(statistic: Statistic) -> bool:
    """Return whether the sums of a segment do not depend on the other segments."""
    coefficient = getattr(statistic, "coefficient", None)
    return not isinstance(coefficient, Spearman | Tau) and not isinstance(statistic, Sliced)


def sums_of_units(
    statistic: Statistic, observed: Observations, only_active: bool = False
) -> Matrix:
    """Sum by segment, or by document."""
    table = segment_sums(statistic, observed)
    cluster = observed.candidates.cluster
    units: Ints = np.arange(len(table.sums)) if cluster is None else cluster
    kept = table.active if only_active else np.ones(len(units), bool)
    return sums_by_unit(table.sums[kept], units[kept])[0]


def estimate_together(statistic: Statistic, tables: Matrix, draws: int) -> Iterator[Estimate]:
    """Estimate a statistic from the sums of data sets of one size: (sets, units, k)."""
    units = tables.shape[1]
    totals = tables.sum(axis=1)
    values = statistic.value(totals)
    psi = (units - 1) * (values[:, None] - statistic.value(totals[:, None] - tables))
    is_share = getattr(statistic, "extremes", None) is not None
    if is_share or units < MIN_SEGMENTS:
        draws = 0
    outcomes, errors = draw_together(statistic, tables, psi, draws)
    settings = IntervalSettings(0.95, MIN_SEGMENTS, STUDENTISED)
    for number, value in enumerate(values):
        sample = GroupSample(
            value=float(value),
            draws=outcomes[:, number],
            errors=errors[:, number],
            influence=psi[number],
            segments=units,
            binomial=share_of_pairs(statistic, float(value), psi[number]),
            correlation=isinstance(statistic, MayBeCorrelation) and statistic.is_correlation,
            traits=interval_traits(statistic),
            unseen_change=unseen_change(statistic, tables[number]),
        )
        yield pool([("", np.ones(units, bool), sample)], settings).estimate


def unseen_change(statistic: Statistic, sums: Matrix) -> float:
    """Return how far one unit can move a difference, if none does; scores always differ here."""
    return statistic.unseen_change(sums) if isinstance(statistic, MayHaveUnseenChanges) else 0.0


def draw_together(
    statistic: Statistic, tables: Matrix, psi: Matrix, draws: int
) -> tuple[Matrix, Matrix]:
    """Draw all data sets with the same weights: values and errors, (draws, sets)."""
    sets, units, width = tables.shape
    if draws == 0:
        return np.empty((0, sets)), np.empty((0, sets))
    for_errors = np.stack(
        [error_columns(table, row) for table, row in zip(tables, psi, strict=True)]
    )
    weights = np.concatenate(list(bootstrap_weights(units, draws, (0, 0))))
    drawn, columns = (weigh(weights, one) for one in (tables, for_errors))
    if interval_traits(statistic).predicts:
        return statistic.value(as_new_data(drawn, tables)), np.zeros((draws, sets))
    errors = drawn_errors(
        statistic, drawn.reshape(-1, width), columns.reshape(-1, width + 2), units
    )
    return statistic.value(drawn), errors.reshape(draws, sets)


def weigh(weights: Matrix, tables: Matrix) -> Matrix:
    """Weight the units of all data sets alike: (draws, units) and (sets, units, k)."""
    sets, units, width = tables.shape
    flat = tables.transpose(1, 0, 2).reshape(units, sets * width)
    return (weights @ flat).reshape(len(weights), sets, width)
