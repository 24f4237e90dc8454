"""A run put into the order in which it is read."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass

from shakeproof.reports.bounded import Forest, forests
from shakeproof.reports.copying import Copying, copying
from shakeproof.reports.curves import Panel, panels
from shakeproof.reports.evidence import Dossier, dossiers, shown_in_rows
from shakeproof.reports.groups import GroupTable, group_tables
from shakeproof.reports.lines import LineChart
from shakeproof.reports.margins import badness, certainty
from shakeproof.reports.matrix import Matrix, matrix
from shakeproof.reports.rows import Row, row, said, usual_way
from shakeproof.reports.sentences import MetricVerdict, headline, verdict
from shakeproof.reports.severity import severity_charts
from shakeproof.reports.unknown import unknown_charts
from shakeproof.reports.words import Sign, many, tally
from shakeproof.results import ChecklistRecord, Result, Run


@dataclass(frozen=True, slots=True)
class Share:
    """How many checks came out one way, as a stretch of a bar."""

    sign: Sign
    count: int
    start: float  # in percent
    width: float


@dataclass(frozen=True, slots=True)
class Page:
    """Everything the template shows."""

    run: Run
    title: str
    about: str
    headline: str
    intervals: str  # how most of them were made
    confidence: str
    shares: tuple[Share, ...]
    verdicts: tuple[MetricVerdict, ...]
    matrix: Matrix
    panels: tuple[Panel, ...]
    severities: tuple[LineChart, ...]
    groups: tuple[GroupTable, ...]
    unknown: tuple[LineChart, ...]
    drops: tuple[Forest, ...]
    others: tuple[Forest, ...]
    copying: Copying | None
    dossiers: tuple[Dossier, ...]
    rows: tuple[Row, ...]
    without_texts: int  # checks whose texts are left to run.json
    changed: tuple[Row, ...]  # since the baseline

    @property
    def sections(self) -> list[tuple[str, str]]:
        """List the parts of the page that there are: address and name."""
        there = {
            "verdicts": ("Verdicts", True),
            "since": ("Since the baseline", bool(self.changed)),
            "map": ("Map", True),
            "noise": ("Under noise", bool(self.panels or self.drops)),
            "copying": ("Copying", self.copying is not None),
            "others": ("Other expectations", bool(self.others)),
            "texts": ("Texts", bool(self.dossiers)),
            "checks": ("Every check", True),
            "repeat": ("Small print", True),
        }
        return [(address, name) for address, (name, shown) in there.items() if shown]


def page(run: Run) -> Page:
    """Put a run together for reading."""
    results = told_apart(run)
    verdicts = verdicts_of(results)
    metrics = tuple(one.metric for one in verdicts)
    styles = {metric: index for index, metric in enumerate(metrics)}
    curves = panels(results, styles)
    with_texts = shown_in_rows(results)
    usual = usual_way(results)
    rows = tuple(
        row(result, usual, with_texts=result.id in with_texts)
        for result in sorted(results, key=badness)
    )
    return Page(
        run,
        title=title(run.checklists),
        about=about(run),
        headline=headline(verdicts),
        intervals=said(usual),
        confidence=f"{usual[2]:.0%}",
        shares=shares(results),
        verdicts=verdicts,
        matrix=matrix(results, metrics),
        panels=tuple(one for one in curves if not one.group) or curves,
        severities=severity_charts(curves),
        groups=group_tables(curves),
        unknown=unknown_charts(results),
        drops=forests(results, is_drop),
        others=forests(results, lambda r: not is_drop(r) and r.expectation != "copy_penalty"),
        copying=copying(results),
        dossiers=dossiers(results, metrics),
        rows=rows,
        without_texts=sum(bool(r.examples) for r in results) - len(with_texts),
        changed=changed(rows),
    )


def verdicts_of(results: Sequence[Result]) -> tuple[MetricVerdict, ...]:
    """Sum up each metric, in order of appearance."""
    metrics = dict.fromkeys(result.metric for result in results)
    return tuple(verdict(name, [r for r in results if r.metric == name]) for name in metrics)


def changed(rows: Sequence[Row]) -> tuple[Row, ...]:
    """Order what changed since the baseline, the most certain change first."""
    found = [one for one in rows if one.result.change is not None]
    return tuple(sorted(found, key=lambda one: certainty(one.result.change), reverse=True))


def told_apart(run: Run) -> tuple[Result, ...]:
    """Add the file to metrics of the same name in different checklists."""
    files: dict[str, set[str]] = {}
    for result in run.results:
        files.setdefault(result.metric, set()).add(result.file)
    return tuple(
        result.model_copy(update={"metric": f"{result.metric} ({result.file})"})
        if len(files[result.metric]) > 1
        else result
        for result in run.results
    )


def title(checklists: Sequence[ChecklistRecord]) -> str:
    """Name the page after its checklists."""
    names = [record.title or record.file for record in checklists]
    return " · ".join(dict.fromkeys(names)) or "Robustness of metrics"


def about(run: Run) -> str:
    """Say on what, when and for how long the checks ran."""
    data = [
        f"{record.name or 'data'} ({many(record.segments, 'segment')})"
        for checklist in run.checklists
        for record in checklist.data
    ]
    metrics = {result.metric for result in run.results}
    return " · ".join(
        [
            f"{many(len(metrics), 'metric')}, {many(len(run.results), 'check')}",
            ", ".join(dict.fromkeys(data)),
            moment(run.started),
            f"{run.seconds:,.0f} s",
        ]
    )


def moment(started: str) -> str:
    """Write a time to the minute; what is not a time is left as it is."""
    found = re.match(r"(\d{4}-\d\d-\d\d)T(\d\d:\d\d)[\d:.]*(?:Z|\+00:00)$", started)
    return f"{found[1]} {found[2]} UTC" if found else started


def is_drop(result: Result) -> bool:
    """Tell the checks that belong to the curves."""
    return result.coefficient is not None and result.family is not None


def shares(results: Sequence[Result]) -> tuple[Share, ...]:
    """Divide a bar among the outcomes, passes first."""
    found, start = [], 0.0
    for sign, count in reversed(tally(results)):
        width = 100.0 * count / len(results)
        found.append(Share(sign, count, start, width))
        start += width
    return tuple(found)


def as_text(value: object) -> str:
    """Write a setting as YAML would."""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
