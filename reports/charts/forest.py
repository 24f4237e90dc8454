"""Geometry of a forest chart: estimates with their intervals against their bounds."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from shakeproof.reports.charts.labels import shorten_all
from shakeproof.reports.charts.scales import (
    Axis,
    Frame,
    Scale,
    axis,
    cover,
    make_frame,
    rounded,
)
from shakeproof.reports.estimates import defined_ends
from shakeproof.reports.wording.format import interval, number
from shakeproof.results import Bounds, Estimate

WIDTH = 352
RIGHT, TOP, BOTTOM, ROW, GAP = 58, 6, 44, 18, 6
MIN_LEFT, MAX_LEFT = 90, 160  # the room for names and notes
LETTER = 7.2  # pixels, about
UNBOUNDED = Bounds()
NAME_AND_NOTE = 17  # letters beside a row
MIN_NAME = 8  # of them for the name, however long the note
PADDING = 0.04  # of the range, kept free at either end of an axis
STRIP_WIDTH, STRIP_HEIGHT, STRIP_EDGE, STRIP_PADDING = 120, 16, 6, 0.1
MIN_STRIP_RANGE = 1e-6
MIN_REACH, MAX_REACH = 1e-9, 1e300  # of a strip, so that its ends differ in floating point


@dataclass(frozen=True, slots=True)
class Entry:
    """A row of a forest chart."""

    name: str
    estimate: Estimate
    slug: str  # of the outcome, or of what the mark stands for
    note: str = ""  # a smaller second part of the name, such as a level


@dataclass(frozen=True, slots=True)
class Mark:
    """An estimate with its interval, in pixels."""

    name: str  # shortened, "" if the row above has the same
    note: str
    slug: str
    y: float
    base: float  # baseline of the text beside the mark
    name_x: float
    text_x: float
    x: float | None
    low: float | None
    high: float | None
    text: str
    full_name: str
    full_text: str  # the number with its interval

    @property
    def hint(self) -> str:
        """Return the whole name where it is shortened, else ""."""
        return self.full_name if self.name and self.name != self.full_name else ""


@dataclass(frozen=True, slots=True)
class Zone:
    """The range where estimates may lie, in pixels."""

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
    """Lay out one row per entry over a shared axis."""
    breaks = sum(a.name != b.name for a, b in pairwise(entries))
    height = TOP + ROW * len(entries) + GAP * breaks + BOTTOM
    labels = row_labels(entries)
    left = label_room(entries, labels)
    scale = Scale(*(x_range or extent(entries, bounds, zero=zero)), left, WIDTH - RIGHT)
    return ForestChart(
        make_frame(
            key, title, description, size=(WIDTH, height), margins=(left, RIGHT, TOP, BOTTOM)
        ),
        x_axis=axis(x_title, scale, count=4),
        zero=scale.at(0.0) if scale.low <= 0 <= scale.high else None,
        bounds=tuple(scale.at(end) for end in (bounds.low, bounds.high) if end is not None),
        zone=place_zone(bounds, scale),
        marks=tuple(place_marks(entries, labels, scale)),
    )


def extent(entries: Sequence[Entry], *bounds: Bounds, zero: bool) -> tuple[float, float]:
    """Return a round range that holds all estimates, bounds and, if asked, zero."""
    ends = [end for entry in entries for end in defined_ends(entry.estimate)]
    ends += [end for pair in bounds for end in (pair.low, pair.high) if end is not None]
    low, high = cover([*ends, 0.0] if zero else ends)
    return rounded([low - PADDING * (high - low), high + PADDING * (high - low)], count=4)


def place_marks(
    entries: Sequence[Entry], labels: Mapping[str, str], scale: Scale
) -> Iterator[Mark]:
    """Put entries under each other; those of one name stand closer and share it."""
    y, last = TOP + ROW / 2, None
    for entry in entries:
        y += GAP if last not in (None, entry.name) else 0
        mark = replace(place_mark(entry, scale, y), name=labels[entry.name])
        yield replace(mark, name="") if last == entry.name and entry.note else mark
        y, last = y + ROW, entry.name


def row_labels(entries: Sequence[Entry]) -> dict[str, str]:
    """Shorten the names of rows to the room that the longest note leaves."""
    names = list(dict.fromkeys(entry.name for entry in entries))
    longest = max((len(entry.note) for entry in entries), default=0)
    return dict(zip(names, shorten_all(names, max(NAME_AND_NOTE - longest, MIN_NAME)), strict=True))


def label_room(entries: Sequence[Entry], labels: Mapping[str, str]) -> int:
    """Return the pixels that the longest name with its note needs."""
    letters = [len(labels[entry.name]) + len(entry.note) + bool(entry.note) for entry in entries]
    return int(min(max(16 + LETTER * max(letters, default=0), MIN_LEFT), MAX_LEFT))


def place_mark(entry: Entry, scale: Scale, y: float) -> Mark:
    """Place one estimate."""
    value, low, high = entry.estimate.value, entry.estimate.low, entry.estimate.high
    both = low is not None and high is not None
    return Mark(
        name=entry.name,
        note=entry.note,
        slug=entry.slug,
        y=y,
        base=y + 4,
        name_x=scale.start - 10,
        text_x=scale.end + 10,
        x=None if value is None else scale.at(value),
        low=scale.at(low) if low is not None and both else None,
        high=scale.at(high) if high is not None and both else None,
        text=number(value),
        full_name=entry.name,
        full_text=f"{number(value)} {interval(entry.estimate)}" if both else number(value),
    )


def place_zone(bounds: Bounds, scale: Scale) -> Zone | None:
    """Place the range where estimates may lie."""
    if bounds.low is None and bounds.high is None:
        return None
    low = scale.low if bounds.low is None else bounds.low
    high = scale.high if bounds.high is None else bounds.high
    return Zone(scale.at(low), scale.at(high))


@dataclass(frozen=True, slots=True)
class Strip:
    """A forest chart of one row without axis, for a cell of a table."""

    zone: Zone | None
    mark: Mark
    zero: float | None = None


def strip_range(rows: Iterable[tuple[Estimate, Bounds]]) -> tuple[float, float]:
    """Return a range for strips under each other, with room at either end."""
    ends = [
        end
        for estimate, bounds in rows
        for end in (*defined_ends(estimate), bounds.low, bounds.high)
        if end is not None
    ]
    low, high = cover(ends, min_width=MIN_STRIP_RANGE)
    return low - STRIP_PADDING * (high - low), high + STRIP_PADDING * (high - low)


def bounds_strip(
    estimate: Estimate, bounds: Bounds, slug: str, x_range: tuple[float, float] | None = None
) -> Strip | None:
    """Lay out an estimate against its bounds; strips of one quantity should share `x_range`."""
    if not defined_ends(estimate) or (bounds.low is None and bounds.high is None):
        return None
    low, high = x_range or strip_range([(estimate, bounds)])
    scale = Scale(low, high, STRIP_EDGE, STRIP_WIDTH - STRIP_EDGE)
    mark = place_mark(Entry("", estimate, slug), scale, STRIP_HEIGHT / 2)
    return Strip(place_zone(bounds, scale), mark)


def centred_strip(estimate: Estimate, centre: float, reach: float, slug: str) -> Strip:
    """Lay out an estimate on a scale that reaches as far to either side of a number."""
    widest = min(max(reach, abs(centre) * MIN_REACH), MAX_REACH) or 1.0
    scale = Scale(centre - widest, centre + widest, STRIP_EDGE, STRIP_WIDTH - STRIP_EDGE)
    mark = place_mark(Entry("", estimate, slug), scale, STRIP_HEIGHT / 2)
    return Strip(None, mark, scale.at(centre))
