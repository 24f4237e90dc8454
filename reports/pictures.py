"""Each chart of a run as an SVG file of its own."""

from __future__ import annotations

from collections.abc import Iterator

from shakeproof.reports.bars import BarChart
from shakeproof.reports.forest import ForestChart
from shakeproof.reports.html import templates
from shakeproof.reports.lines import LineChart
from shakeproof.reports.page import Page, page
from shakeproof.results import Run

Chart = LineChart | ForestChart | BarChart
KINDS = {LineChart: "lines", ForestChart: "forest", BarChart: "bars"}


def charts(run: Run) -> dict[str, str]:
    """Draw all charts of a run: SVG by the address they have in the report."""
    template = templates().get_template("charts/alone.svg.j2")
    drawn = all_charts(page(run))
    return {
        chart.frame.key: template.render(chart=chart, kind=KINDS[type(chart)]) for chart in drawn
    }


def all_charts(shown: Page) -> Iterator[Chart]:
    """List the charts of a page from top to bottom."""
    yield from (panel.chart for panel in shown.panels)
    yield from (forest.chart for forest in shown.drops)
    yield from (*shown.severities, *shown.unknown)
    if shown.copying:
        yield from (forest.chart for forest in shown.copying.penalties)
        yield from (scores.chart for scores in shown.copying.metrics if scores.chart)
        yield from (chart for chart in (shown.copying.wins,) if chart)
    yield from (forest.chart for forest in shown.others)
    yield from (row.histogram for row in shown.rows if row.histogram)
