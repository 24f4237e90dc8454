"""ParaScore with parts switched off, side by side (Shen et al. 2022, Table 10)."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from shakeproof.reports.charts.forest import Entry, ForestChart, forest_chart
from shakeproof.reports.sections.added_copies import COEFFICIENTS, WITH_COPIES, estimate_of
from shakeproof.reports.wording.anchors import anchor
from shakeproof.reports.wording.names import bare
from shakeproof.results import ChecklistRecord, Estimate, MetricRecord, Result

KINDS = ("parascore", "parascore-free")
SWITCHES = {"threshold": "threshold", "use_max": "max", "divergence": "divergence"}
WHOLE = "whole"


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
    """Find metrics that differ in what is switched off, and set their numbers side by side."""
    found = [ablation(variants, record.file, results) for variants in families(record.metrics)]
    return tuple(one for one in found if one.columns)


def families(metrics: Sequence[MetricRecord]) -> Iterator[list[MetricRecord]]:
    """Group the variants of each whole metric; it comes first."""
    known = [metric for metric in metrics if metric.kind in KINDS]
    wholes = [metric for metric in known if not switched_off(metric)]
    variants = sorted((metric for metric in known if switched_off(metric)), key=order)
    for whole in wholes:
        own = [variant for variant in variants if whole in wholes_of(variant, wholes)]
        if own:
            yield [whole, *own]


def wholes_of(variant: MetricRecord, wholes: Sequence[MetricRecord]) -> list[MetricRecord]:
    """Find the metrics that differ in the switches alone.

    Without divergence its weight does not matter, so another one will do if there is none.
    """
    exact = [whole for whole in wholes if rest(whole, SWITCHES) == rest(variant, SWITCHES)]
    if exact or "divergence" not in switched_off(variant):
        return exact
    ignored = {*SWITCHES, "omega", "gamma"}
    return [whole for whole in wholes if rest(whole, ignored) == rest(variant, ignored)]


def switched_off(metric: MetricRecord) -> list[str]:
    """Name the parts that a metric goes without."""
    settings = {"use_max": metric.kind == "parascore"} | metric.settings
    return [words for name, words in SWITCHES.items() if not settings.get(name, True)]


def order(metric: MetricRecord) -> tuple[int, ...]:
    """Order variants by what they go without, as the paper does."""
    parts = list(SWITCHES.values())
    return tuple(parts.index(part) for part in switched_off(metric))


def rest(metric: MetricRecord, ignored: Collection[str]) -> str:
    """Write the other settings down."""
    kept = {name: value for name, value in metric.settings.items() if name not in ignored}
    return json.dumps(kept | {"published": None}, sort_keys=True)


def ablation(variants: Sequence[MetricRecord], file: str, results: Sequence[Result]) -> Ablation:
    """Set the numbers of some variants side by side."""
    names = tuple((one.name, variant_name(one)) for one in variants)
    columns = tuple(columns_of([name for name, _ in names], results))
    key = "::".join([file, *(name for name, _ in names)])
    charts = tuple(chart(f"{key}::{column.title}", column, names) for column in columns)
    return Ablation(names[0][0], names, columns, charts)


def variant_name(metric: MetricRecord) -> str:
    """Say what a variant goes without."""
    off = switched_off(metric)
    return f"no {' and '.join(off)}" if off else WHOLE


def columns_of(metrics: Sequence[str], results: Sequence[Result]) -> Iterator[Column]:
    """Find the numbers that more than one variant has."""
    found: dict[str, dict[str, Estimate]] = {}
    for result in results:
        name = bare(result.metric, result.file)
        for title, estimate in numbers_of(result) if name in metrics else ():
            found.setdefault(title, {}).setdefault(name, estimate)
    for title, by_metric in found.items():
        if len(by_metric) > 1:
            yield Column(title, by_metric)


def numbers_of(result: Result) -> Iterator[tuple[str, Estimate]]:
    """List what a result on clean or copied texts says about a metric."""
    copied = result.expectation == "copy_penalty"
    if (copied or result.family is None) and result.estimate and result.estimate.value is not None:
        yield (
            f"{result.quantity} ({result.unit})" if result.unit else result.quantity,
            result.estimate,
        )
    for name in COEFFICIENTS if copied else ():
        for title in (name, f"{name}{WITH_COPIES}"):
            estimate = estimate_of(result.parts, title)
            if estimate is not None:
                yield title, estimate


def chart(key: str, column: Column, names: Sequence[tuple[str, str]]) -> ForestChart:
    """Lay out one row for each variant."""
    entries = [
        Entry(variant, column.by_metric[name], slug(variant))
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
        zero=not column.title.startswith(COEFFICIENTS),
    )


def slug(variant: str) -> str:
    """Set the whole metric off from its variants."""
    return "mark-1" if variant == WHOLE else "mark-2"
