"""Everything that the page of a run shows, section by section."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from shakeproof.reports.charts.forest import ForestChart
from shakeproof.reports.charts.lines import LineChart
from shakeproof.reports.questions import Question, question_of
from shakeproof.reports.sections.aspects import AspectTable, aspect_tables
from shakeproof.reports.sections.bounds import BoundsChart, bounds_charts, closest_to_bounds
from shakeproof.reports.sections.checks import CheckRow, check_row, row_contents, usual_method
from shakeproof.reports.sections.copying import Copying, copying
from shakeproof.reports.sections.edit_rates import severity_charts
from shakeproof.reports.sections.findings import Finding, findings
from shakeproof.reports.sections.groups import GroupTable, group_tables
from shakeproof.reports.sections.header import page_title, run_summary
from shakeproof.reports.sections.judges import Judges, judges
from shakeproof.reports.sections.layers import layer_charts
from shakeproof.reports.sections.lead import LeadChart, lead_chart
from shakeproof.reports.sections.noise import NoiseChart, noise_charts
from shakeproof.reports.sections.overview import Overview, overview
from shakeproof.reports.sections.published import PublishedTable, published_tables
from shakeproof.reports.sections.scoreboard import Scoreboard, scoreboard
from shakeproof.reports.sections.texts import MetricTexts, count_metrics_with_texts, worst_texts
from shakeproof.reports.sections.unknown_tokens import unknown_token_charts
from shakeproof.reports.wording.names import metric_key, metric_labels
from shakeproof.reports.wording.outcomes import Sign, count_outcomes, worst_first
from shakeproof.reports.wording.sentences import MetricVerdict, metric_verdicts
from shakeproof.reports.wording.terms import explain_names, explain_terms
from shakeproof.results import Result, Run, certainty

CHARTED_ELSEWHERE = (Question.NOISE, Question.COPYING)  # in sections of their own


@dataclass(frozen=True, slots=True)
class OutcomeShare:
    """How many checks had an outcome, as a part of a bar."""

    sign: Sign
    count: int
    start: float  # in percent
    width: float


@dataclass(frozen=True, slots=True)
class Page:
    """Everything the template shows."""

    run: Run
    title: str
    summary: str
    findings: tuple[Finding, ...]
    lead: LeadChart | None
    scoreboard: Scoreboard
    interval_method: str  # of most intervals
    confidence: str
    shares: tuple[OutcomeShare, ...]
    verdicts: tuple[MetricVerdict, ...]
    overview: Overview
    terms: tuple[tuple[str, str], ...]  # of the first finding and its numbers, with their meaning
    noise: tuple[NoiseChart, ...]
    severity: tuple[LineChart, ...]
    groups: tuple[GroupTable, ...]
    layers: tuple[ForestChart, ...]
    unknown_tokens: tuple[LineChart, ...]
    drops: tuple[BoundsChart, ...]
    drops_left_out: int  # charts further from their bounds
    others: tuple[BoundsChart, ...]
    aspects: tuple[AspectTable, ...]  # of checks that were judged by several ratings
    copying: tuple[Copying, ...]  # by checklist
    judges: Judges
    published: tuple[PublishedTable, ...]
    texts: tuple[MetricTexts, ...]
    metrics_left_out: int  # whose texts are shown with their checks only
    rows: tuple[CheckRow, ...]
    texts_left_out: int  # checks whose texts are in run.json only
    charts_left_out: int  # checks whose score changes are in run.json only
    changed: tuple[CheckRow, ...]  # since the baseline

    @property
    def sections(self) -> list[tuple[str, str]]:
        """List the sections of this page: address and name."""
        sections = {
            "findings": ("Findings", True),
            "scoreboard": ("Scoreboard", bool(self.rows)),
            "since": ("Since the baseline", bool(self.changed)),
            "map": ("Map", bool(self.rows)),
            "verdicts": ("Metric by metric", bool(self.verdicts)),
            "noise": ("Noise", bool(self.noise or self.drops)),
            "aspects": ("Aspects", bool(self.aspects)),
            "copying": ("Copying", bool(self.copying)),
            "judges": ("Judges", bool(self.judges)),
            "others": ("Other expectations", bool(self.others)),
            "published": ("Published numbers", bool(self.published)),
            "checks": ("All checks", True),
            "texts": ("Texts", bool(self.texts)),
            "repeat": ("Method and settings", True),
        }
        return [(address, name) for address, (name, shown) in sections.items() if shown]


def make_page(run: Run) -> Page:
    """Compute everything that the page of a run shows."""
    results, labels = run.results, metric_labels(run.results, run.checklists)
    found = findings(run, labels)
    noise = noise_charts(results, labels)
    scores = scoreboard(results, labels, noise)
    noise_over_groups = tuple(chart for chart in noise if not chart.key.group) or noise
    drops = bounds_charts([r for r in results if question_of(r) is Question.NOISE])
    shown_drops = closest_to_bounds(drops)
    texts = worst_texts(results, labels, run.checklists)
    contents = row_contents(results, [t.changes.frame.key for t in texts if t.changes])
    usual = usual_method(results)
    rows = tuple(
        check_row(result, labels[metric_key(result)], usual, contents)
        for result in sorted(results, key=worst_first)
    )
    charted = len(contents.charts) + len(contents.charts_elsewhere)
    return Page(
        run=run,
        title=page_title(run.checklists),
        summary=run_summary(run, len(set(labels.values()))),
        findings=found,
        lead=lead_chart(results, labels),
        scoreboard=scores,
        interval_method=str(usual),
        confidence=f"{usual.confidence:.0%}",
        shares=outcome_shares(results),
        verdicts=metric_verdicts(results, labels),
        overview=overview(results, labels, [row.metric for row in scores.every_row]),
        terms=(
            *explain_names([one.sentence for one in found], run, labels),
            *explain_terms(results),
        ),
        noise=noise_over_groups,
        severity=severity_charts(noise),
        groups=group_tables(noise),
        layers=layer_charts(noise_over_groups, run.checklists),
        unknown_tokens=unknown_token_charts(results, labels),
        drops=shown_drops,
        drops_left_out=len(drops) - len(shown_drops),
        others=bounds_charts([r for r in results if question_of(r) not in CHARTED_ELSEWHERE]),
        aspects=aspect_tables(results, labels),
        copying=copying(results, run.checklists),
        judges=judges(run, labels),
        published=published_tables(run.published, {result.id for result in results}),
        texts=texts,
        metrics_left_out=count_metrics_with_texts(results, labels) - len(texts),
        rows=rows,
        texts_left_out=sum(bool(r.examples) for r in results) - len(contents.texts),
        charts_left_out=sum(r.changes is not None for r in results) - charted,
        changed=changed_rows(rows),
    )


def changed_rows(rows: Sequence[CheckRow]) -> tuple[CheckRow, ...]:
    """List the checks that were compared with the baseline, the most certain change first."""
    compared = [row for row in rows if row.result.change is not None]
    return tuple(sorted(compared, key=lambda row: -certainty(row.result.change)))


def outcome_shares(results: Sequence[Result]) -> tuple[OutcomeShare, ...]:
    """Divide a bar among the outcomes, passes first."""
    shares, start = [], 0.0
    for sign, count in reversed(count_outcomes(results)):
        width = 100.0 * count / len(results)
        shares.append(OutcomeShare(sign, count, start, width))
        start += width
    return tuple(shares)
