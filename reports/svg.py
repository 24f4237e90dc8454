"""Each chart of a run as an SVG file of its own."""

from __future__ import annotations

from collections.abc import Iterator

from shakeproof.reports.charts.bars import BarChart
from shakeproof.reports.charts.forest import ForestChart
from shakeproof.reports.charts.lines import LineChart
from shakeproof.reports.charts.matrix import TokenChart
from shakeproof.reports.html import templates
from shakeproof.reports.page import Page, page
from shakeproof.reports.sections.copying import Copying
from shakeproof.reports.sections.texts import Dossier
from shakeproof.results import Run

Chart = LineChart | ForestChart | BarChart | TokenChart
KINDS = {LineChart: "lines", ForestChart: "forest", BarChart: "bars", TokenChart: "tokens"}


def render_charts(run: Run) -> dict[str, str]:
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
    yield from shown.layers
    yield from (*shown.severities, *shown.unknown)
    for copying in shown.copying:
        yield from copy_charts(copying)
    yield from (forest.chart for forest in shown.others)
    for dossier in shown.dossiers:
        yield from text_charts(dossier)
    yield from (row.changes for row in shown.rows if row.changes)


def copy_charts(shown: Copying) -> Iterator[ForestChart]:
    """List the charts about copied inputs."""
    yield from (forest.chart for forest in shown.penalties)
    yield from shown.standing
    yield from (ladder.chart for ladder in shown.ladders)
    yield from (one.chart for one in shown.extended)
    yield from (chart for ablation in shown.ablations for chart in ablation.charts)


def text_charts(shown: Dossier) -> Iterator[BarChart | TokenChart]:
    """List the charts about a metric's worst texts."""
    yield from (chart for chart in (shown.changes,) if chart)
    yield from (chart for _, exhibit in shown.exhibits for chart in exhibit.matrices)
