"""Geometry of a line chart: lines with bands for their intervals and names at their ends."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from shakeproof.reports.charts.labels import move_apart
from shakeproof.reports.charts.scales import (
    TITLE_DROP,
    Axis,
    Frame,
    Scale,
    Tick,
    axis,
    cover,
    make_frame,
    points,
    rounded,
)
from shakeproof.reports.wording.format import brief, clip, number

WIDTH, HEIGHT = 380, 290
LEFT, RIGHT, TOP, BOTTOM = 52, 104, 14, 56
MARGINS = (LEFT, RIGHT, TOP, BOTTOM)
NOTED_TITLE_DROP = 50  # where ticks have a second line
LABEL_GAP = 14.0  # pixels between the names at the ends of lines
NAME_LENGTH = 13  # letters
STYLES = 8  # colours; more lines repeat them with another dash


@dataclass(frozen=True, slots=True)
class Point:
    """A value on the axis, with its interval if it has one."""

    x: float
    value: float
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True, slots=True)
class Series:
    """The points of one line; a metric has the same `style` in all charts of a page."""

    name: str
    style: int
    points: tuple[Point, ...]


@dataclass(frozen=True, slots=True)
class Dot:
    """A point as it is drawn."""

    x: float
    y: float
    position: str  # on the x axis, as text
    text: str  # the value with its interval


@dataclass(frozen=True, slots=True)
class Line:
    """A series as it is drawn."""

    name: str
    label: str  # the name, shortened to the room beside the chart
    style: int
    dashed: bool
    path: str
    band: str
    dots: tuple[Dot, ...]
    label_at: tuple[float, float]
    leader: str  # from the end of the line to its name


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
    """Lay out lines with bands; charts beside each other may share `y_range`."""
    x = Scale(*cover(point.x for line in series for point in line.points), LEFT, WIDTH - RIGHT)
    y = Scale(*(y_range or value_range(series)), HEIGHT - BOTTOM, TOP)
    named = Axis(x_title, x.middle, tuple(Tick(x.at(value), *name) for value, *name in x_names))
    title_drop = NOTED_TITLE_DROP if any(note for _, _, note in x_names) else TITLE_DROP
    return LineChart(
        make_frame(
            key, title, description, size=(WIDTH, HEIGHT), margins=MARGINS, title_drop=title_drop
        ),
        x_axis=named if x_names else axis(x_title, x, count=4),
        y_axis=axis(y_title, y),
        lines=draw_lines(series, x, y),
    )


def value_range(series: Sequence[Series]) -> tuple[float, float]:
    """Return a round range that holds all values and intervals."""
    ends = [(p.value, p.low, p.high) for line in series for p in line.points]
    return rounded(end for point in ends for end in point if end is not None)


def draw_lines(series: Sequence[Series], x: Scale, y: Scale) -> tuple[Line, ...]:
    """Draw each series and put the names beside the ends without overlap."""
    ends = [y.at(line.points[-1].value) for line in series]
    label_ys = move_apart(ends, low=TOP + 4, high=HEIGHT - BOTTOM, gap=LABEL_GAP)
    return tuple(
        draw_line(line, x, y, end, label_y)
        for line, end, label_y in zip(series, ends, label_ys, strict=True)
    )


def draw_line(series: Series, x: Scale, y: Scale, end: float, label_y: float) -> Line:
    """Draw one series."""
    dots = tuple(
        Dot(x.at(p.x), y.at(p.value), brief(round(p.x, 4)), point_text(p)) for p in series.points
    )
    last, label_x = x.at(series.points[-1].x), x.end + 16
    return Line(
        name=series.name,
        label=clip(series.name, NAME_LENGTH),
        style=series.style % STYLES,
        dashed=series.style >= STYLES,
        path=points((dot.x, dot.y) for dot in dots),
        band=draw_band(series.points, x, y),
        dots=dots,
        label_at=(label_x, label_y),
        leader=points([(last + 6, end), (label_x - 4, label_y)]),
    )


def draw_band(line: Sequence[Point], x: Scale, y: Scale) -> str:
    """Outline the intervals of neighbouring points; points without one are left out."""
    upper = [(x.at(p.x), y.at(p.high)) for p in line if p.low is not None and p.high is not None]
    lower = [(x.at(p.x), y.at(p.low)) for p in line if p.low is not None and p.high is not None]
    return points([*upper, *reversed(lower)]) + "Z" if len(upper) > 1 else ""


def point_text(point: Point) -> str:
    """Write the value of a point with its interval, for tooltips and tables."""
    if point.low is None or point.high is None:
        return number(point.value)
    return f"{number(point.value)} [{number(point.low)}, {number(point.high)}]"
