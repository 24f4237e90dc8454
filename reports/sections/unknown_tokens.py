"""Tokens that a metric's model does not know, as texts get noisier (Vu et al. 2022, Figure 1)."""

from __future__ import annotations

from collections.abc import Sequence

from shakeproof.reports.charts.lines import LineChart, Point, Series, line_chart
from shakeproof.reports.wording.anchors import anchor
from shakeproof.results import Result


def unknown_charts(results: Sequence[Result]) -> tuple[LineChart, ...]:
    """Chart unknown tokens by level, once for all metrics that count the same."""
    metrics = dict.fromkeys(result.metric for result in results)
    counted: dict[tuple[Series, ...], list[str]] = {}
    for metric in metrics:
        lines = unknown_lines([result for result in results if result.metric == metric])
        if lines:
            counted.setdefault(lines, []).append(metric)
    return tuple(unknown_chart(", ".join(names), lines) for lines, names in counted.items())


def unknown_lines(results: Sequence[Result]) -> tuple[Series, ...]:
    """Collect the counts of one metric, one line per family."""
    found: dict[str, dict[float, float]] = {}
    for result in results:
        done = result.realised
        if done is None or result.level is None or result.family is None:
            continue
        for level, count in ((0.0, done.unknown_before), (result.level, done.unknown)):
            if count is not None:
                found.setdefault(result.family, {})[level] = count
    return tuple(
        Series(family, style, tuple(Point(x, y) for x, y in sorted(places.items())))
        for style, (family, places) in enumerate(found.items())
    )


def unknown_chart(metrics: str, lines: Sequence[Series]) -> LineChart:
    """Lay out the chart for metrics that count the same."""
    return line_chart(
        anchor(metrics, "unknown"),
        metrics,
        "Unknown tokens per segment by level, one line per family.",
        lines,
        x_title="level",
        y_title="unknown tokens per segment",
    )
