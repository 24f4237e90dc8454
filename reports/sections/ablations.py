"""ParaScore and its variants with parts switched off (Shen et al. 2022, Table 10)."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from shakeproof.reports.charts.forest import Entry, ForestChart, forest_chart
from shakeproof.reports.estimates import part_estimate, value_of
from shakeproof.reports.wording.format import quantity_with_unit
from shakeproof.reports.wording.names import anchor
from shakeproof.results import ChecklistRecord, Estimate, MetricRecord, PartName, Result

KINDS = ("parascore", "parascore-free")
SWITCHES = {"threshold": "threshold", "use_max": "max", "divergence": "divergence"}
COMPLETE = "complete"
CORRELATIONS = (
    PartName.PEARSON,
    PartName.PEARSON_WITH_COPIES,
    PartName.SPEARMAN,
    PartName.SPEARMAN_WITH_COPIES,
)
COMPLETE_MARK, VARIANT_MARK = "mark-1", "mark-2"


@dataclass(frozen=True, slots=True)
class Column:
    """One number for each variant."""

    title: str
    by_metric: Mapping[str, Estimate]


@dataclass(frozen=True, slots=True)
class Ablation:
    """Variants of one metric, as small charts and one table."""

    title: str
    variants: tuple[tuple[str, str], ...]  # metric, and what is switched off
    columns: tuple[Column, ...]
    charts: tuple[ForestChart, ...]


def ablations(results: Sequence[Result], record: ChecklistRecord) -> tuple[Ablation, ...]:
    """Find metrics that differ in what is switched off, and put their numbers side by side."""
    every = [ablation(variants, record.file, results) for variants in variants_of(record.metrics)]
    return tuple(ablation for ablation in every if ablation.columns)


def variants_of(metrics: Sequence[MetricRecord]) -> Iterator[list[MetricRecord]]:
    """Yield each complete metric, followed by its variants in the order of the paper."""
    known = [metric for metric in metrics if metric.kind in KINDS]
    complete = [metric for metric in known if not switched_off(metric)]
    parts = list(SWITCHES.values())
    variants = sorted(
        (metric for metric in known if switched_off(metric)),
        key=lambda metric: [parts.index(part) for part in switched_off(metric)],
    )
    for metric in complete:
        own = [variant for variant in variants if metric in complete_metrics_of(variant, complete)]
        if own:
            yield [metric, *own]


def complete_metrics_of(
    variant: MetricRecord, complete: Sequence[MetricRecord]
) -> list[MetricRecord]:
    """Find the complete metrics that differ from a variant in the switches alone.

    Without divergence its weight does not matter, so a metric with another weight will do if no
    metric has the same.
    """
    exact = [
        m for m in complete if other_settings(m, SWITCHES) == other_settings(variant, SWITCHES)
    ]
    if exact or "divergence" not in switched_off(variant):
        return exact
    ignored = {*SWITCHES, "omega", "gamma"}
    return [m for m in complete if other_settings(m, ignored) == other_settings(variant, ignored)]


def switched_off(metric: MetricRecord) -> list[str]:
    """Name the parts that are switched off in a metric."""
    settings = {"use_max": metric.kind == "parascore"} | metric.settings
    return [part for name, part in SWITCHES.items() if not settings.get(name, True)]


def other_settings(metric: MetricRecord, ignored: Collection[str]) -> str:
    """Return all settings but the ignored ones, as text."""
    kept = {name: value for name, value in metric.settings.items() if name not in ignored}
    return json.dumps(kept | {"published": None}, sort_keys=True)


def ablation(variants: Sequence[MetricRecord], file: str, results: Sequence[Result]) -> Ablation:
    """Put the numbers of some variants side by side."""
    names = tuple((metric.name, variant_name(metric)) for metric in variants)
    columns = tuple(columns_of([name for name, _ in names], results))
    key = "::".join([file, *(name for name, _ in names)])
    charts = tuple(ablation_chart(f"{key}::{column.title}", column, names) for column in columns)
    return Ablation(names[0][0], names, columns, charts)


def variant_name(metric: MetricRecord) -> str:
    """Name what is switched off in a variant."""
    off = switched_off(metric)
    return f"no {' and '.join(off)}" if off else COMPLETE


def columns_of(metrics: Sequence[str], results: Sequence[Result]) -> Iterator[Column]:
    """Yield the numbers that more than one variant has."""
    by_title: dict[str, dict[str, Estimate]] = {}
    for result in results:
        for title, estimate in numbers_of(result) if result.metric in metrics else ():
            by_title.setdefault(title, {}).setdefault(result.metric, estimate)
    for title, by_metric in by_title.items():
        if len(by_metric) > 1:
            yield Column(title, by_metric)


def numbers_of(result: Result) -> Iterator[tuple[str, Estimate]]:
    """Yield what a result on clean or copied texts says about a metric, with its title."""
    copied = result.expectation == "copy_penalty"
    if (copied or result.family is None) and result.estimate and value_of(result) is not None:
        yield quantity_with_unit(result.quantity, result.unit), result.estimate
    for name in CORRELATIONS if copied else ():
        estimate = part_estimate(result, name)
        if estimate is not None:
            yield name.value, estimate


def ablation_chart(key: str, column: Column, names: Sequence[tuple[str, str]]) -> ForestChart:
    """Lay out one row for each variant."""
    entries = [
        Entry(
            variant,
            column.by_metric[name],
            COMPLETE_MARK if variant == COMPLETE else VARIANT_MARK,
        )
        for name, variant in names
        if name in column.by_metric
    ]
    title = column.title[:1].upper() + column.title[1:]
    return forest_chart(
        anchor(key, "ablation"),
        title,
        f"{title} of a metric and of its variants with parts switched off.",
        entries,
        x_title=column.title,
        zero=not column.title.startswith((PartName.PEARSON, PartName.SPEARMAN)),
    )
