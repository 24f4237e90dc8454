"""A run as the output of a notebook's cell: its findings, its first chart and its scoreboard."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from hashlib import blake2b
from typing import NamedTuple

from shakeproof.reports.html import templates
from shakeproof.reports.sections.findings import Finding, findings
from shakeproof.reports.sections.header import page_title
from shakeproof.reports.sections.lead import LeadChart, lead_chart
from shakeproof.reports.sections.noise import noise_charts
from shakeproof.reports.sections.scoreboard import Scoreboard, scoreboard
from shakeproof.reports.svg import render_chart
from shakeproof.reports.wording.names import metric_labels
from shakeproof.reports.wording.outcomes import Sign, count_outcomes, worst_of
from shakeproof.results import Outcome, Run, message_with_holm, outcome_counts

MAX_FINDINGS = 4
SCOPE = ".shakeproof"
# How the page around an output says that it is light or dark: JupyterLab and Notebook, VS Code,
# Colab, and the two usual generators of documentation.
HOSTS = {
    theme: f":is({', '.join(selectors)})"
    for theme, selectors in {
        "light": (
            '[data-jp-theme-light="true"]',
            ".vscode-light",
            '[theme="light"]',
            '[data-md-color-scheme="default"]',
            '[data-theme="light"]',
        ),
        "dark": (
            '[data-jp-theme-light="false"]',
            ".vscode-dark",
            '[theme="dark"]',
            '[data-md-color-scheme="slate"]',
            '[data-theme="dark"]',
        ),
    }.items()
}
ROOTS = {  # selectors of a page as a whole, and what they are in a notebook
    ":root": SCOPE,
    ':root:not([data-theme="light"])': f"{SCOPE}:not({HOSTS['light']} *)",
    ':root[data-theme="dark"]': f"{HOSTS['dark']} {SCOPE}",
}
COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
SELECTORS = re.compile(r"([^{}]+)\{")


@dataclass(frozen=True, slots=True)
class CellOutput:
    """Everything that the output of a cell shows."""

    title: str
    findings: tuple[Finding, ...]
    counts: tuple[tuple[Sign, int], ...]  # worst first
    lead: LeadChart | None
    scoreboard: Scoreboard


class RenderedChart(NamedTuple):
    """A chart as a file of its own, and for the output of a cell."""

    svg: str
    html: str


def render_for_notebook(run: Run) -> str:
    """Render a run as the output of a cell, without links and script, with styles of its own."""
    labels = metric_labels(run.results, run.checklists)
    output = CellOutput(
        title=page_title(run.checklists),
        findings=findings(run, labels)[:MAX_FINDINGS],
        counts=tuple(count_outcomes(run.results)),
        lead=_lead(run),
        scoreboard=scoreboard(run.results, labels, noise_charts(run.results, labels)),
    )
    return _fill("notebook.html.j2", output=output)


def render_lead_chart(run: Run) -> RenderedChart | None:
    """Draw the chart that leads the page of a run; None if there is nothing to draw."""
    lead = _lead(run)
    if lead is None:
        return None
    return RenderedChart(render_chart(lead.chart), _fill("notebook_chart.html.j2", lead=lead))


def summarise(run: Run) -> str:
    """Sum a run up in two lines: how many checks had which outcome, and the worst of them."""
    worst = worst_of(run.results)
    if worst is None:
        return outcome_counts(run.results)
    name = worst.id.partition("::")[2].replace("::", " · ")
    what = "closest to its bound" if worst.outcome is Outcome.PASSED else f"worst, {worst.outcome}"
    return f"{outcome_counts(run.results)}\n{what}: {name}: {message_with_holm(worst)}"


def _lead(run: Run) -> LeadChart | None:
    """Return the first chart of a run, under a name that other outputs of a notebook do not use."""
    lead = lead_chart(run.results, metric_labels(run.results, run.checklists))
    if lead is None:
        return None
    name = f"chart-{blake2b(repr(lead.chart).encode(), digest_size=6).hexdigest()}"
    return replace(lead, chart=replace(lead.chart, frame=replace(lead.chart.frame, key=name)))


def _fill(template: str, **values: object) -> str:
    from markupsafe import Markup

    environment = templates()
    styles = Markup(scope_styles(environment.get_template("chart.css").render()))  # our own file
    return environment.get_template(template).render(styles=styles, **values)


def scope_styles(styles: str) -> str:
    """Limit the styles of a page to the outputs of shakeproof in a notebook."""

    def scoped(selector: str) -> str:
        return ROOTS.get(selector) or f"{SCOPE} {selector}"

    def limited(match: re.Match[str]) -> str:
        selectors = match[1].strip()
        if selectors.startswith("@"):
            return f"\n{selectors} {{"
        return f"\n{', '.join(scoped(one.strip()) for one in selectors.split(','))} {{"

    return SELECTORS.sub(limited, COMMENT.sub("", styles))
