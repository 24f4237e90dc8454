"""Estimates against their bounds, one chart for each check and family."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from shakeproof.reports.charts.forest import Entry, ForestChart, extent, forest_chart
from shakeproof.reports.estimates import has_common_unit, value_of
from shakeproof.reports.wording.format import (
    bound,
    bound_in_words,
    brief,
    describe_field,
    quantity_with_unit,
)
from shakeproof.reports.wording.names import anchor, sources
from shakeproof.reports.wording.outcomes import SIGNS, worst_first
from shakeproof.results import Bounds, Estimate, Result

MAX_CHARTS = 12
MAX_ROWS = 15  # of one chart; of more, only the worst of each metric is shown


@dataclass(frozen=True, slots=True)
class BoundsChart:
    """A chart of estimates and their bounds, with the results it shows."""

    title: str
    check: str
    statement: str
    bound: str
    results: tuple[Result, ...]
    chart: ForestChart
    left_out: int  # levels that are not the worst of their metric
    source: str  # the checklist, "" if there is only one


class AxisKey(NamedTuple):
    """Charts that share an axis, so that families and checks compare."""

    quantity: str
    unit: str
    check: str  # "" for all checks; raw scores of different metrics have no common unit


class ChartKey(NamedTuple):
    """The chart that a result belongs to."""

    file: str
    check: str
    axis: AxisKey
    condition: str
    bounds: Bounds


def bounds_charts(results: Sequence[Result]) -> tuple[BoundsChart, ...]:
    """Chart the results that have an estimate, by check and family."""
    by_chart: dict[ChartKey, list[Result]] = defaultdict(list)
    by_axis: dict[AxisKey, list[Result]] = defaultdict(list)
    for result in results:
        if value_of(result) is not None:
            key = chart_key(result)
            by_chart[key].append(result)
            by_axis[key.axis].append(result)
    ranges = {
        key: extent([entry(r) for r in members], *{r.bounds for r in members}, zero=True)
        for key, members in by_axis.items()
    }
    labels = sources(result.file for result in results)
    return tuple(
        bounds_chart(key, members, ranges[key.axis], labels[key.file])
        for key, members in by_chart.items()
    )


def closest_to_bounds(charts: Sequence[BoundsChart]) -> tuple[BoundsChart, ...]:
    """Keep the charts whose results are worst or closest to their bounds, if there are many."""
    ranked = sorted(charts, key=lambda chart: min(map(worst_first, chart.results)))
    kept = {chart.chart.frame.key for chart in ranked[:MAX_CHARTS]}
    return tuple(chart for chart in charts if chart.chart.frame.key in kept)


def chart_key(result: Result) -> ChartKey:
    """Return which chart a result belongs to."""
    condition = f"{result.family}{describe_field(result)}" if result.family else ""
    check = "" if has_common_unit(result) else result.check
    axis = AxisKey(result.quantity, result.unit, check)
    return ChartKey(result.file, result.check, axis, condition, result.bounds)


def worst_of_each_metric(results: Sequence[Result]) -> list[Result]:
    """Keep the worst result of each metric, if a chart of all would be too tall."""
    if len(results) <= MAX_ROWS:
        return list(results)
    worst: dict[str, Result] = {}
    for result in sorted(results, key=worst_first):
        worst.setdefault(result.metric, result)
    return [result for result in results if worst[result.metric] is result]


def bounds_chart(
    key: ChartKey, members: Sequence[Result], x_range: tuple[float, float], source: str
) -> BoundsChart:
    """Chart results that share check, family, quantity and bounds."""
    file, check, (quantity, unit, _) = key.file, key.check, key.axis
    results = worst_of_each_metric(members)
    title = key.condition or check
    chart = forest_chart(
        anchor("::".join((file, check, key.condition, quantity, bound(key.bounds))), "bounds"),
        title,
        f"{quantity} with its interval, {bound_in_words(key.bounds)}, one row per metric and "
        "level.",
        [entry(result) for result in results],
        x_title=quantity_with_unit(quantity, unit),
        bounds=key.bounds,
        x_range=x_range,
    )
    return BoundsChart(
        title=title,
        check=check,
        statement=results[0].statement,
        bound=bound_in_words(key.bounds),
        results=tuple(results),
        chart=chart,
        left_out=len(members) - len(results),
        source=source,
    )


def entry(result: Result) -> Entry:
    """Make a row of a chart from a result."""
    level = "" if result.level is None else brief(result.level)
    estimate = result.estimate or Estimate(value=None)
    return Entry(result.metric, estimate, SIGNS[result.outcome].slug, level)
