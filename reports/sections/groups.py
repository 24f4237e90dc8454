"""Correlations group by group, such as language pairs side by side."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from shakeproof.reports.sections.noise import NoiseChart
from shakeproof.results import Estimate

ALL = "all"


@dataclass(frozen=True, slots=True)
class GroupTable:
    """Metrics and levels as rows, groups as columns."""

    title: str
    coefficient: str
    groups: tuple[str, ...]
    rows: tuple[tuple[str, str, tuple[Estimate | None, ...]], ...]  # metric, level, by group


def group_tables(charts: Sequence[NoiseChart]) -> tuple[GroupTable, ...]:
    """Put the groups of each family side by side."""
    by_family: dict[tuple[str, str, str], list[NoiseChart]] = {}
    for chart in charts:
        key = chart.key
        by_family.setdefault((key.file, key.condition, key.coefficient), []).append(chart)
    return tuple(
        group_table(members)
        for members in by_family.values()
        if any(chart.key.group for chart in members)
    )


def group_table(charts: Sequence[NoiseChart]) -> GroupTable:
    """Put the groups of one family side by side, all together last."""
    ordered = sorted(charts, key=lambda chart: not chart.key.group)
    levels = dict.fromkeys(
        (curve.label, point.level, chart.level_name(point.level))
        for chart in ordered
        for curve in chart.curves
        for point in curve.points
    )
    curves = [{curve.label: curve for curve in chart.curves} for chart in ordered]
    rows = tuple(
        (label, name, tuple(group[label].at(level) if label in group else None for group in curves))
        for label, level, name in levels
    )
    key = charts[0].key
    names = tuple(chart.key.group or ALL for chart in ordered)
    return GroupTable(key.condition, key.coefficient, names, rows)
