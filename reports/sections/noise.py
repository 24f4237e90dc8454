"""Correlation with human ratings by level of perturbation, one chart per family."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from shakeproof.reports.charts.line_styles import family_styles, metric_styles
from shakeproof.reports.charts.lines import LineChart, Point, Series, line_chart, value_range
from shakeproof.reports.wording.format import (
    brief,
    describe_field,
    interval,
    number,
    split_aspect,
)
from shakeproof.reports.wording.names import MetricKey, anchor, metric_key, sources
from shakeproof.results import Estimate, PartName, Result, trapezoid_weights

SWITCHED_ON = 1.0  # where a family without levels is drawn
DROP = "correlation_drop"  # the expectation whose estimate is the drop
MAX_TICKS = 6  # that fit under a chart with two lines each


@dataclass(frozen=True, slots=True)
class CurvePoint:
    """A correlation at a level; level 0 is clean."""

    level: float
    edit_rate: float | None  # character edits per character, as far as it was measured
    estimate: Estimate
    retention: float | None = None  # the share of the clean correlation that is kept
    drop: Estimate | None = None  # from the clean correlation, with the interval of the drop

    def at(self, x: float) -> Point:
        """Place the correlation on an axis, with the interval of its drop as the bar."""
        value, drop = self.estimate.value or 0.0, self.drop
        if drop is None or drop.value is None or drop.low is None or drop.high is None:
            return Point(x, value)
        clean = value + drop.value
        text = f"{number(value)}, drop {number(drop.value)} {interval(drop)}"
        return Point(x, value, clean - drop.high, clean - drop.low, text)


@dataclass(frozen=True, slots=True)
class Curve:
    """One metric's correlation from level 0 upwards."""

    metric: str  # its name within the checklist
    label: str  # its name on the page
    points: tuple[CurvePoint, ...]
    style: int = 0  # the number of the metric on the page, for charts

    def at(self, level: float) -> Estimate | None:
        """Return the correlation at a level."""
        return next((point.estimate for point in self.points if point.level == level), None)

    def drop(self, level: float) -> float | None:
        """Return how far the correlation at a level lies below the clean one."""
        clean, perturbed = self.at(0.0), self.at(level)
        if clean is None or perturbed is None or clean.value is None or perturbed.value is None:
            return None
        return clean.value - perturbed.value

    @property
    def mean_retention(self) -> float | None:
        """Return the mean share that is kept from level 0 to the highest."""
        perturbed = [point for point in self.points if point.level]
        shares = [point.retention for point in perturbed if point.retention is not None]
        if not shares or len(shares) < len(perturbed):
            return None
        weights = trapezoid_weights([point.level for point in perturbed])
        return sum(weight * share for weight, share in zip(weights, [1.0, *shares], strict=True))


class NoiseKey(NamedTuple):
    """The chart that a correlation belongs to."""

    file: str
    family: str
    field: str  # in words, such as " in references"
    coefficient: str
    group: str
    switched: bool  # on or off, without levels

    @property
    def condition(self) -> str:
        """Name family and field."""
        return f"{self.family}{self.field}"

    @property
    def coefficient_and_aspect(self) -> tuple[str, str]:
        """Return the coefficient without its aspect, and the aspect, "" if there is none."""
        return split_aspect(self.coefficient)


@dataclass(frozen=True, slots=True)
class NoiseChart:
    """The curves of all metrics under one family, as a chart and as a table."""

    key: NoiseKey
    curves: tuple[Curve, ...]
    chart: LineChart
    source: str  # the checklist, "" if there is only one
    style: int = 0  # the number of the family on the page, for charts

    def level_name(self, level: float) -> str:
        """Name a level as the axis does."""
        return level_name(level, switched=self.key.switched)


def noise_charts(
    results: Sequence[Result], labels: Mapping[MetricKey, str]
) -> tuple[NoiseChart, ...]:
    """Chart the curves under each family; charts of one coefficient share their range.

    That also holds for charts of several aspects.
    """
    curves = collect_curves(results, labels)
    family_numbers = family_styles(results, labels)
    series = {
        key: [
            Series(curve.metric, curve.style, tuple(p.at(p.level) for p in curve.points))
            for curve in members
        ]
        for key, members in curves.items()
    }
    ranges = {
        coefficient: value_range(
            [
                line
                for key, lines in series.items()
                if key.coefficient_and_aspect[0] == coefficient
                for line in lines
            ]
        )
        for coefficient in {key.coefficient_and_aspect[0] for key in series}
    }
    names = sources(key.file for key in curves)
    return tuple(
        NoiseChart(
            key=key,
            curves=members,
            chart=draw_curves(key, members, series[key], ranges[key.coefficient_and_aspect[0]]),
            source=names[key.file],
            style=family_numbers[key.family],
        )
        for key, members in curves.items()
    )


def collect_curves(
    results: Sequence[Result], labels: Mapping[MetricKey, str]
) -> dict[NoiseKey, tuple[Curve, ...]]:
    """Collect the correlations of all checks into curves; of several at a level, the first."""
    by_chart: dict[NoiseKey, dict[MetricKey, dict[float, CurvePoint]]] = defaultdict(
        lambda: defaultdict(dict)
    )
    for result in results:
        for group, point in curve_points(result):
            points = by_chart[noise_key(result, group)][metric_key(result)]
            points[point.level] = with_drop(points.get(point.level, point), point)
    styles = metric_styles(labels)
    return {
        key: tuple(
            Curve(
                metric[1],
                labels[metric],
                tuple(points[level] for level in sorted(points)),
                styles[labels[metric]],
            )
            for metric, points in by_metric.items()
        )
        for key, by_metric in by_chart.items()
    }


def with_drop(point: CurvePoint, other: CurvePoint) -> CurvePoint:
    """Add the drop that another check measured, if it is about the same correlation."""
    same = point.drop is None and point.estimate.value == other.estimate.value
    return replace(point, drop=other.drop) if same else point


def noise_key(result: Result, group: str) -> NoiseKey:
    """Return which chart a correlation belongs to."""
    return NoiseKey(
        file=result.file,
        family=result.family or "",
        field=describe_field(result),
        coefficient=result.coefficient or "",
        group=group,
        switched=result.level is None and not result.levels,
    )


def curve_points(result: Result) -> Iterator[tuple[str, CurvePoint]]:
    """Yield the correlations that a check measured beside its verdict, with their groups."""
    if result.family is None or result.coefficient is None:
        return
    edits = None if result.realised is None else result.realised.edits
    retention = {
        (part.group, part.level): part.estimate.value
        for part in result.parts
        if part.name == PartName.RETENTION
    }
    for part in result.parts:
        if part.estimate.value is None:
            continue
        if part.name == PartName.CLEAN:
            yield part.group, CurvePoint(0.0, 0.0, part.estimate)
        if part.name == PartName.PERTURBED:
            level = next((x for x in (part.level, result.level) if x is not None), SWITCHED_ON)
            measured = edits if result.level in (level, None) else None
            kept = retention.get((part.group, part.level))
            lost = result.estimate if is_drop(result) and not part.group else None
            yield part.group, CurvePoint(level, measured, part.estimate, kept, lost)


def is_drop(result: Result) -> bool:
    """Return whether the estimate of a result is a drop of correlation at one level."""
    return result.expectation == DROP


def draw_curves(
    key: NoiseKey, curves: Sequence[Curve], lines: Sequence[Series], y_range: tuple[float, float]
) -> LineChart:
    """Lay out the chart of one family."""
    coefficient, aspect = key.coefficient_and_aspect
    return line_chart(
        anchor("::".join((key.file, key.condition, key.coefficient, key.group)), "curve"),
        ", ".join(filter(None, [key.condition, aspect, key.group])),
        f"{key.coefficient} with human ratings, by level of {key.condition}, one line per metric. "
        "Bars are the intervals of the drop from clean texts.",
        lines,
        x_title="" if key.switched else "level, and characters edited",
        y_title=f"{coefficient} with human ratings",
        y_range=y_range,
        x_names=tick_names(curves, switched=key.switched),
    )


def tick_names(curves: Sequence[Curve], *, switched: bool) -> list[tuple[float, str, str]]:
    """Name the levels, with the share of characters edited there; none if there are many."""
    rates = {point.level: point.edit_rate for curve in curves for point in curve.points}
    if len(rates) > MAX_TICKS:
        return []
    return [
        (level, level_name(level, switched=switched), "" if rate is None else f"{rate:.0%}")
        for level, rate in sorted(rates.items())
    ]


def level_name(level: float, *, switched: bool) -> str:
    """Name a level as an axis does."""
    if level == 0:
        return "clean"
    return "perturbed" if switched else brief(level)
