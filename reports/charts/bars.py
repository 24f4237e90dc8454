"""Geometry of a bar chart: how scores changed."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from shakeproof.reports.charts.frame import Frame, frame
from shakeproof.reports.charts.scales import Axis, Scale, axis, xy
from shakeproof.reports.wording.anchors import anchor
from shakeproof.reports.wording.format import number
from shakeproof.reports.wording.margins import badness
from shakeproof.results import Histogram, Result

WIDTH, HEIGHT = 380, 180
LEFT, RIGHT, TOP, BOTTOM = 52, 12, 10, 46
CHARTS_IN_ROWS = 8  # of the page; the rest stays in run.json


@dataclass(frozen=True, slots=True)
class Bar:
    """A placed bar."""

    x: float
    y: float
    width: float
    height: float


@dataclass(frozen=True, slots=True)
class BarChart:
    """All that a template needs to draw bars."""

    frame: Frame
    x_axis: Axis
    y_axis: Axis
    zero: float | None
    bars: tuple[Bar, ...]
    counts: tuple[tuple[str, int], ...]
    told: str  # in a few words

    @property
    def path(self) -> str:
        """Outline all bars at once; a count of nothing needs none."""
        foot = xy(self.frame.bottom)
        return "".join(
            f"M{xy(bar.x)} {foot}V{xy(bar.y)}H{xy(bar.x + bar.width)}V{foot}z"
            for bar in self.bars
            if bar.height
        )


def bar_chart(result: Result) -> BarChart | None:
    """Lay out how the scores of a check changed."""
    found = result.changes
    if found is None or not found.counts or found.edges[-1:] <= found.edges[:1]:
        return None
    x = Scale(found.edges[0], found.edges[-1], LEFT, WIDTH - RIGHT)
    y = Scale(0.0, max(*found.counts, 1), HEIGHT - BOTTOM, TOP)
    words = (
        anchor(result.id, "changes"),
        f"How the scores of {result.metric} moved",
        "How many scores changed by how much, perturbed minus clean.",
    )
    return BarChart(
        frame(words, (WIDTH, HEIGHT), (LEFT, RIGHT, TOP, BOTTOM)),
        x_axis=axis("change of score, perturbed minus clean", x),
        y_axis=axis("candidates (count)", y, count=3),
        zero=x.at(0.0) if x.low <= 0 <= x.high else None,
        bars=bars(found, x, y),
        counts=tuple(named(found)),
        told=told(found),
    )


def bars(found: Histogram, x: Scale, y: Scale) -> tuple[Bar, ...]:
    """Place a bar for each stretch between edges."""
    stretches = zip(found.edges, found.edges[1:], found.counts, strict=False)
    return tuple(
        Bar(x.at(a), y.at(n), x.at(b) - x.at(a), y.start - y.at(n)) for a, b, n in stretches
    )


def named(found: Histogram) -> list[tuple[str, int]]:
    """Name each stretch by its edges."""
    stretches = zip(found.edges, found.edges[1:], found.counts, strict=False)
    return [(f"{number(a)} to {number(b)}", n) for a, b, n in stretches]


def told(found: Histogram) -> str:
    """Count the scores that fell, rose, and lie in a stretch that touches zero."""
    stretches = list(zip(found.edges, found.edges[1:], found.counts, strict=False))
    fell = sum(count for _, high, count in stretches if high < 0)
    rose = sum(count for low, _, count in stretches if low > 0)
    rest = sum(found.counts) - fell - rose
    return f"{fell:,} fell, {rose:,} rose" + (f", {rest:,} stayed or nearly so" if rest else "")


def charted_in_rows(results: Sequence[Result], elsewhere: Collection[str]) -> frozenset[str]:
    """Choose the checks whose chart fits on the page, worst first, unless it stands elsewhere."""
    ranked = [one.id for one in sorted(results, key=badness) if one.changes is not None]
    here = [one for one in ranked if anchor(one, "changes") not in elsewhere]
    return frozenset(here[:CHARTS_IN_ROWS])
