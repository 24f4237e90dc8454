"""Tokens unknown to a metric's model, by level of perturbation (Vu et al. 2022, Figure 1)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from shakeproof.reports.charts.line_styles import family_styles
from shakeproof.reports.charts.lines import LineChart, Point, Series, line_chart
from shakeproof.reports.wording.names import MetricKey, anchor, group_by_metric
from shakeproof.results import Result


def unknown_token_charts(
    results: Sequence[Result], labels: Mapping[MetricKey, str]
) -> tuple[LineChart, ...]:
    """Chart unknown tokens by level, once for all metrics with the same counts."""
    by_lines: dict[tuple[Series, ...], list[str]] = {}
    styles = family_styles(results, labels)
    for metric, members in group_by_metric(results, labels).items():
        lines = unknown_token_lines(members, styles)
        if lines:
            by_lines.setdefault(lines, []).append(metric)
    return tuple(unknown_token_chart(", ".join(names), lines) for lines, names in by_lines.items())


def unknown_token_lines(results: Sequence[Result], styles: Mapping[str, int]) -> tuple[Series, ...]:
    """Collect the counts of one metric, one line per family."""
    by_family: dict[str, dict[float, float]] = {}
    for result in results:
        realised = result.realised
        if realised is None or result.level is None or result.family is None:
            continue
        for level, count in ((0.0, realised.unknown_before), (result.level, realised.unknown)):
            if count is not None:
                by_family.setdefault(result.family, {})[level] = count
    return tuple(
        Series(family, styles[family], tuple(Point(x, y) for x, y in sorted(counts.items())))
        for family, counts in by_family.items()
    )


def unknown_token_chart(metrics: str, lines: Sequence[Series]) -> LineChart:
    """Lay out the chart for metrics with the same counts."""
    return line_chart(
        anchor(metrics, "unknown"),
        metrics,
        "Unknown tokens per segment by level, one line per family.",
        lines,
        x_title="level",
        y_title="unknown tokens per segment",
    )
