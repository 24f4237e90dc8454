"""Estimates against their bounds, one chart for each check and family."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from shakeproof.reports.charts.forest import Entry, ForestChart, extent, forest_chart
from shakeproof.reports.wording.anchors import anchor
from shakeproof.reports.wording.format import SIGNS, allowed, condition_tail, plain
from shakeproof.reports.wording.margins import badness
from shakeproof.reports.wording.names import bare, labels, several
from shakeproof.results import Bounds, Estimate, Result

MOST_CHARTS = 12  # under each other's curves
MOST_ROWS = 15  # of one chart; of more, only the worst of each metric is shown


@dataclass(frozen=True, slots=True)
class Forest:
    """A chart with what it is about and the results it shows."""

    title: str
    check: str
    statement: str
    allowed: str
    results: tuple[Result, ...]
    chart: ForestChart
    left_out: int = 0  # levels that are not the worst of their metric
    source: str = ""  # the checklist, where there are several


Drawn = tuple[tuple[str, str], tuple[str, str]]  # file and check; quantity and unit
Key = tuple[tuple[str, str], tuple[str, str], str, Bounds]


def forests(results: Sequence[Result]) -> tuple[Forest, ...]:
    """Chart the results that have an estimate, by check and family."""
    grouped: dict[Key, list[Result]] = defaultdict(list)
    for result in results:
        if result.estimate is not None and result.estimate.value is not None:
            grouped[key_of(result)].append(result)
    ranges, named = shared_ranges(grouped), labels(result.file for result in results)
    return tuple(
        replace(forest(key, members, ranges[key[:2]]), source=several(named, key[0][0]))
        for key, members in grouped.items()
    )


def narrowest(found: Sequence[Forest]) -> tuple[Forest, ...]:
    """Keep the charts with the narrowest margins, where there are too many to look at."""
    ranked = sorted(found, key=lambda one: min(map(badness, one.results)))[:MOST_CHARTS]
    kept = {one.chart.frame.key for one in ranked}
    return tuple(one for one in found if one.chart.frame.key in kept)


def shared_ranges(grouped: Mapping[Key, Sequence[Result]]) -> dict[Drawn, tuple[float, float]]:
    """Give charts of one check and quantity the same axis, so that families compare."""
    held: dict[Drawn, list[Result]] = defaultdict(list)
    for key, members in grouped.items():
        held[key[:2]] += members
    return {
        drawn: extent([entry(r) for r in members], *{r.bounds for r in members}, zero=True)
        for drawn, members in held.items()
    }


def key_of(result: Result) -> Key:
    """Say which chart a result belongs to."""
    condition = f"{result.family}{condition_tail(result)}" if result.family else ""
    about = (result.file, result.check), (result.quantity, result.unit)
    return *about, condition, result.bounds


def worst_of_each(results: Sequence[Result]) -> list[Result]:
    """Keep the worst result of each metric, where a chart of all would be too tall."""
    if len(results) <= MOST_ROWS:
        return list(results)
    worst: dict[str, Result] = {}
    for result in sorted(results, key=badness):
        worst.setdefault(result.metric, result)
    return [result for result in results if worst[result.metric] is result]


def forest(key: Key, members: Sequence[Result], x_range: tuple[float, float]) -> Forest:
    """Chart results that share check, family, quantity and bounds."""
    (file, check), (quantity, unit), condition, bounds = key
    results = worst_of_each(members)
    chart = forest_chart(
        anchor("::".join((file, check, condition, quantity, allowed(bounds))), "bounds"),
        condition or check,
        f"{quantity} with its interval, {allowed(bounds)} allowed, one row per metric and level.",
        [entry(result) for result in results],
        x_title=f"{quantity} ({unit})" if unit else quantity,
        bounds=bounds,
        x_range=x_range,
    )
    return Forest(
        condition or check,
        check,
        results[0].statement,
        allowed(bounds),
        tuple(results),
        chart,
        len(members) - len(results),
    )


def entry(result: Result) -> Entry:
    """Make a row of a chart from a result."""
    note = "" if result.level is None else plain(result.level)
    estimate = result.estimate or Estimate(value=None)
    name = bare(result.metric, result.file)
    return Entry(name, estimate, SIGNS[result.outcome].slug, note)
