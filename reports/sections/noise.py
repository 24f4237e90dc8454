"""Agreement with people under noise: correlation by level and by realised severity."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from shakeproof.reports.charts.lines import LineChart, Point, Series, heights, line_chart
from shakeproof.reports.wording.anchors import anchor
from shakeproof.reports.wording.format import condition_tail, plain
from shakeproof.reports.wording.names import bare, labels, several
from shakeproof.results import Estimate, Result

SWITCHED_ON = 1.0  # where a family without levels is drawn
MOST_TICKS = 6  # that fit under a chart with two lines each


@dataclass(frozen=True, slots=True)
class Stop:
    """A correlation on the way from clean texts to badly damaged ones."""

    level: float
    severity: float | None
    estimate: Estimate


@dataclass(frozen=True, slots=True)
class Curve:
    """What became of one metric's correlation."""

    metric: str
    stops: tuple[Stop, ...]
    name: str = ""  # of the metric within its checklist

    @property
    def clean(self) -> Estimate | None:
        """Find the correlation on clean texts."""
        return next((stop.estimate for stop in self.stops if stop.level == 0), None)

    def at(self, level: float) -> Estimate | None:
        """Find the correlation at a level."""
        return next((stop.estimate for stop in self.stops if stop.level == level), None)

    def drop(self, level: float) -> float | None:
        """Subtract the correlation at a level from the clean one."""
        clean, there = self.clean, self.at(level)
        if clean is None or there is None or clean.value is None or there.value is None:
            return None
        return clean.value - there.value

    def retention(self, level: float) -> float | None:
        """Divide by the clean correlation, where its whole interval is above zero."""
        clean, there = self.clean, self.at(level)
        if clean is None or there is None or not (clean.low or 0) > 0:
            return None
        return None if there.value is None or not clean.value else there.value / clean.value

    @property
    def area(self) -> float | None:
        """Average the retention over the range of levels, by trapezoids."""
        kept = [(stop.level, self.retention(stop.level)) for stop in self.stops]
        sure = [(level, share) for level, share in kept if share is not None]
        if len(sure) < 2 or len(sure) < len(kept):
            return None
        total = sum((b[0] - a[0]) * (a[1] + b[1]) / 2 for a, b in pairwise(sure))
        return total / (sure[-1][0] - sure[0][0])


@dataclass(frozen=True, slots=True)
class Panel:
    """One family's curves, as a chart and as a table."""

    file: str
    title: str
    family: str
    coefficient: str
    group: str
    switched: bool  # on or off, without levels
    curves: tuple[Curve, ...]
    chart: LineChart
    source: str = ""  # the checklist, where there are several

    def level_name(self, level: float) -> str:
        """Name a level as the axis does."""
        return level_name(level, switched=self.switched)


Key = tuple[str, str, str, str, str]  # file, family with field, coefficient, group, on or off


def panels(results: Sequence[Result], styles: Mapping[str, int]) -> tuple[Panel, ...]:
    """Make a panel for each family; all with one coefficient share their heights."""
    gathered = gather(results)
    ranges = {
        name: heights(
            [line for key, own in gathered.items() if key[2] == name for line in shown(own, styles)]
        )
        for name in {key[2] for key in gathered}
    }
    named = labels(key[0] for key in gathered)
    return tuple(
        panel(key, shown(curves, styles), curves, ranges[key[2]], several(named, key[0]))
        for key, curves in gathered.items()
    )


def gather(results: Sequence[Result]) -> dict[Key, tuple[Curve, ...]]:
    """Collect the correlations of all checks into curves, the first of equals."""
    found: dict[Key, dict[str, dict[float, Stop]]] = defaultdict(lambda: defaultdict(dict))
    for result in results:
        for group, stop in stops(result):
            found[key_of(result, group)][result.metric].setdefault(stop.level, stop)
    return {
        key: tuple(curve(metric, by_level, key[0]) for metric, by_level in metrics.items())
        for key, metrics in found.items()
    }


def key_of(result: Result, group: str) -> Key:
    """Say which panel a correlation belongs to."""
    switched = "" if result.level is not None or result.levels else "switched"
    title = f"{result.family}{condition_tail(result)}"
    return result.file, title, result.coefficient or "", group, switched


def curve(metric: str, by_level: Mapping[float, Stop], file: str) -> Curve:
    """Put the stops in order."""
    ordered = tuple(by_level[level] for level in sorted(by_level))
    return Curve(metric, ordered, bare(metric, file))


def stops(result: Result) -> Iterable[tuple[str, Stop]]:
    """Find the correlations that a check measured beside its verdict."""
    if result.family is None or result.coefficient is None:
        return
    edits = None if result.realised is None else result.realised.edits
    for part in result.parts:
        if part.name == "clean" and part.estimate.value is not None:
            yield part.group, Stop(0.0, 0.0, part.estimate)
        if part.name == "perturbed" and part.estimate.value is not None:
            level = next((x for x in (part.level, result.level) if x is not None), SWITCHED_ON)
            own = edits if result.level in (level, None) else None
            yield part.group, Stop(level, own, part.estimate)


def shown(curves: Sequence[Curve], styles: Mapping[str, int]) -> list[Series]:
    """Turn curves into lines over the level."""
    return [
        Series(one.name, styles[one.metric], tuple(point(stop) for stop in one.stops))
        for one in curves
    ]


def point(stop: Stop) -> Point:
    """Place a correlation at its level."""
    estimate = stop.estimate
    return Point(stop.level, estimate.value or 0.0, estimate.low, estimate.high)


def panel(
    key: Key,
    lines: Sequence[Series],
    curves: tuple[Curve, ...],
    y_range: tuple[float, float],
    source: str,
) -> Panel:
    """Lay out the chart of one family."""
    file, title, coefficient, group, switched = key
    chart = line_chart(
        anchor("::".join((file, title, coefficient, group)), "curve"),
        f"{title}, {group}" if group else title,
        f"{coefficient} with what people judged, by level of {title}, one line per metric.",
        lines,
        x_title="" if switched else "level, and edits per character",
        y_title=f"{coefficient} with people",
        y_range=y_range,
        x_names=ticks_of(curves, switched=bool(switched)),
    )
    family = title.partition(" on ")[0]
    return Panel(file, title, family, coefficient, group, bool(switched), curves, chart, source)


def ticks_of(curves: Sequence[Curve], *, switched: bool) -> list[tuple[float, str, str]]:
    """Name the levels, with the severity that was realised there; none if there are many."""
    found = {stop.level: stop.severity for one in curves for stop in one.stops}
    if len(found) > MOST_TICKS:
        return []
    notes = {level: "" if share is None else f"{share:.0%}" for level, share in found.items()}
    return [(level, level_name(level, switched=switched), notes[level]) for level in sorted(found)]


def level_name(level: float, *, switched: bool) -> str:
    """Name a level as an axis does."""
    if level == 0:
        return "clean"
    return "perturbed" if switched else plain(level)
