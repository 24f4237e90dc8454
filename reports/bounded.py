"""Estimates against their bounds, one chart for each check and family."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from shakeproof.reports.anchors import anchor
from shakeproof.reports.forest import Entry, ForestChart, extent, forest_chart
from shakeproof.reports.words import SIGNS, allowed, condition_tail, plain
from shakeproof.results import Bounds, Estimate, Result


@dataclass(frozen=True, slots=True)
class Forest:
    """A chart with what it is about and the results it shows."""

    title: str
    check: str
    statement: str
    allowed: str
    results: tuple[Result, ...]
    chart: ForestChart


Drawn = tuple[tuple[str, str], tuple[str, str]]  # file and check; quantity and unit
Key = tuple[tuple[str, str], tuple[str, str], str, Bounds]


def forests(results: Sequence[Result], wanted: Callable[[Result], bool]) -> tuple[Forest, ...]:
    """Chart the wanted results that have an estimate, by check and family."""
    grouped: dict[Key, list[Result]] = defaultdict(list)
    for result in results:
        if wanted(result) and result.estimate is not None and result.estimate.value is not None:
            grouped[key_of(result)].append(result)
    ranges = shared_ranges(grouped)
    return tuple(forest(key, members, ranges[key[:2]]) for key, members in grouped.items())


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


def forest(key: Key, results: Sequence[Result], x_range: tuple[float, float]) -> Forest:
    """Chart results that share check, family, quantity and bounds."""
    (file, check), (quantity, unit), condition, bounds = key
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
        condition or check, check, results[0].statement, allowed(bounds), tuple(results), chart
    )


def entry(result: Result) -> Entry:
    """Make a row of a chart from a result."""
    note = "" if result.level is None else plain(result.level)
    estimate = result.estimate or Estimate(value=None)
    return Entry(result.metric, estimate, SIGNS[result.outcome].slug, note)
