"""Families at equal edit rate: correlation by the share of characters edited, per metric."""

from __future__ import annotations

from collections.abc import Sequence

from shakeproof.reports.charts.lines import LineChart, Series, line_chart, value_range
from shakeproof.reports.sections.noise import Curve, NoiseChart
from shakeproof.reports.wording.format import split_aspect
from shakeproof.reports.wording.names import anchor

MAX_FAMILIES = 6  # in one chart: those with the lowest correlation


def severity_charts(charts: Sequence[NoiseChart]) -> tuple[LineChart, ...]:
    """Chart each metric under the families whose edit rate was measured."""
    by_metric: dict[tuple[str, str, str], list[Series]] = {}  # metric, checklist, coefficient
    for chart in charts:
        for curve in chart.curves if not chart.key.group else ():
            line = severity_line(chart, curve)
            if line is not None:
                key = (curve.label, chart.source, chart.key.coefficient)
                by_metric.setdefault(key, []).append(line)
    shown = {key: lowest(lines) for key, lines in by_metric.items() if len(lines) > 1}
    y_range = value_range([line for lines in shown.values() for line in lines])
    return tuple(severity_chart(*key, lines, y_range) for key, lines in shown.items())


def severity_line(chart: NoiseChart, curve: Curve) -> Series | None:
    """Draw a curve over the share of characters edited; None with fewer than two points."""
    points = [point.at(point.edit_rate) for point in curve.points if point.edit_rate is not None]
    ordered = tuple(sorted(points, key=lambda point: point.x))
    return Series(chart.key.family, chart.style, ordered) if len(ordered) > 1 else None


def lowest(lines: Sequence[Series]) -> list[Series]:
    """Keep the families under which the correlation ends lowest, in order of appearance."""
    kept = sorted(lines, key=lambda line: line.points[-1].value)[:MAX_FAMILIES]
    return [line for line in lines if line in kept]


def severity_chart(
    metric: str,
    source: str,
    coefficient: str,
    lines: Sequence[Series],
    y_range: tuple[float, float],
) -> LineChart:
    """Lay out one metric's chart; its title names the checklist if there are several."""
    name, aspect = split_aspect(coefficient)
    title = f"{metric}, {aspect}" if aspect else metric
    return line_chart(
        anchor(f"{source}::{metric}::{coefficient}", "severity"),
        f"{title} ({source})" if source else title,
        f"{coefficient} of {metric} with human ratings, by the share of characters edited, one "
        "line per family. Bars are the intervals of the drop from clean texts.",
        lines,
        x_title="share of characters edited",
        y_title=f"{name} with human ratings",
        y_range=y_range,
    )
