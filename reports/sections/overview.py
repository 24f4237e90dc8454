"""The worst result of each metric under each family of perturbations, as a table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from shakeproof.reports.wording.format import CLEAN_TEXTS, signed
from shakeproof.reports.wording.names import MetricKey, anchor, metric_key
from shakeproof.reports.wording.outcomes import SIGNS, Sign, colour_step, worst_of
from shakeproof.results import Result, result_distance

MAX_COLUMNS = 10  # that fit beside each other


@dataclass(frozen=True, slots=True)
class OverviewCell:
    """The worst result of one metric under one family."""

    sign: Sign
    step: int  # of colour
    text: str
    anchor: str


@dataclass(frozen=True, slots=True)
class Overview:
    """Families by metrics, or metrics by families; a cell is None where nothing was checked."""

    metrics: tuple[str, ...]
    families: tuple[str, ...]
    metrics_as_rows: bool
    rows: tuple[tuple[str, tuple[OverviewCell | None, ...]], ...]

    @property
    def columns(self) -> tuple[str, ...]:
        """Return the names of the columns."""
        return self.families if self.metrics_as_rows else self.metrics


def overview(results: Sequence[Result], labels: Mapping[MetricKey, str]) -> Overview:
    """Show the worst result of each metric and family; many metrics become rows."""
    by_cell: dict[tuple[MetricKey, str], list[Result]] = {}
    for result in results:
        by_cell.setdefault((metric_key(result), result.family or CLEAN_TEXTS), []).append(result)
    families = tuple(dict.fromkeys(family for _, family in by_cell))
    cells = {key: overview_cell(members) for key, members in by_cell.items()}
    metrics_as_rows = len(labels) > MAX_COLUMNS and len(labels) > len(families)
    by_metric = [
        (label, tuple(cells.get((key, family)) for family in families))
        for key, label in labels.items()
    ]
    by_family = [(family, tuple(cells.get((key, family)) for key in labels)) for family in families]
    return Overview(
        metrics=tuple(labels.values()),
        families=families,
        metrics_as_rows=metrics_as_rows,
        rows=tuple(by_metric if metrics_as_rows else by_family),
    )


def overview_cell(results: Sequence[Result]) -> OverviewCell | None:
    """Show the worst of the results; None if all were skipped."""
    worst = worst_of(results)
    if worst is None:
        return None
    distance = result_distance(worst)
    text = "" if distance is None else signed(distance.value, 2)
    return OverviewCell(SIGNS[worst.outcome], colour_step(distance), text, anchor(worst.id))
