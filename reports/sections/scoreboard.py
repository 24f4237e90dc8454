"""The scoreboard: a row for each metric with its agreement, its copies and its checks."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from shakeproof.reports.agreement import NoiseEffect, noise_effects, strongest
from shakeproof.reports.charts.scales import cover
from shakeproof.reports.charts.sparkline import Sparkline, sparkline
from shakeproof.reports.estimates import part_estimate, value_of
from shakeproof.reports.questions import USUAL_QUESTIONS, Question, question_of, questions_asked
from shakeproof.reports.sections.noise import NoiseChart
from shakeproof.reports.wording.format import describe_field, interval, number
from shakeproof.reports.wording.names import MetricKey, anchor, group_by_metric, sources
from shakeproof.reports.wording.outcomes import (
    SIGNS,
    Sign,
    count_leanings,
    count_outcomes,
    worst_of,
)
from shakeproof.results import Outcome, PartName, Result

MAX_ROWS = 15  # that are shown at once; more are folded


@dataclass(frozen=True, slots=True)
class AgreementCell:
    """Agreement with people on clean texts, and under the noise that lowers it most."""

    clean: str
    perturbed: str  # "" if there was no noise
    drop: str
    condition: str
    coefficient: str  # "" if the heading names it
    source: str  # the checklist, "" if there is only one with noise
    anchor: str
    curve: Sparkline | None


@dataclass(frozen=True, slots=True)
class CopyCell:
    """What a copied input costs, and how often it wins."""

    penalty: str
    interval: str
    unit: str
    wins: str
    anchor: str
    slug: str  # of the outcome


@dataclass(frozen=True, slots=True)
class ScoreboardRow:
    """One metric."""

    metric: str
    sign: Sign
    agreement: AgreementCell | None
    copying: CopyCell | None
    counts: tuple[tuple[Sign, int], ...]  # worst first
    leanings: str  # of undecided checks
    untested: str  # questions that were asked of other metrics only
    anchor: str  # of the worst check, "" if none ran
    order: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Scoreboard:
    """All metrics: those that agree best with people first, then by what a copy costs."""

    rows: tuple[ScoreboardRow, ...]
    folded: tuple[ScoreboardRow, ...]
    coefficient: str  # "" if there are several

    @property
    def every_row(self) -> tuple[ScoreboardRow, ...]:
        """Return the rows that are shown and those that are folded."""
        return (*self.rows, *self.folded)

    @property
    def shows_agreement(self) -> bool:
        """Return whether any metric was compared with people."""
        return any(row.agreement for row in self.every_row)

    @property
    def shows_copying(self) -> bool:
        """Return whether any metric was tested on copied inputs."""
        return any(row.copying for row in self.every_row)

    @property
    def shows_untested(self) -> bool:
        """Return whether any metric was left out of a question."""
        return any(row.untested for row in self.every_row)


@dataclass(frozen=True, slots=True)
class Context:
    """What all rows share."""

    asked: frozenset[Question]
    coefficient: str
    checklists: Mapping[str, str]  # names of those with noise, "" if there is only one
    curves: Mapping[tuple[str, ...], Sparkline | None]


def scoreboard(
    results: Sequence[Result], labels: Mapping[MetricKey, str], charts: Sequence[NoiseChart]
) -> Scoreboard:
    """Sum up each metric in a row."""
    effects = noise_effects(results, labels)
    coefficients = {r.coefficient for r in results if r.coefficient is not None}
    context = Context(
        asked=frozenset(questions_asked(results)),
        coefficient=min(coefficients) if len(coefficients) == 1 else "",
        checklists=sources(effect.data.file for effect in effects),
        curves=small_curves(charts),
    )
    rows = [
        scoreboard_row(metric, members, [e for e in effects if e.metric == metric], context)
        for metric, members in group_by_metric(results, labels).items()
    ]
    rows.sort(key=lambda row: row.order)
    return Scoreboard(tuple(rows[:MAX_ROWS]), tuple(rows[MAX_ROWS:]), context.coefficient)


def scoreboard_row(
    metric: str, results: Sequence[Result], effects: Sequence[NoiseEffect], context: Context
) -> ScoreboardRow:
    """Sum up one metric."""
    worst, copies = worst_of(results), copy_result(results)
    agreement = (
        effect_cell(strongest(effects), context) if effects else clean_cell(results, context)
    )
    clean = max((effect.clean for effect in effects), default=None)
    untested = [q for q in USUAL_QUESTIONS if q in context.asked - questions_asked(results)]
    penalty = None if copies is None else value_of(copies)
    return ScoreboardRow(
        metric=metric,
        sign=SIGNS[worst.outcome if worst else Outcome.SKIPPED],
        agreement=agreement,
        copying=None if copies is None else copy_cell(copies),
        counts=tuple(count_outcomes(results)),
        leanings=count_leanings(results),
        untested=", ".join(untested),
        anchor=anchor(worst.id) if worst else "",
        order=(0, -clean) if clean is not None else (1, penalty) if penalty is not None else (2,),
    )


def effect_cell(effect: NoiseEffect, context: Context) -> AgreementCell:
    """Show the noise that lowers the agreement of a metric most."""
    coefficient, result = effect.data.coefficient, effect.result
    key = (effect.data.file, effect.condition.family, describe_field(result), coefficient)
    return AgreementCell(
        clean=number(effect.clean, 2),
        perturbed=number(effect.perturbed, 2),
        drop=f"{number(effect.drop_value, 2)}{bracketed(effect)}",
        condition=effect.condition.name.replace("`", ""),
        coefficient="" if context.coefficient else coefficient,
        source=context.checklists[effect.data.file],
        anchor=anchor(result.id),
        curve=context.curves.get((*key, effect.metric)),
    )


def bracketed(effect: NoiseEffect) -> str:
    """Write the interval of a drop; "" if there is none."""
    return "" if effect.drop.low is None else f" {interval(effect.drop, 2)}"


def clean_cell(results: Iterable[Result], context: Context) -> AgreementCell | None:
    """Show the agreement on clean texts of a metric that was not tested under noise."""
    clean = [r for r in results if r.coefficient and r.family is None]
    for result in clean:
        estimate = part_estimate(result, PartName.CLEAN)
        if estimate is not None:
            coefficient = "" if context.coefficient else result.coefficient or ""
            address = anchor(result.id)
            return AgreementCell(
                number(estimate.value, 2), "", "", "", coefficient, "", address, None
            )
    return None


def copy_result(results: Iterable[Result]) -> Result | None:
    """Return the check on copied inputs with the lowest penalty."""
    copies = [
        result
        for result in results
        if question_of(result) is Question.COPYING and value_of(result) is not None
    ]
    return min(copies, key=lambda result: value_of(result) or 0.0, default=None)


def copy_cell(result: Result) -> CopyCell:
    """Show what a copied input costs."""
    wins = part_estimate(result, PartName.COPY_WINS)
    return CopyCell(
        penalty=number(value_of(result), 2),
        interval=interval(result.estimate, 2),
        unit=result.unit,
        wins="" if wins is None else f"{wins.value:.0%}",
        anchor=anchor(result.id),
        slug=SIGNS[result.outcome].slug,
    )


def small_curves(charts: Sequence[NoiseChart]) -> dict[tuple[str, ...], Sparkline | None]:
    """Draw the curve of each metric in each chart; all curves of a coefficient share a scale."""
    whole = [chart for chart in charts if not chart.key.group]
    ranges = {
        coefficient: cover(
            point.estimate.value or 0.0
            for chart in whole
            if chart.key.coefficient == coefficient
            for curve in chart.curves
            for point in curve.points
        )
        for coefficient in {chart.key.coefficient for chart in whole}
    }
    return {
        (*chart.key[:4], curve.label): sparkline(
            f"agreement of {curve.metric} by level",
            ((point.level, point.estimate.value or 0.0) for point in curve.points),
            curve.style,
            y_range=ranges[chart.key.coefficient],
        )
        for chart in whole
        for curve in chart.curves
    }
