"""Bootstrap draws of a statistic over the segments of one group, and each segment's influence."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from shakeproof.stats.intervals import Binomial, binomial
from shakeproof.stats.observations import (
    Annotated,
    Counted,
    Ints,
    Mask,
    Matrix,
    Observations,
    Outcomes,
    Statistic,
    Vector,
)

Seed: TypeAlias = int | tuple[int, ...]
Counts: TypeAlias = NDArray[np.unsignedinteger]
KEPT = 16_000_000  # counts of one or two bytes
BLOCK = 128  # segments at a time


def weights(
    segments: int, draws: int, seed: int | Sequence[int], step: int = 50
) -> Iterator[Matrix]:
    """Draw segments with replacement and count them, in chunks of (draws, segments).

    One stream per seed: items on the same segments share their draws and so are paired. Chunks
    are small enough for the processor's cache.
    """
    seeds = seed if isinstance(seed, int) else tuple(seed)
    if segments * draws <= KEPT:
        chunks: Iterable[Counts] = _kept(segments, draws, seeds, step)
    else:
        chunks = _counts(segments, draws, seeds, step)
    yield from (counts.astype(float) for counts in chunks)


@lru_cache(maxsize=3)
def _kept(segments: int, draws: int, seed: Seed, step: int) -> tuple[Counts, ...]:
    """Keep the counts of the latest draws: most items of a run are on the same segments."""
    return tuple(_counts(segments, draws, seed, step))


def _counts(segments: int, draws: int, seed: Seed, step: int) -> Iterator[Counts]:
    rng = np.random.default_rng(seed)
    smallest = np.min_scalar_type(segments)  # that can hold a count, however it falls
    for start in range(0, draws, step):
        rows = min(step, draws - start)
        drawn = rng.integers(0, segments, (rows, segments)) + np.arange(rows)[:, None] * segments
        counts = np.bincount(drawn.ravel(), minlength=rows * segments)
        yield counts.reshape(rows, segments).astype(smallest)


def weighed(weights: Matrix, sums: Matrix) -> Matrix:
    """Multiply (draws, segments) by (segments, k), some segments at a time.

    The library behind numpy shares a larger product among threads, which then wait for each
    other: beside other work on the machine it takes thirty times as long.
    """
    total = np.zeros((len(weights), sums.shape[1]))
    for start in range(0, len(sums), BLOCK):
        total += weights[:, start : start + BLOCK] @ sums[start : start + BLOCK]
    return total


@dataclass(frozen=True, slots=True)
class Drawn:
    """What one group says about one statistic."""

    value: float
    draws: Vector  # (draws,), NaN where undefined; empty if nothing was drawn
    influence: Vector  # (segments,), NaN where a segment is not resampled by itself
    segments: int  # that count: documents, if those are resampled
    note: str = ""
    binomial: Binomial | None = None  # where an exact interval is due


@dataclass(frozen=True, slots=True)
class Table:
    """A statistic's sums, which segments count, and which have a share in the draws.

    The two masks differ for scores in spreads: segments without a changed text do not count,
    but take part in the spread.
    """

    sums: Matrix
    counted: Mask
    active: Mask


def tabulate(statistic: Statistic, observed: Observations) -> Table:
    """Sum a statistic by segment."""
    sums = statistic.sums(observed)
    nonzero = _nonzero(sums)
    counted = statistic.contributes(observed) if isinstance(statistic, Counted) else nonzero
    return Table(sums, counted, nonzero | counted)


def contributing(statistic: Statistic, observed: Observations) -> Mask:
    """Mark the segments that a statistic speaks of."""
    if isinstance(statistic, Counted):
        return statistic.contributes(observed)
    return _nonzero(statistic.sums(observed))


def _nonzero(sums: Matrix) -> Mask:
    """Mark the rows that are not all 0; NaN is not 0, and makes the value undefined."""
    mask: Mask = np.abs(sums).sum(axis=1) != 0
    return mask


def draw_all(
    statistics: Sequence[Statistic], observed: Observations, draws: int, seed: Sequence[int]
) -> list[Drawn]:
    """Draw several statistics; those that use the same segments share one matrix product."""
    tables = [tabulate(statistic, observed) for statistic in statistics]
    alike: dict[bytes, list[int]] = {}
    for at, table in enumerate(tables):
        alike.setdefault(table.active.tobytes(), []).append(at)
    drawn: dict[int, Vector] = {}
    for members in alike.values():
        chosen = [(statistics[at], tables[at]) for at in members]
        drawn.update(zip(members, _draw(chosen, _units(observed), draws, seed), strict=True))
    return [
        _describe(statistic, observed, tables[at], drawn[at])
        for at, statistic in enumerate(statistics)
    ]


def _units(observed: Observations) -> Ints:
    """Give what is resampled together: the segment itself unless documents were asked for."""
    cluster = observed.candidates.cluster
    return np.arange(observed.candidates.segments) if cluster is None else cluster


def _draw(
    chosen: Sequence[tuple[Statistic, Table]], units: Ints, draws: int, seed: Sequence[int]
) -> list[Vector]:
    """Weigh the columns of all chosen statistics at once and turn totals into values."""
    active = chosen[0][1].active
    if draws == 0 or not active.any():
        return [np.empty(0) for _ in chosen]
    columns, place = distinct_columns(np.hstack([table.sums[active] for _, table in chosen]))
    sums, _ = by_unit(columns, units[active])
    totals = np.concatenate([weighed(w, sums) for w in weights(len(sums), draws, seed)])[:, place]
    ends = np.cumsum([table.sums.shape[1] for _, table in chosen])[:-1]
    parts = np.split(totals, ends, axis=1)
    return [statistic.value(part) for (statistic, _), part in zip(chosen, parts, strict=True)]


def distinct_columns(columns: Matrix) -> tuple[Matrix, list[int]]:
    """Keep each column once, and say where each of the given columns is found.

    A matrix product may round equal columns differently, depending on where they stand; computed
    once, the difference of two equal statistics is 0 in every draw and on every machine.
    """
    first: dict[bytes, int] = {}
    place = [first.setdefault(column.tobytes(), len(first)) for column in columns.T]
    kept = [place.index(at) for at in range(len(first))]
    return columns[:, kept], place


def by_unit(rows: Matrix, units: Ints) -> tuple[Matrix, Ints]:
    """Sum the rows that are resampled together: (units, k), and where each unit begins."""
    _, first, unit = np.unique(units, return_index=True, return_inverse=True)
    if len(first) == len(rows):
        return rows[first], first
    sums = np.zeros((len(first), rows.shape[1]))
    np.add.at(sums, unit, rows)
    return sums, first


def _describe(statistic: Statistic, observed: Observations, table: Table, draws: Vector) -> Drawn:
    units = _units(observed)
    counted = len(np.unique(units[table.counted]))
    value = float(statistic.value(table.sums.sum(axis=0))) if counted else float("nan")
    return Drawn(
        value=value,
        draws=draws,
        influence=influence(statistic, table, units),
        segments=counted,
        note=statistic.note(observed) if isinstance(statistic, Annotated) else "",
        binomial=_binomial(statistic, observed, value, counted),
    )


def influence(statistic: Statistic, table: Table, units: Ints) -> Vector:
    """Say what each segment does to the value, by leaving it out: (segments,).

    The spread of these numbers over the root of their count is the standard error, and the
    value plus their weighted mean is a draw, so they are all that a comparison of two runs needs.
    Segments that are resampled together are left out together, and the first of them tells.
    """
    sums, first = by_unit(table.sums[table.active], units[table.active])
    total, n = table.sums.sum(axis=0), len(sums)
    psi = np.full(len(table.active), np.nan)
    if n:
        without = statistic.value(total - sums)
        psi[np.flatnonzero(table.active)[first]] = (n - 1) * (statistic.value(total) - without)
    return psi


def _binomial(
    statistic: Statistic, observed: Observations, value: float, counted: int
) -> Binomial | None:
    """Say whether an exact interval is due: for shares of segments, and for none or all pairs."""
    if isinstance(statistic, Outcomes):
        return binomial(statistic.outcomes(observed), observed.candidates.cluster)
    ends: tuple[float, float] | None = getattr(statistic, "extremes", None)
    if ends is None or value not in ends:
        return None
    return Binomial(counted if value == ends[1] else 0, counted, *ends)
