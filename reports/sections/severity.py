"""Families at equal damage: correlation against the edits that were made, metric by metric."""

from __future__ import annotations

from collections.abc import Sequence

from shakeproof.reports.charts.lines import LineChart, Point, Series, heights, line_chart
from shakeproof.reports.sections.noise import Curve, Panel
from shakeproof.reports.wording.anchors import anchor

FAMILIES = 6  # in one chart: those that hurt most


def severity_charts(panels: Sequence[Panel]) -> tuple[LineChart, ...]:
    """Chart each metric under the families whose severity was measured."""
    found: dict[tuple[str, str], list[Series]] = {}
    for panel in panels:
        for curve in panel.curves:
            line = severity_line(panel, curve)
            if line is not None and not panel.group:
                found.setdefault((curve.metric, panel.coefficient), []).append(line)
    chosen = {key: worst_lines(lines) for key, lines in found.items() if len(lines) > 1}
    shared = heights([line for lines in chosen.values() for line in lines])
    return tuple(severity_chart(*key, lines, shared) for key, lines in chosen.items())


def severity_line(panel: Panel, curve: Curve) -> Series | None:
    """Place a curve over the edits per character."""
    places = [
        Point(stop.severity, stop.estimate.value, stop.estimate.low, stop.estimate.high)
        for stop in curve.stops
        if stop.severity is not None and stop.estimate.value is not None
    ]
    ordered = tuple(sorted(places, key=lambda place: place.x))
    return Series(panel.family, 0, ordered) if len(ordered) > 1 else None


def worst_lines(lines: Sequence[Series]) -> list[Series]:
    """Keep the families under which the correlation ends lowest, in order of appearance."""
    lowest = sorted(lines, key=lambda line: line.points[-1].value)[:FAMILIES]
    kept = [line for line in lines if line in lowest]
    return [Series(line.name, style, line.points) for style, line in enumerate(kept)]


def severity_chart(
    metric: str, coefficient: str, lines: Sequence[Series], y_range: tuple[float, float]
) -> LineChart:
    """Lay out one metric's chart."""
    return line_chart(
        anchor(f"{metric}::{coefficient}", "severity"),
        metric,
        f"{coefficient} of {metric} with people, by edits per character, one line per family.",
        lines,
        x_title="edits per character",
        y_title=f"{coefficient} with people",
        y_range=y_range,
    )
