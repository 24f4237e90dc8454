"""The chart on the first screen: what the leading finding is about."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal, TypeVar

from shakeproof.reports.agreement import NoiseEffect, by_data, leading_effect, noise_effects
from shakeproof.reports.charts.forest import ForestChart
from shakeproof.reports.charts.lines import LineChart
from shakeproof.reports.questions import Question, question_of
from shakeproof.reports.sections.bounds import bounds_charts
from shakeproof.reports.sections.noise import NoiseChart, noise_charts
from shakeproof.reports.wording.format import describe_field
from shakeproof.reports.wording.names import MetricKey, metric_key, sources
from shakeproof.reports.wording.outcomes import worst_first
from shakeproof.results import Result

KEY = "first-chart"
MAX_LINES = 8  # metrics in one chart of lines
MAX_MARKS = 12  # rows of a chart of estimates
AnyChart = TypeVar("AnyChart", LineChart, ForestChart)


@dataclass(frozen=True, slots=True)
class LeadChart:
    """One chart with its title; `lines` or `forest` says how it is drawn."""

    kind: Literal["lines", "forest"]
    chart: LineChart | ForestChart
    title: str
    caption: str
    section: str  # the address of the section with the other charts


def lead_chart(results: Sequence[Result], labels: Mapping[MetricKey, str]) -> LeadChart | None:
    """Chart the noise under which the best metric falls most, or else copies, or else the worst."""
    effects = noise_effects(results, labels)
    if effects:
        first = by_data(effects)[0]
        source = sources(effect.data.file for effect in effects)[first[0].data.file]
        return noise_lead(first, results, labels, source)
    copies = [result for result in results if question_of(result) is Question.COPYING]
    if copies and (lead := bounds_lead(copies, "copying")):
        return lead
    return bounds_lead([r for r in results if question_of(r) is not Question.COPYING], "others")


def noise_lead(
    effects: Sequence[NoiseEffect],
    results: Sequence[Result],
    labels: Mapping[MetricKey, str],
    source: str,
) -> LeadChart | None:
    """Chart all metrics, or the best on clean texts, under the noise of the leading finding.

    `source` names the checklist if several are about noise.
    """
    leading = leading_effect(effects)
    ranked = sorted(effects, key=lambda effect: -effect.clean)
    metrics = list(dict.fromkeys(effect.metric for effect in ranked))
    chosen = [
        result
        for result in results
        if same_noise(result, leading) and labels[metric_key(result)] in metrics[:MAX_LINES]
    ]
    whole = [chart for chart in noise_charts(chosen, labels) if not chart.key.group]
    if not whole:
        return None
    left_out = len(metrics) > MAX_LINES
    shown = f"The {MAX_LINES} metrics that agree best on clean texts." if left_out else ""
    bars = "Bars: interval of the drop." if any(line.bars for line in whole[0].chart.lines) else ""
    caption = " ".join(filter(None, [source and f"{source}.", shown, bars]))
    return LeadChart("lines", renamed(whole[0].chart), noise_title(whole[0]), caption, "noise")


def same_noise(result: Result, effect: NoiseEffect) -> bool:
    """Return whether a check is about the same data, coefficient, family and field."""
    data = (result.file, result.coefficient)
    noise = (result.family, describe_field(result))
    condition = effect.condition
    return data == effect.data and noise == (condition.family, condition.field)


def noise_title(noise: NoiseChart) -> str:
    """Name what a chart of noise shows."""
    _, aspect = noise.key.coefficient_and_aspect
    return f"Agreement with people{f' on {aspect}' if aspect else ''} under {noise.key.condition}"


def bounds_lead(results: Sequence[Result], section: str) -> LeadChart | None:
    """Chart the worst results of the check with the worst of all."""
    ranked = sorted(results, key=worst_first)
    charts = bounds_charts([r for r in results if r in ranked[:MAX_MARKS]])
    if not charts:
        return None
    bounds = min(charts, key=lambda chart: min(map(worst_first, chart.results)))
    return LeadChart("forest", renamed(bounds.chart), bounds.check, bounds.statement, section)


def renamed(chart: AnyChart) -> AnyChart:
    """Give a chart another address, as the section about it shows it too."""
    return replace(chart, frame=replace(chart.frame, key=KEY))
