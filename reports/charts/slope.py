"""Geometry of a slope chart: a value before and after, one line per metric, labels at both ends."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import isnan

from shakeproof.reports.charts.labels import move_apart, shorten_all
from shakeproof.reports.charts.line_styles import LineStyle, line_style
from shakeproof.reports.charts.scales import Frame, Scale, error_bar, make_frame, points, rounded
from shakeproof.reports.wording.format import number

TOP, BOTTOM = 30, 12
HEIGHT = 300
LABEL_GAP = 16.0  # pixels between labels under each other
END_GAP = 14.0  # pixels between a point and its label
NARROW = "narrow"  # what the address of the drawing for small screens ends with


@dataclass(frozen=True, slots=True)
class SlopeSize:
    """The room of a drawing: its width, what labels need of it, and letters of a name."""

    width: int
    left: int
    right: int
    letters: int


WIDE_SIZE = SlopeSize(560, 190, 70, 18)
NARROW_SIZE = SlopeSize(340, 140, 54, 12)


@dataclass(frozen=True, slots=True)
class Slope:
    """A value of one metric before and after; the interval is that of the change."""

    name: str
    style: int  # the number of the metric on the page
    before: float
    after: float
    low: float | None = None  # ends of the interval, placed on `after`
    high: float | None = None


@dataclass(frozen=True, slots=True)
class SlopeLine:
    """A slope as it is drawn."""

    name: str
    label: str  # the name, shortened to the room beside the chart
    style: LineStyle
    path: str
    start: tuple[float, float]
    end: tuple[float, float]
    bar: str  # the interval at the end, "" if there is none
    start_text: str
    end_text: str
    start_label: tuple[float, float]
    end_label: tuple[float, float]
    leaders: str  # from the points to their labels
    text: str  # all of it in words


@dataclass(frozen=True, slots=True)
class SlopeChart:
    """All that a template needs to draw slopes."""

    frame: Frame
    before: str  # the title above the left ends
    after: str
    lines: tuple[SlopeLine, ...]
    narrow: SlopeChart | None = None  # the same for small screens


def slope_chart(
    key: str,
    title: str,
    description: str,
    slopes: Sequence[Slope],
    *,
    before: str,
    after: str,
    y_range: tuple[float, float] | None = None,
) -> SlopeChart:
    """Lay out one line per metric, twice: for wide and for small screens.

    `before` and `after` name the two ends, such as "clean" and "visual 0.3". The numbers are
    in the labels, so there is no axis.
    """
    shown = [slope for slope in slopes if not (isnan(slope.before) or isnan(slope.after))]
    y = Scale(*(y_range or slope_range(shown)), HEIGHT - BOTTOM - 8, TOP + 8)
    wide, narrow = (
        SlopeChart(
            slope_frame(address, title, description, size),
            before,
            after,
            draw_slopes(shown, size, y),
        )
        for address, size in ((key, WIDE_SIZE), (f"{key}-{NARROW}", NARROW_SIZE))
    )
    return SlopeChart(wide.frame, before, after, wide.lines, narrow)


def slope_range(slopes: Sequence[Slope]) -> tuple[float, float]:
    """Return a round range that holds all values and intervals."""
    ends = [(slope.before, slope.after, slope.low, slope.high) for slope in slopes]
    return rounded(end for slope in ends for end in slope if end is not None)


def slope_frame(key: str, title: str, description: str, size: SlopeSize) -> Frame:
    """Leave room for the labels."""
    margins = (size.left, size.right, TOP, BOTTOM)
    return make_frame(key, title, description, size=(size.width, HEIGHT), margins=margins)


def draw_slopes(slopes: Sequence[Slope], size: SlopeSize, y: Scale) -> tuple[SlopeLine, ...]:
    """Draw each slope and put the labels beside the ends without overlap."""
    room = {"low": TOP + 4.0, "high": HEIGHT - BOTTOM - 4.0, "gap": LABEL_GAP}
    start_ys = move_apart([y.at(slope.before) for slope in slopes], **room)
    end_ys = move_apart([y.at(slope.after) for slope in slopes], **room)
    names = shorten_all([slope.name for slope in slopes], size.letters)
    return tuple(
        draw_slope(slope, name, size, y, (start_y, end_y))
        for slope, name, start_y, end_y in zip(slopes, names, start_ys, end_ys, strict=True)
    )


def draw_slope(
    slope: Slope, label: str, size: SlopeSize, y: Scale, label_ys: tuple[float, float]
) -> SlopeLine:
    """Draw one slope."""
    start = (float(size.left), y.at(slope.before))
    end = (float(size.width - size.right), y.at(slope.after))
    start_label = (start[0] - END_GAP, label_ys[0])
    end_label = (end[0] + END_GAP, label_ys[1])
    return SlopeLine(
        name=slope.name,
        label=label,
        style=line_style(slope.style),
        path=points([start, end]),
        start=start,
        end=end,
        bar=draw_bar(slope, end[0], y),
        start_text=number(slope.before, 2),
        end_text=number(slope.after, 2),
        start_label=start_label,
        end_label=end_label,
        leaders=points([(start[0] - 5, start[1]), (start_label[0] + 3, start_label[1])])
        + points([(end[0] + 5, end[1]), (end_label[0] - 3, end_label[1])]),
        text=slope_text(slope),
    )


def draw_bar(slope: Slope, x: float, y: Scale) -> str:
    """Draw the interval at the right end of a slope."""
    if slope.low is None or slope.high is None:
        return ""
    return error_bar(x, y.at(slope.low), y.at(slope.high))


def slope_text(slope: Slope) -> str:
    """Write a slope in words, for tooltips and tables."""
    after = number(slope.after)
    if slope.low is not None and slope.high is not None:
        after += f" [{number(slope.low)}, {number(slope.high)}]"
    return f"{slope.name}: {number(slope.before)} to {after}"
