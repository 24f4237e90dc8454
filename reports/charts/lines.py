"""Geometry of a line chart: one line per metric, its interval as a band, its name at the end."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from shakeproof.reports.charts.frame import TITLE_DROP, Frame, frame
from shakeproof.reports.charts.scales import Axis, Scale, Tick, axis, cover, points, rounded
from shakeproof.reports.wording.format import number, plain

WIDTH, HEIGHT = 380, 290
LEFT, RIGHT, TOP, BOTTOM = 52, 104, 14, 56
MARGINS = (LEFT, RIGHT, TOP, BOTTOM)
NOTED_DROP = 50  # of the axis title where ticks have a second line
LABEL_GAP = 14.0  # pixels between the names at the ends of lines
NAME_LENGTH = 13
LEAST_LENGTH = 8
STYLES = 8  # colours; more lines repeat them with another dash


@dataclass(frozen=True, slots=True)
class Point:
    """A value at a place on the axis, with its interval if it has one."""

    x: float
    value: float
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True, slots=True)
class Series:
    """The points of one metric; `style` is the same in all charts of a page."""

    name: str
    style: int
    points: tuple[Point, ...]


@dataclass(frozen=True, slots=True)
class Dot:
    """A marked point."""

    x: float
    y: float
    place: str  # on the axis, in words
    text: str


@dataclass(frozen=True, slots=True)
class Line:
    """A drawn series."""

    name: str
    label: str
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
    every = [point for line in series for point in line.points]
    x = Scale(*cover(point.x for point in every), LEFT, WIDTH - RIGHT)
    y = Scale(*(y_range or heights(series)), HEIGHT - BOTTOM, TOP)
    named = Axis(x_title, x.middle, tuple(Tick(x.at(value), *name) for value, *name in x_names))
    title_drop = NOTED_DROP if any(note for _, _, note in x_names) else TITLE_DROP
    return LineChart(
        frame((key, title, description), (WIDTH, HEIGHT), MARGINS, title_drop=title_drop),
        x_axis=named if x_names else axis(x_title, x, count=4),
        y_axis=axis(y_title, y),
        lines=draw(series, x, y),
    )


def heights(series: Sequence[Series]) -> tuple[float, float]:
    """Find a round range that holds all values and intervals."""
    every = [point for line in series for point in line.points]
    ends = [end for p in every for end in (p.value, p.low, p.high) if end is not None]
    return rounded(ends)


def draw(series: Sequence[Series], x: Scale, y: Scale) -> tuple[Line, ...]:
    """Draw each series and put the names beside the ends without overlap."""
    ends = [y.at(line.points[-1].value) for line in series]
    places = spread(ends, x_low=TOP + 4, x_high=HEIGHT - BOTTOM)
    return tuple(
        line(one, x, y, end, place) for one, end, place in zip(series, ends, places, strict=True)
    )


def line(series: Series, x: Scale, y: Scale, end: float, place: float) -> Line:
    """Draw one series."""
    dots = tuple(
        Dot(x.at(p.x), y.at(p.value), plain(round(p.x, 4)), spoken(p)) for p in series.points
    )
    last, label_x = x.at(series.points[-1].x), x.end + 16
    return Line(
        series.name,
        clip(series.name),
        series.style % STYLES,
        dashed=series.style >= STYLES,
        path=points((dot.x, dot.y) for dot in dots),
        band=band(series.points, x, y),
        dots=dots,
        label_at=(label_x, place),
        leader=points([(last + 6, end), (label_x - 4, place)]),
    )


def band(places: Sequence[Point], x: Scale, y: Scale) -> str:
    """Outline the intervals of neighbouring points; points without one are left out."""
    upper = [(x.at(p.x), y.at(p.high)) for p in places if p.low is not None and p.high is not None]
    lower = [(x.at(p.x), y.at(p.low)) for p in places if p.low is not None and p.high is not None]
    return points([*upper, *reversed(lower)]) + "Z" if len(upper) > 1 else ""


def spread(wanted: Sequence[float], *, x_low: float, x_high: float) -> list[float]:
    """Move labels apart, keeping their order and staying as near as may be."""
    if not wanted:
        return []
    gap = min(LABEL_GAP, (x_high - x_low) / max(len(wanted) - 1, 1))
    order = sorted(range(len(wanted)), key=lambda i: wanted[i])
    places = [max(wanted[i], x_low) for i in order]
    for k in range(1, len(places)):
        places[k] = max(places[k], places[k - 1] + gap)
    places[-1] = min(places[-1], x_high)
    for k in range(len(places) - 2, -1, -1):
        places[k] = min(places[k], places[k + 1] - gap)
    by_index = dict(zip(order, places, strict=True))
    return [by_index[i] for i in range(len(wanted))]


def clip(name: str, length: int = NAME_LENGTH) -> str:
    """Shorten a name to the room beside a chart."""
    room = max(length, LEAST_LENGTH)
    return name if len(name) <= room else name[: room - 1] + "…"


def spoken(point: Point) -> str:
    """Say a point in words, for those who hover or listen."""
    interval = ""
    if point.low is not None and point.high is not None:
        interval = f" [{number(point.low)}, {number(point.high)}]"
    return f"{number(point.value)}{interval}"
