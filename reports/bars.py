"""Geometry of a bar chart: how scores changed."""

from __future__ import annotations

from dataclasses import dataclass

from shakeproof.reports.anchors import anchor
from shakeproof.reports.frames import Frame, frame
from shakeproof.reports.scales import Axis, Scale, axis
from shakeproof.reports.words import number
from shakeproof.results import Histogram, Result

WIDTH, HEIGHT = 380, 180
LEFT, RIGHT, TOP, BOTTOM = 52, 12, 10, 46


@dataclass(frozen=True, slots=True)
class Bar:
    """A placed bar and what it counts."""

    x: float
    y: float
    width: float
    height: float
    text: str


@dataclass(frozen=True, slots=True)
class BarChart:
    """All that a template needs to draw bars."""

    frame: Frame
    x_axis: Axis
    y_axis: Axis
    zero: float | None
    bars: tuple[Bar, ...]
    counts: tuple[tuple[str, int], ...]


def bar_chart(result: Result) -> BarChart | None:
    """Lay out how the scores of a check changed."""
    found = result.changes
    if found is None or not found.counts or found.edges[-1] <= found.edges[0]:
        return None
    x = Scale(found.edges[0], found.edges[-1], LEFT, WIDTH - RIGHT)
    y = Scale(0.0, max(*found.counts, 1), HEIGHT - BOTTOM, TOP)
    words = (
        anchor(result.id, "changes"),
        f"Changes of scores, {result.metric}",
        "How many scores changed by how much, perturbed minus clean.",
    )
    return BarChart(
        frame(words, (WIDTH, HEIGHT), (LEFT, RIGHT, TOP, BOTTOM)),
        x_axis=axis("change of score, perturbed minus clean", x),
        y_axis=axis("candidates (count)", y, count=3),
        zero=x.at(0.0) if x.low <= 0 <= x.high else None,
        bars=bars(found, x, y),
        counts=tuple(named(found)),
    )


def bars(found: Histogram, x: Scale, y: Scale) -> tuple[Bar, ...]:
    """Place a bar for each stretch between edges."""
    pairs = zip(found.edges, found.edges[1:], found.counts, named(found), strict=False)
    return tuple(
        Bar(x.at(a), y.at(n), x.at(b) - x.at(a), y.start - y.at(n), f"{name}: {n}")
        for a, b, n, (name, _) in pairs
    )


def named(found: Histogram) -> list[tuple[str, int]]:
    """Name each stretch by its edges."""
    pairs = zip(found.edges, found.edges[1:], found.counts, strict=False)
    return [(f"{number(a)} to {number(b)}", n) for a, b, n in pairs]
