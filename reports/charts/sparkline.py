"""Geometry of a sparkline: a curve as small as a word, for a cell of a table."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from math import isnan

from shakeproof.reports.charts.line_styles import LineStyle, line_style
from shakeproof.reports.charts.scales import Scale, cover, points

WIDTH, HEIGHT = 90, 24
EDGE = 5  # pixels kept free, so that the last point fits


@dataclass(frozen=True, slots=True)
class Sparkline:
    """All that a template needs to draw a small curve."""

    title: str  # for screen readers and on hover
    style: LineStyle
    path: str
    end: tuple[float, float]  # where the last point is drawn
    width: int = WIDTH
    height: int = HEIGHT


def sparkline(
    title: str,
    curve: Iterable[tuple[float, float]],
    style: int = 0,
    *,
    y_range: tuple[float, float] | None = None,
) -> Sparkline | None:
    """Lay out a curve of (level, value); those of one column should share `y_range`.

    The title says what the curve shows. A curve of fewer than two points is None.
    """
    places = sorted((x, y) for x, y in curve if not (isnan(x) or isnan(y)))
    if len(places) < 2:
        return None
    x = Scale(*cover(level for level, _ in places), EDGE, WIDTH - EDGE)
    y = Scale(*(y_range or cover(value for _, value in places)), HEIGHT - EDGE, EDGE)
    drawn = [(x.at(level), y.at(value)) for level, value in places]
    return Sparkline(title, line_style(style), points(drawn), drawn[-1])
