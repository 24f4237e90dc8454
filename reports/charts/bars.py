"""Geometry of a bar chart: how the scores of a check changed."""

from __future__ import annotations

from dataclasses import dataclass

from shakeproof.reports.charts.scales import Axis, Frame, Scale, axis, make_frame, xy
from shakeproof.reports.wording.format import number
from shakeproof.reports.wording.names import anchor
from shakeproof.results import Histogram, Result

WIDTH, HEIGHT = 352, 180
LEFT, RIGHT, TOP, BOTTOM = 52, 12, 10, 46


@dataclass(frozen=True, slots=True)
class Bar:
    """A bar in pixels."""

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
    counts: tuple[tuple[str, int], ...]  # of each bin, by its name
    summary: str

    @property
    def path(self) -> str:
        """Return the outline of all bars that are not empty."""
        foot = xy(self.frame.bottom)
        return "".join(
            f"M{xy(bar.x)} {foot}V{xy(bar.y)}H{xy(bar.x + bar.width)}V{foot}z"
            for bar in self.bars
            if bar.height
        )


def changes_key(result: Result) -> str:
    """Return the address of the chart of a check's score changes."""
    return anchor(result.id, "changes")


def bar_chart(result: Result, metric: str) -> BarChart | None:
    """Lay out how the scores of a check changed; `metric` is the name on the page."""
    histogram = result.changes
    if histogram is None or not histogram.counts or histogram.edges[-1:] <= histogram.edges[:1]:
        return None
    x = Scale(histogram.edges[0], histogram.edges[-1], LEFT, WIDTH - RIGHT)
    y = Scale(0.0, max(*histogram.counts, 1), HEIGHT - BOTTOM, TOP)
    bins = bins_of(histogram)
    return BarChart(
        frame=make_frame(
            changes_key(result),
            f"Score changes of {metric}",
            "How many scores changed by how much, perturbed minus clean.",
            size=(WIDTH, HEIGHT),
            margins=(LEFT, RIGHT, TOP, BOTTOM),
        ),
        x_axis=axis("change of score, perturbed minus clean", x),
        y_axis=axis("candidates (count)", y, count=3),
        zero=x.at(0.0) if x.low <= 0 <= x.high else None,
        bars=tuple(
            Bar(x.at(low), y.at(count), x.at(high) - x.at(low), y.start - y.at(count))
            for low, high, count in bins
        ),
        counts=tuple((f"{number(low)} to {number(high)}", count) for low, high, count in bins),
        summary=summarise_changes(histogram),
    )


def bins_of(histogram: Histogram) -> list[tuple[float, float, int]]:
    """List the bins of a histogram: low edge, high edge, count."""
    return list(zip(histogram.edges, histogram.edges[1:], histogram.counts, strict=False))


def summarise_changes(histogram: Histogram) -> str:
    """Count the scores that fell, rose, and lie in a bin that touches zero."""
    bins = bins_of(histogram)
    fell = sum(count for _, high, count in bins if high < 0)
    rose = sum(count for low, _, count in bins if low > 0)
    rest = sum(histogram.counts) - fell - rose
    return f"{fell:,} fell, {rose:,} rose" + (f", {rest:,} barely changed" if rest else "")
