"""Each chart of a run as an SVG file of its own."""

from __future__ import annotations

from collections.abc import Iterator

from shakeproof.reports.charts.bars import BarChart
from shakeproof.reports.charts.forest import ForestChart
from shakeproof.reports.charts.lines import LineChart
from shakeproof.reports.charts.matrix import TokenChart
from shakeproof.reports.html import templates
from shakeproof.reports.page import Page, make_page
from shakeproof.reports.sections.copying import Copying
from shakeproof.results import Run

Chart = LineChart | ForestChart | BarChart | TokenChart
KINDS = {
    LineChart: "lines",
    ForestChart: "forest",
    BarChart: "bars",
    TokenChart: "tokens",
}


def render_charts(run: Run) -> dict[str, str]:
    """Draw all charts of a run: SVG by the address that the chart has in the report."""
    return {chart.frame.key: render_chart(chart) for chart in charts_of(make_page(run))}


def render_chart(chart: Chart) -> str:
    """Draw one chart as an SVG file."""
    template = templates().get_template("charts/alone.svg.j2")
    return template.render(chart=chart, kind=KINDS[type(chart)])


def charts_of(page: Page) -> Iterator[Chart]:
    """Yield the charts of a page from top to bottom."""
    yield from (noise.chart for noise in page.noise)
    yield from (drop.chart for drop in page.drops)
    yield from page.layers
    yield from (*page.severity, *page.unknown_tokens)
    for copying in page.copying:
        yield from copying_charts(copying)
    yield from (other.chart for other in page.others)
    for texts in page.texts:
        if texts.changes:
            yield texts.changes
        yield from (chart for _, example in texts.examples for chart in example.matrices)
    yield from (row.changes for row in page.rows if row.changes)


def copying_charts(copying: Copying) -> Iterator[ForestChart]:
    """Yield the charts about copied inputs."""
    yield from (penalty.chart for penalty in copying.penalties)
    yield from copying.ranks
    yield from (scores.chart for scores in copying.copy_scores)
    yield from (added.chart for added in copying.added_copies)
    yield from (chart for ablation in copying.ablations for chart in ablation.charts)
