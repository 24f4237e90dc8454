"""Judges: texts made to impress them, how stable their answers are, and what they cost."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from shakeproof.reports.questions import JUDGE_FAMILIES, STABILITY
from shakeproof.reports.sections.overview import (
    OverviewCell,
    OverviewColumn,
    overview_cell,
    overview_column,
)
from shakeproof.reports.wording.format import bound, interval, number, quantity_with_unit
from shakeproof.reports.wording.names import MetricKey, anchor, metric_key
from shakeproof.reports.wording.outcomes import SIGNS, Sign
from shakeproof.results import (
    CallCount,
    ChecklistRecord,
    Estimate,
    MetricRecord,
    Outcome,
    PartName,
    Result,
    Run,
    UsageRecord,
    counted,
    format_money,
    format_tokens,
    total,
)

PART_WORDS: dict[str, str] = {
    PartName.NOISE_OF_ONE_DRAW: "share of the variance that is the judge's own noise: one answer",
    PartName.NOISE_OF_MEAN: "the same share: mean of all answers",
    PartName.SPREAD: "one spread, as a score",
    PartName.FIRST_POSITION: "preference for the candidate that comes first (0.5: none)",
    PartName.FLIPS: "share of comparisons whose winner changes with the order",
    PartName.SHARED: "share of people's preferences that the judge shares",
}


@dataclass(frozen=True, slots=True)
class BiasRow:
    """What the texts of one family do to each metric; None where nothing was checked."""

    family: str
    quantity: str  # with its unit
    cells: tuple[OverviewCell | None, ...]


@dataclass(frozen=True, slots=True)
class StabilityRow:
    """A number about the answers of a judge; only the judged one has a bound and an outcome."""

    metric: str
    quantity: str
    value: str
    interval: str
    bound: str = ""
    sign: Sign | None = None
    anchor: str = ""
    note: str = ""  # why there is no number


@dataclass(frozen=True, slots=True)
class CostRow:
    """What the answers of one judge cost."""

    metric: str
    asked: str  # the model that was asked for
    reported: str  # the models that answered
    in_run: str
    in_cache: str


@dataclass(frozen=True, slots=True)
class Judges:
    """Everything that the section shows."""

    metrics: tuple[str, ...]  # the columns of the bias map
    biases: tuple[BiasRow, ...]
    stability: tuple[StabilityRow, ...]
    costs: tuple[CostRow, ...]
    has_prices: bool

    @property
    def quantity(self) -> str:
        """Return what most rows of the bias map show; the others name it themselves."""
        most = Counter(row.quantity for row in self.biases).most_common(1)
        return next((quantity for quantity, _ in most), "")

    def __bool__(self) -> bool:
        """Return whether there is anything to show."""
        return bool(self.biases or self.stability or self.costs)


def judges(run: Run, labels: Mapping[MetricKey, str]) -> Judges:
    """Collect what a run found out about judges."""
    attacks = [r for r in run.results if r.family_group == JUDGE_FAMILIES]
    asking = {
        (checklist.file, record.name)
        for checklist in run.checklists
        for record, _ in judge_records([checklist])
    }
    attacked = sorted(map(metric_key, attacks), key=lambda key: key not in asking)  # judges first
    metrics = tuple(dict.fromkeys(labels[key] for key in attacked))
    return Judges(
        metrics=metrics,
        biases=tuple(bias_rows(attacks, labels, metrics)),
        stability=tuple(
            row
            for result in run.results
            if result.expectation in STABILITY and result.outcome is not Outcome.SKIPPED
            for row in stability_rows(result, labels[metric_key(result)])
        ),
        costs=tuple(cost_rows(run.checklists)),
        has_prices=any(
            usage.cached.money is not None for _, usage in judge_records(run.checklists)
        ),
    )


def bias_rows(
    results: Sequence[Result], labels: Mapping[MetricKey, str], metrics: Sequence[str]
) -> Iterator[BiasRow]:
    """Yield a row for each family and quantity, with the worst result of each metric."""
    by_row: dict[OverviewColumn, dict[str, list[Result]]] = {}
    for result in results:
        row = by_row.setdefault(overview_column(result), {})
        row.setdefault(labels[metric_key(result)], []).append(result)
    for (family, quantity), by_metric in by_row.items():
        cells = tuple(overview_cell(by_metric.get(metric, ())) for metric in metrics)
        yield BiasRow(family, quantity, cells)


def stability_rows(result: Result, metric: str) -> Iterator[StabilityRow]:
    """Yield the number that a check judged, then those beside it, over all groups together."""
    judged = number_row(metric, quantity_with_unit(result.quantity, result.unit), result.estimate)
    yield StabilityRow(
        metric=judged.metric,
        quantity=judged.quantity,
        value=judged.value,
        interval=judged.interval,
        bound=bound(result.bounds),
        sign=SIGNS[result.outcome],
        anchor=anchor(result.id),
        note=judged.note or ("" if result.estimate else result.message),
    )
    for part in result.parts:
        if not part.group:
            yield number_row(metric, PART_WORDS.get(part.name, part.name), part.estimate)


def number_row(metric: str, quantity: str, estimate: Estimate | None) -> StabilityRow:
    """Show an estimate without a bound."""
    if estimate is None or estimate.value is None:
        return StabilityRow(metric, quantity, "", "", note=estimate.note if estimate else "")
    return StabilityRow(metric, quantity, number(estimate.value), interval(estimate))


def cost_rows(checklists: Iterable[ChecklistRecord]) -> Iterator[CostRow]:
    """Yield a row for each judge, and one for all together if there are several."""
    records = list(judge_records(checklists))
    for record, usage in records:
        yield CostRow(
            metric=record.name,
            asked=usage.model,
            reported=", ".join(usage.reported),
            in_run=cost(usage.run),
            in_cache=cost(usage.cached),
        )
    if len(records) > 1:
        in_run, in_cache = all_together(usage for _, usage in records)
        yield CostRow("", "", "", cost(in_run), cost(in_cache))


def cost(count: CallCount) -> str:
    """Write calls, tokens and, if prices are given, money."""
    money = [] if count.money is None else [format_money(count.money)]
    return ", ".join([counted(count.calls, "call"), format_tokens(count.tokens), *money])


def judge_records(
    checklists: Iterable[ChecklistRecord],
) -> Iterator[tuple[MetricRecord, UsageRecord]]:
    """Yield the metrics that ask a service; one that checklists share is yielded once."""
    seen: set[tuple[str, str]] = set()
    for metric in (metric for checklist in checklists for metric in checklist.metrics):
        key = metric.name, metric.signature
        if metric.usage is not None and key not in seen:
            seen.add(key)
            yield metric, metric.usage


def all_together(usages: Iterable[UsageRecord]) -> tuple[CallCount, CallCount]:
    """Return what all judges cost, in the run and in the cache; shared answers count once."""
    answers = {
        (answer.scorer, answer.model): answer for usage in usages for answer in usage.answers
    }.values()
    return total(answer.run for answer in answers), total(answer.cached for answer in answers)
