"""What words on the first screen mean: units, coefficients, families and metrics."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from shakeproof.reports.wording.format import MINUS, split_aspect, split_names
from shakeproof.reports.wording.names import MetricKey
from shakeproof.results import MetricRecord, Result, Run

MAX_SETTINGS = 3  # of a metric
TERMS = {  # that a page explains where it first uses them: units and coefficients
    "spreads": "standard deviation of a metric's clean scores within a segment",
    "pearson": f"Pearson's r with human ratings, {MINUS}1 to 1",
    "spearman": f"Spearman's rank correlation with human ratings, {MINUS}1 to 1",
    "tau-b": f"Kendall's τ-b with human ratings, {MINUS}1 to 1",
    "tau-c": f"Stuart's τ-c with human ratings, {MINUS}1 to 1",
    "wmt-kendall": f"agreement with human preferences (WMT Kendall's τ, {MINUS}1 to 1)",
    "acc-eq": "share of pairs ranked as people rank them, with ties calibrated, 0 to 1",
    "soft-pairwise between systems": "1 less the mean difference of the p-values that people and "
    "the metric give to pairs of systems, 0 to 1",
}


def explain_terms(results: Iterable[Result]) -> list[tuple[str, str]]:
    """Return the units and coefficients that results mention, with their meaning."""
    mentioned = (term for r in results for term in (r.coefficient or "", r.unit))
    terms = dict.fromkeys(split_aspect(term)[0] for term in mentioned)
    names = {"spreads": "spread"}
    return [(names.get(term, term), TERMS[term]) for term in terms if term in TERMS]


def explain_names(
    sentences: Sequence[str], run: Run, labels: Mapping[MetricKey, str]
) -> list[tuple[str, str]]:
    """Return the families and metrics that the first sentence names, with their meaning."""
    meanings = {
        family: summary.rstrip(".")
        for record in run.checklists
        for family, summary in record.summaries.items()
    } | {
        labels[record.file, metric.name]: describe_metric(metric)
        for record in run.checklists
        for metric in record.metrics
        if (record.file, metric.name) in labels
    }
    first = next(iter(sentences), "")
    names = dict.fromkeys(part for is_name, part in split_names(first) if is_name)
    return [(name, meanings[name]) for name in names if name in meanings]


def describe_metric(metric: MetricRecord) -> str:
    """Name the kind of a metric and its first settings, such as its model."""
    settings = [
        f"{name} {value:g}" if isinstance(value, float) else f"{name} {value}"
        for name, value in metric.settings.items()
        if isinstance(value, str | int | float) and not isinstance(value, bool)
    ]
    return ", ".join([metric.kind, *settings[:MAX_SETTINGS]])
