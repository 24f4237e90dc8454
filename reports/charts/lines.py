"""Geometry of a line chart: lines with bars for their intervals and names at their ends."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import dist, isnan

from shakeproof.reports.charts.labels import move_apart, shorten_all
from shakeproof.reports.charts.line_styles import line_style
from shakeproof.reports.charts.scales import (
    TITLE_DROP,
    Axis,
    Frame,
    Scale,
    Tick,
    axis,
    cover,
    error_bar,
    make_frame,
    points,
    rounded,
    xy,
)
from shakeproof.reports.wording.format import brief, number

WIDTH, MIN_HEIGHT = 352, 290
LEFT, RIGHT, TOP, BOTTOM = 54, 114, 14, 56
MARGINS = (LEFT, RIGHT, TOP, BOTTOM)
NOTED_TITLE_DROP = 50  # where ticks have a second line
LABEL_GAP = 14.0  # pixels between the names at the ends of lines
NAME_LENGTH = 13  # letters
MIN_TICK_GAP = 30.0  # pixels between named ticks
BAR_GAP, MAX_BAR_SHIFT = 4.0, 8.0  # pixels between bars at one position, and from it


@dataclass(frozen=True, slots=True)
class Point:
    """A value on the axis, with the interval that is drawn as a bar, if it has one."""

    x: float
    value: float
    low: float | None = None
    high: float | None = None
    text: str = ""  # for tooltips and tables; "" is the value with its interval


@dataclass(frozen=True, slots=True)
class Series:
    """The points of one line; `style` is its number on the page, the same in all charts."""

    name: str
    style: int
    points: tuple[Point, ...]


@dataclass(frozen=True, slots=True)
class Dot:
    """A point as it is drawn."""

    x: float
    y: float
    position: str  # on the x axis, as text
    value: str
    text: str  # the value with its interval
    bar: str = ""  # the interval, as a path


@dataclass(frozen=True, slots=True)
class Line:
    """A series as it is drawn."""

    name: str
    label: str  # the name, shortened to the room beside the chart
    style: int  # the number of its colour
    path: str
    dots: tuple[Dot, ...]
    label_at: tuple[float, float]
    leader: str  # from the end of the line to its name, "" if they are close
    shape: str  # of its points, as a path from their middle
    dash: str  # as SVG writes it, "" for a full line

    @property
    def text(self) -> str:
        """Return the whole name and all values, for a tooltip."""
        places = "; ".join(f"{dot.position}: {dot.value}" for dot in self.dots)
        return f"{self.name}, {places}"

    @property
    def shapes(self) -> str:
        """Return the marks of all points as one path."""
        return "".join(f"M{xy(dot.x)} {xy(dot.y)}{self.shape}" for dot in self.dots)

    @property
    def bars(self) -> str:
        """Return the intervals of all points as one path."""
        return "".join(dot.bar for dot in self.dots)


@dataclass(frozen=True, slots=True)
class LineChart:
    """All that a template needs to draw lines."""

    frame: Frame
    x_axis: Axis
    y_axis: Axis
    lines: tuple[Line, ...]


def line_chart(
    key: str,
    title: str,
    description: str,
    series: Sequence[Series],
    *,
    x_title: str,
    y_title: str,
    y_range: tuple[float, float] | None = None,
    x_names: Sequence[tuple[float, str, str]] = (),
) -> LineChart:
    """Lay out lines with bars; charts beside each other may share `y_range`."""
    shown = [replace(line, points=drawable(line.points)) for line in series]
    shown = [line for line in shown if line.points]
    height = max(MIN_HEIGHT, TOP + BOTTOM + int(LABEL_GAP * len(shown)))
    end = WIDTH - RIGHT - MAX_BAR_SHIFT
    x = Scale(*cover(point.x for line in shown for point in line.points), LEFT, end)
    y = Scale(*(y_range or value_range(shown)), height - BOTTOM, TOP)
    named = Axis(x_title, x.middle, named_ticks(x, x_names))
    title_drop = NOTED_TITLE_DROP if any(note for _, _, note in x_names) else TITLE_DROP
    return LineChart(
        make_frame(
            key, title, description, size=(WIDTH, height), margins=MARGINS, title_drop=title_drop
        ),
        x_axis=named if x_names else axis(x_title, x, count=4),
        y_axis=axis(y_title, y),
        lines=draw_lines(shown, x, y),
    )


def drawable(line: Sequence[Point]) -> tuple[Point, ...]:
    """Leave out points that are not numbers."""
    return tuple(point for point in line if not (isnan(point.x) or isnan(point.value)))


def named_ticks(x: Scale, names: Sequence[tuple[float, str, str]]) -> tuple[Tick, ...]:
    """Name positions on an axis, leaving out names that would touch; first and last are kept."""
    ticks = [Tick(x.at(value), *name) for value, *name in names]
    kept = ticks[:1]
    for tick in ticks[1:-1]:
        if min(tick.at - kept[-1].at, ticks[-1].at - tick.at) >= MIN_TICK_GAP:
            kept.append(tick)
    return tuple(kept + ticks[1:][-1:])


def value_range(series: Sequence[Series]) -> tuple[float, float]:
    """Return a round range that holds all values and intervals."""
    ends = [(p.value, p.low, p.high) for line in series for p in line.points]
    return rounded(end for point in ends for end in point if end is not None)


def draw_lines(series: Sequence[Series], x: Scale, y: Scale) -> tuple[Line, ...]:
    """Draw each series and put the names beside the ends without overlap."""
    ends = [y.at(line.points[-1].value) for line in series]
    label_ys = move_apart(ends, low=y.end + 4, high=y.start, gap=LABEL_GAP)
    labels = shorten_all([line.name for line in series], NAME_LENGTH)
    shifts = bar_shifts(len(series))
    return tuple(
        draw_line(line, label, x, y, label_y=label_y, shift=shift)
        for line, label, label_y, shift in zip(series, labels, label_ys, shifts, strict=True)
    )


def bar_shifts(count: int) -> list[float]:
    """Return how far each line's bars are moved sideways, so that they stand beside each other."""
    gap = min(BAR_GAP, 2 * MAX_BAR_SHIFT / max(count - 1, 1))
    return [gap * (index - (count - 1) / 2) for index in range(count)]


def draw_line(
    series: Series, label: str, x: Scale, y: Scale, *, label_y: float, shift: float
) -> Line:
    """Draw one series."""
    dots = tuple(draw_dot(point, x, y, shift) for point in series.points)
    label_x, style = WIDTH - RIGHT + 14, line_style(series.style)
    return Line(
        name=series.name,
        label=label,
        style=style.colour,
        path=points((dot.x, dot.y) for dot in dots),
        dots=dots,
        label_at=(label_x, label_y),
        leader=draw_leader((dots[-1].x + 6, dots[-1].y), (label_x - 4, label_y)),
        shape=style.shape,
        dash=style.dash,
    )


def draw_leader(start: tuple[float, float], end: tuple[float, float]) -> str:
    """Draw a line to a name, "" if the name stands beside its point."""
    return points([start, end]) if dist(start, end) > LABEL_GAP + MAX_BAR_SHIFT else ""


def draw_dot(point: Point, x: Scale, y: Scale, shift: float) -> Dot:
    """Place a point, and its bar if it has an interval; only points with bars are shifted."""
    place, bar = x.at(point.x), ""
    if point.low is not None and point.high is not None:
        place = max(place + shift, x.start)
        bar = error_bar(place, y.at(point.low), y.at(point.high))
    position, value = brief(round(point.x, 4)), number(point.value)
    return Dot(place, y.at(point.value), position, value, point_text(point), bar)


def point_text(point: Point) -> str:
    """Write a point for tooltips and tables."""
    if point.text:
        return point.text
    if point.low is None or point.high is None:
        return number(point.value)
    return f"{number(point.value)} [{number(point.low)}, {number(point.high)}]"
