"""Correlations group by group, such as language pairs side by side."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from shakeproof.reports.sections.noise import Panel
from shakeproof.results import Estimate

ALL = "all"


@dataclass(frozen=True, slots=True)
class GroupTable:
    """Metrics and levels as rows, groups as columns."""

    title: str
    coefficient: str
    groups: tuple[str, ...]
    rows: tuple[tuple[str, str, tuple[Estimate | None, ...]], ...]  # metric, level, by group


def group_tables(panels: Sequence[Panel]) -> tuple[GroupTable, ...]:
    """Set the groups of each family side by side; panels of one family belong together."""
    families: dict[tuple[str, str, str], list[Panel]] = {}
    for panel in panels:
        families.setdefault((panel.file, panel.title, panel.coefficient), []).append(panel)
    return tuple(
        group_table(members)
        for members in families.values()
        if any(panel.group for panel in members)
    )


def group_table(panels: Sequence[Panel]) -> GroupTable:
    """Set the groups of one family side by side, all together last."""
    ordered = sorted(panels, key=lambda panel: not panel.group)
    keys = dict.fromkeys(
        (curve.metric, stop.level, panel.level_name(stop.level))
        for panel in ordered
        for curve in panel.curves
        for stop in curve.stops
    )
    rows = tuple(
        (metric, name, tuple(found(panel, metric, level) for panel in ordered))
        for metric, level, name in keys
    )
    names = tuple(panel.group or ALL for panel in ordered)
    return GroupTable(panels[0].title, panels[0].coefficient, names, rows)


def found(panel: Panel, metric: str, level: float) -> Estimate | None:
    """Look a correlation up."""
    curve = next((curve for curve in panel.curves if curve.metric == metric), None)
    return None if curve is None else curve.at(level)
