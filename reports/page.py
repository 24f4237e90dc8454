"""A run put into the order in which it is read."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from shakeproof.reports.charts.bars import charted_in_rows
from shakeproof.reports.charts.forest import ForestChart
from shakeproof.reports.charts.lines import LineChart
from shakeproof.reports.sections.bounds import Forest, forests, narrowest
from shakeproof.reports.sections.checks import Room, Row, row, said, usual_way
from shakeproof.reports.sections.copying import Copying, copying
from shakeproof.reports.sections.groups import GroupTable, group_tables
from shakeproof.reports.sections.header import about, title
from shakeproof.reports.sections.layers import layer_charts
from shakeproof.reports.sections.noise import Panel, panels
from shakeproof.reports.sections.overview import Matrix, matrix
from shakeproof.reports.sections.published import PublishedTable, published_tables
from shakeproof.reports.sections.severity import severity_charts
from shakeproof.reports.sections.texts import Dossier, broken_metrics, dossiers, shown_in_rows
from shakeproof.reports.sections.unknown_tokens import unknown_charts
from shakeproof.reports.wording.format import Sign, tally
from shakeproof.reports.wording.margins import badness, certainty
from shakeproof.reports.wording.names import told_apart
from shakeproof.reports.wording.sentences import MetricVerdict, headline, verdict
from shakeproof.results import Result, Run

MOST_VERDICTS = 12  # that are taken in at a glance
FEW_VERDICTS = 9  # that are left of more


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
    more_verdicts: tuple[MetricVerdict, ...]  # in a table, where cards would be too many
    matrix: Matrix
    panels: tuple[Panel, ...]
    severities: tuple[LineChart, ...]
    groups: tuple[GroupTable, ...]
    layers: tuple[ForestChart, ...]
    unknown: tuple[LineChart, ...]
    drops: tuple[Forest, ...]
    more_drops: int  # charts with wider margins
    others: tuple[Forest, ...]
    copying: tuple[Copying, ...]  # by checklist
    published: tuple[PublishedTable, ...]
    dossiers: tuple[Dossier, ...]
    more_dossiers: int
    rows: tuple[Row, ...]
    without_texts: int  # checks whose texts are left to run.json
    without_charts: int  # checks whose changes of scores are
    changed: tuple[Row, ...]  # since the baseline

    @property
    def sections(self) -> list[tuple[str, str]]:
        """List the parts of the page that there are: address and name."""
        there = {
            "verdicts": ("Verdicts", True),
            "since": ("Since the baseline", bool(self.changed)),
            "map": ("Map", True),
            "noise": ("Under noise", bool(self.panels or self.drops)),
            "copying": ("Copying", bool(self.copying)),
            "others": ("Other expectations", bool(self.others)),
            "published": ("Published", bool(self.published)),
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
    whole = tuple(one for one in curves if not one.group) or curves
    texts = dossiers(results, metrics)
    usual, room = usual_way(results), room_of(results, texts)
    rows = tuple(row(result, usual, room) for result in sorted(results, key=badness))
    drops, cards = forests([r for r in results if is_drop(r)]), leading(verdicts)
    charted = len(room.charts) + len(room.elsewhere)
    return Page(
        run,
        title=title(run.checklists),
        about=about(run, len(metrics)),
        headline=headline(verdicts),
        intervals=said(usual),
        confidence=f"{usual[2]:.0%}",
        shares=shares(results),
        verdicts=cards,
        more_verdicts=tuple(one for one in verdicts if one not in cards),
        matrix=matrix(results, metrics),
        panels=whole,
        severities=severity_charts(curves),
        groups=group_tables(curves),
        layers=layer_charts(whole, run.checklists),
        unknown=unknown_charts(results),
        drops=narrowest(drops),
        more_drops=len(drops) - len(narrowest(drops)),
        others=forests([r for r in results if is_other(r)]),
        copying=copying(results, run.checklists),
        published=published_tables(run.published, {result.id for result in results}),
        dossiers=texts,
        more_dossiers=broken_metrics(results) - len(texts),
        rows=rows,
        without_texts=sum(bool(r.examples) for r in results) - len(room.texts),
        without_charts=sum(r.changes is not None for r in results) - charted,
        changed=changed(rows),
    )


def room_of(results: Sequence[Result], shown: Sequence[Dossier]) -> Room:
    """Find what the rows of the page have room for."""
    elsewhere = frozenset(one.changes.frame.key for one in shown if one.changes)
    return Room(shown_in_rows(results), charted_in_rows(results, elsewhere), elsewhere)


def verdicts_of(results: Sequence[Result]) -> tuple[MetricVerdict, ...]:
    """Sum up each metric, in order of appearance."""
    metrics = dict.fromkeys(result.metric for result in results)
    return tuple(verdict(name, [r for r in results if r.metric == name]) for name in metrics)


def leading(verdicts: Sequence[MetricVerdict]) -> tuple[MetricVerdict, ...]:
    """Keep the worst verdicts, where there are too many to take in."""
    if len(verdicts) <= MOST_VERDICTS:
        return tuple(verdicts)
    ranked = sorted(
        verdicts, key=lambda one: (one.sign.rank, badness(one.lead) if one.lead else ())
    )
    worst = ranked[:FEW_VERDICTS]
    return tuple(one for one in verdicts if one in worst)


def changed(rows: Sequence[Row]) -> tuple[Row, ...]:
    """Order what changed since the baseline, the most certain change first."""
    found = [one for one in rows if one.result.change is not None]
    return tuple(sorted(found, key=lambda one: certainty(one.result.change), reverse=True))


def is_drop(result: Result) -> bool:
    """Tell the checks that belong to the curves."""
    return result.coefficient is not None and result.family is not None


def is_other(result: Result) -> bool:
    """Tell the checks that belong neither to the curves nor to the copies."""
    return not is_drop(result) and result.expectation != "copy_penalty"


def shares(results: Sequence[Result]) -> tuple[Share, ...]:
    """Divide a bar among the outcomes, passes first."""
    found, start = [], 0.0
    for sign, count in reversed(tally(results)):
        width = 100.0 * count / len(results)
        found.append(Share(sign, count, start, width))
        start += width
    return tuple(found)
