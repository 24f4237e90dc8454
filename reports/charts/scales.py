"""What all charts share: the frame, scales from data to pixels, ticks, coordinates as text."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from math import ceil, floor, isnan, log10

from shakeproof.reports.wording.format import brief

TITLE_DROP = 36  # pixels from the plotting area to the title of the axis below it
CAP = 6.0  # pixels, the width of the caps of an upright interval
LARGEST = 1e300  # numbers beyond it are drawn at it: sums and differences stay finite


@dataclass(frozen=True, slots=True)
class Frame:
    """A picture and the plotting area within it, in pixels."""

    key: str  # its address on the page
    title: str
    description: str  # for screen readers
    width: int
    height: int
    left: float
    right: float
    top: float
    bottom: float
    title_drop: int = TITLE_DROP


def make_frame(
    key: str,
    title: str,
    description: str,
    *,
    size: tuple[int, int],
    margins: tuple[int, int, int, int],
    title_drop: int = TITLE_DROP,
) -> Frame:
    """Leave margins (left, right, top, bottom) in a picture of a size (width, height)."""
    (width, height), (left, right, top, bottom) = size, margins
    return Frame(
        key=key,
        title=title,
        description=description,
        width=width,
        height=height,
        left=left,
        right=width - right,
        top=top,
        bottom=height - bottom,
        title_drop=title_drop,
    )


@dataclass(frozen=True, slots=True)
class Scale:
    """A linear map from a range of data to a range of pixels."""

    low: float
    high: float
    start: float
    end: float

    @property
    def middle(self) -> float:
        """Return the pixel halfway between start and end."""
        return (self.start + self.end) / 2

    def at(self, value: float) -> float:
        """Return the pixel of a value; one outside the range is put at its edge."""
        low, high = bounded(self.low), bounded(self.high)
        share = (bounded(value) - low) / (high - low or 1.0)
        return self.start + min(max(share, 0.0), 1.0) * (self.end - self.start)


@dataclass(frozen=True, slots=True)
class Tick:
    """A labelled position on an axis."""

    at: float
    text: str
    note: str = ""  # a second line below


@dataclass(frozen=True, slots=True)
class Axis:
    """The title of an axis, its middle in pixels, and the ticks."""

    title: str
    middle: float
    ticks: tuple[Tick, ...]


def bounded(value: float) -> float:
    """Return a number that can be drawn: infinite and huge ones become the largest."""
    return min(max(value, -LARGEST), LARGEST)


def step(extent: float, count: int) -> float:
    """Choose a round distance between about `count` ticks."""
    raw = extent / max(count, 1)
    power = 10.0 ** floor(log10(raw))
    return next(power * nice for nice in (1, 2, 2.5, 5, 10) if power * nice >= raw * 0.999)


def cover(values: Iterable[float], *, min_width: float = 0.05) -> tuple[float, float]:
    """Return the range of the values, widened to at least `min_width`."""
    known = [bounded(value) for value in values if not isnan(value)] or [0.0]
    low, high = min(known), max(known)
    needed = max(min_width, 1e-6 * max(abs(low), abs(high)))
    missing = max(needed - (high - low), 0.0)
    return low - missing / 2, high + missing / 2


def rounded(values: Iterable[float], *, count: int = 5) -> tuple[float, float]:
    """Widen the range of the values to whole ticks."""
    low, high = cover(values)
    size = step(high - low, count)
    return floor(low / size + 1e-9) * size, ceil(high / size - 1e-9) * size


def ticks(low: float, high: float, *, count: int = 5) -> list[float]:
    """List round values within a range."""
    low, high = bounded(low), bounded(high)
    size = step(high - low, count)
    first, last = ceil(low / size - 1e-9), floor(high / size + 1e-9)
    return [index * size for index in range(first, last + 1)]


def axis(title: str, scale: Scale, *, count: int = 5) -> Axis:
    """Place round ticks along an axis."""
    values = ticks(scale.low, scale.high, count=count)
    placed = tuple(Tick(scale.at(value), brief(round(value, 9))) for value in values)
    return Axis(title, scale.middle, placed)


def xy(value: float) -> str:
    """Write a coordinate briefly."""
    return f"{value:.1f}".removesuffix(".0")


def points(places: Iterable[tuple[float, float]]) -> str:
    """Write an SVG path through places."""
    steps = [f"{xy(x)} {xy(y)}" for x, y in places]
    return "M" + "L".join(steps) if steps else ""


def error_bar(x: float, low: float, high: float) -> str:
    """Write the path of an upright interval with a cap at either end."""
    cap, half = xy(CAP), xy(CAP / 2)
    return f"M{xy(x - CAP / 2)} {xy(low)}h{cap}m-{half} 0V{xy(high)}m-{half} 0h{cap}"
