"""Geometry of a forest chart: estimates with their intervals against their bounds."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from shakeproof.reports.charts.frame import Frame, frame
from shakeproof.reports.charts.lines import clip
from shakeproof.reports.charts.scales import Axis, Scale, axis, cover, rounded
from shakeproof.reports.wording.format import number, span
from shakeproof.results import Bounds, Estimate

WIDTH = 380
LEFT, RIGHT, TOP, BOTTOM, ROW, GAP = 116, 58, 6, 44, 18, 6
UNBOUNDED = Bounds()
NAME_AND_NOTE = 17  # letters beside a row
ROOM = 0.04  # kept free at either end of an axis
STRIP_WIDTH, STRIP_HEIGHT, STRIP_EDGE, STRIP_ROOM = 120, 16, 6, 0.2
LEAST_REACH, MOST_REACH = 1e-9, 1e300  # of a strip, so that floating point can tell its ends apart


@dataclass(frozen=True, slots=True)
class Entry:
    """A line of a forest chart, before it has a place."""

    name: str
    estimate: Estimate
    slug: str  # of the outcome, or of what the mark stands for
    note: str = ""  # a smaller second part of the name, such as a level


@dataclass(frozen=True, slots=True)
class Mark:
    """An estimate with its interval, placed."""

    name: str
    note: str
    slug: str
    y: float
    base: float  # of the letters beside the mark
    name_x: float
    text_x: float
    x: float | None
    low: float | None
    high: float | None
    text: str
    full: str  # the name as it is
    spoken: str  # the number with its interval


@dataclass(frozen=True, slots=True)
class Zone:
    """The stretch where estimates may lie."""

    start: float
    end: float


@dataclass(frozen=True, slots=True)
class ForestChart:
    """All that a template needs to draw estimates against bounds."""

    frame: Frame
    x_axis: Axis
    zero: float | None
    bounds: tuple[float, ...]
    zone: Zone | None
    marks: tuple[Mark, ...]


def forest_chart(
    key: str,
    title: str,
    description: str,
    entries: Sequence[Entry],
    *,
    x_title: str,
    bounds: Bounds = UNBOUNDED,
    x_range: tuple[float, float] | None = None,
    zero: bool = True,
) -> ForestChart:
    """Lay out one row per entry, under each other, over a shared axis."""
    breaks = sum(a.name != b.name for a, b in pairwise(entries))
    height = TOP + ROW * len(entries) + GAP * breaks + BOTTOM
    scale = Scale(*(x_range or extent(entries, bounds, zero=zero)), LEFT, WIDTH - RIGHT)
    return ForestChart(
        frame((key, title, description), (WIDTH, height), (LEFT, RIGHT, TOP, BOTTOM)),
        x_axis=axis(x_title, scale, count=4),
        zero=scale.at(0.0) if scale.low <= 0 <= scale.high else None,
        bounds=edges(bounds, scale),
        zone=zone(bounds, scale),
        marks=tuple(place(entries, scale)),
    )


def extent(entries: Sequence[Entry], *bounds: Bounds, zero: bool) -> tuple[float, float]:
    """Find a round range that holds all estimates, bounds and, if asked, zero."""
    ends = [end for entry in entries for end in known(entry.estimate)]
    ends += [end for pair in bounds for end in (pair.low, pair.high) if end is not None]
    low, high = cover([*ends, 0.0] if zero else ends)
    return rounded([low - ROOM * (high - low), high + ROOM * (high - low)], count=4)


def known(estimate: Estimate) -> list[float]:
    """List what is defined of an estimate and its interval."""
    ends = (estimate.value, estimate.low, estimate.high)
    return [end for end in ends if end is not None]


def place(entries: Sequence[Entry], scale: Scale) -> Iterator[Mark]:
    """Put entries under each other; those of one name stand closer and share it."""
    y, last = TOP + ROW / 2, None
    for entry in entries:
        y += GAP if last not in (None, entry.name) else 0
        placed = mark(entry, scale, y)
        yield replace(placed, name="") if last == entry.name and entry.note else placed
        y, last = y + ROW, entry.name


def mark(entry: Entry, scale: Scale, y: float) -> Mark:
    """Place one estimate."""
    value, low, high = entry.estimate.value, entry.estimate.low, entry.estimate.high
    whole = low is not None and high is not None
    return Mark(
        clip(entry.name, NAME_AND_NOTE - len(entry.note)),
        entry.note,
        entry.slug,
        y,
        y + 4,
        scale.start - 10,
        scale.end + 10,
        None if value is None else scale.at(value),
        scale.at(low) if low is not None and whole else None,
        scale.at(high) if high is not None and whole else None,
        number(value),
        entry.name,
        f"{number(value)} {span(entry.estimate)}" if whole else number(value),
    )


def edges(bounds: Bounds, scale: Scale) -> tuple[float, ...]:
    """Place the bounds."""
    return tuple(scale.at(end) for end in (bounds.low, bounds.high) if end is not None)


def zone(bounds: Bounds, scale: Scale) -> Zone | None:
    """Place the stretch where estimates may lie."""
    if bounds.low is None and bounds.high is None:
        return None
    low = scale.low if bounds.low is None else bounds.low
    high = scale.high if bounds.high is None else bounds.high
    return Zone(scale.at(low), scale.at(high))


@dataclass(frozen=True, slots=True)
class Strip:
    """A forest chart of one row without axis, for a line of a table."""

    zone: Zone | None
    mark: Mark
    zero: float | None = None


def strip(estimate: Estimate, bounds: Bounds, slug: str) -> Strip | None:
    """Lay out an estimate against its bounds on a scale of its own."""
    ends = known(estimate)
    limits = [end for end in (bounds.low, bounds.high) if end is not None]
    if not ends or not limits:
        return None
    low, high = min(ends + limits), max(ends + limits)
    room = (high - low) * STRIP_ROOM or 0.05
    scale = Scale(low - room, high + room, STRIP_EDGE, STRIP_WIDTH - STRIP_EDGE)
    return Strip(zone(bounds, scale), mark(Entry("", estimate, slug), scale, STRIP_HEIGHT / 2))


def change_strip(change: Estimate, reach: float, slug: str) -> Strip:
    """Lay out a change on a scale that reaches as far to either side of zero."""
    return beside_strip(change, 0.0, reach, slug)


def beside_strip(measured: Estimate, value: float, reach: float, slug: str) -> Strip:
    """Lay out an estimate around a number it is set beside, which stands in the middle."""
    widest = min(max(reach, abs(value) * LEAST_REACH), MOST_REACH) or 1.0
    scale = Scale(value - widest, value + widest, STRIP_EDGE, STRIP_WIDTH - STRIP_EDGE)
    return Strip(None, mark(Entry("", measured, slug), scale, STRIP_HEIGHT / 2), scale.at(value))
