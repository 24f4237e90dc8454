"""The map: the worst result of each metric under each family, as a table of estimates."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from shakeproof.reports.estimates import value_of
from shakeproof.reports.questions import Question, question_of
from shakeproof.reports.wording.format import (
    CLEAN_TEXTS,
    describe_condition,
    interval,
    number,
    quantity_with_unit,
)
from shakeproof.reports.wording.names import MetricKey, anchor, metric_key
from shakeproof.reports.wording.outcomes import SIGNS, Sign, colour_step, worst_of
from shakeproof.results import Result, result_distance


class OverviewColumn(NamedTuple):
    """A family and what was measured under it, so that a column has one unit."""

    family: str
    quantity: str  # with its unit


@dataclass(frozen=True, slots=True)
class OverviewCell:
    """The worst result of one metric in one column."""

    sign: Sign
    step: int  # of colour
    text: str
    condition: str
    anchor: str
    interval: str = ""


@dataclass(frozen=True, slots=True)
class Overview:
    """Metrics by columns; a cell is None where nothing was checked."""

    metrics: tuple[str, ...]
    columns: tuple[OverviewColumn, ...]
    rows: tuple[tuple[str, tuple[OverviewCell | None, ...]], ...]

    @property
    def families(self) -> tuple[str, ...]:
        """Return the families, each once."""
        return tuple(dict.fromkeys(column.family for column in self.columns))


def overview(
    results: Sequence[Result], labels: Mapping[MetricKey, str], metrics: Sequence[str]
) -> Overview:
    """Show the worst result of each metric, in this order, under each family and quantity."""
    by_cell: dict[tuple[str, OverviewColumn], list[Result]] = {}
    for result in results:
        key = labels[metric_key(result)], overview_column(result)
        by_cell.setdefault(key, []).append(result)
    in_order = sorted(results, key=lambda result: list(Question).index(question_of(result)))
    columns = tuple(dict.fromkeys(map(overview_column, in_order)))
    cells = {key: overview_cell(members) for key, members in by_cell.items()}
    rows = tuple(
        (metric, tuple(cells.get((metric, column)) for column in columns)) for metric in metrics
    )
    return Overview(tuple(metrics), columns, rows)


def overview_column(result: Result) -> OverviewColumn:
    """Return the column that a result belongs to."""
    quantity = quantity_with_unit(result.quantity, result.unit)
    return OverviewColumn(result.family or CLEAN_TEXTS, quantity)


def overview_cell(results: Sequence[Result]) -> OverviewCell | None:
    """Show the worst of the results; None if all were skipped."""
    worst = worst_of(results)
    if worst is None:
        return None
    value = value_of(worst)
    return OverviewCell(
        sign=SIGNS[worst.outcome],
        step=colour_step(result_distance(worst)),
        text="" if value is None else number(value, 2),
        condition=describe_condition(worst),
        anchor=anchor(worst.id),
        interval="" if value is None else interval(worst.estimate, 2),
    )
