"""Layer settings of one model side by side (Vu et al. 2022, Figure 3)."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from shakeproof.reports.charts.forest import Entry, ForestChart, extent, forest_chart
from shakeproof.reports.sections.noise import Curve, Panel
from shakeproof.reports.wording.anchors import anchor
from shakeproof.reports.wording.names import bare
from shakeproof.results import ChecklistRecord, MetricRecord

DEPTHS = {"first": 1.0, "best": 1e3, "last": 1e4, "mean": 1e5, "mean-embedding": 1e6}
CLEAN, NOISY = "mark-1", "mark-2"
MOST_CHARTS = 12


@dataclass(frozen=True, slots=True)
class Stack:
    """Curves of metrics that differ in their layer alone, from the first layer upwards."""

    panel: Panel
    model: str
    curves: tuple[tuple[str, Curve], ...]  # by name of the layer


def layer_charts(
    panels: Sequence[Panel], checklists: Sequence[ChecklistRecord]
) -> tuple[ForestChart, ...]:
    """Chart clean and perturbed correlations layer by layer, for each model and family."""
    found = hardest([stack for panel in panels for stack in stacks_of(panel, checklists)])
    drawn = [(stack, entries(stack)) for stack in found]
    ranges = {
        name: extent(
            [row for s, rows in drawn if s.panel.coefficient == name for row in rows], zero=False
        )
        for name in {stack.panel.coefficient for stack in found}
    }
    return tuple(chart(stack, rows, ranges[stack.panel.coefficient]) for stack, rows in drawn)


def hardest(found: Sequence[Stack]) -> list[Stack]:
    """Keep the families that hurt most, where there are too many to look at."""
    ranked = sorted(found, key=lambda stack: min(map(worst, stack.curves)))[:MOST_CHARTS]
    return [stack for stack in found if stack in ranked]


def worst(named: tuple[str, Curve]) -> float:
    """Find the correlation at the highest level."""
    return named[1].stops[-1].estimate.value or 0.0


def stacks_of(panel: Panel, checklists: Sequence[ChecklistRecord]) -> Iterator[Stack]:
    """Find the metrics of a panel that differ in their layer alone."""
    curves = {
        bare(curve.metric, panel.file): curve for curve in panel.curves if len(curve.stops) > 1
    }
    alike: dict[str, list[tuple[MetricRecord, Curve]]] = {}
    for record in checklists:
        for metric in record.metrics if record.file == panel.file else ():
            if metric.name in curves and "layer" in metric.settings:
                alike.setdefault(all_but_layer(metric), []).append((metric, curves[metric.name]))
    for members in alike.values():
        if len({str(metric.settings["layer"]) for metric, _ in members}) > 1:
            yield stack(panel, members)


def all_but_layer(metric: MetricRecord) -> str:
    """Write down everything about a metric but its layer."""
    rest = {name: value for name, value in metric.settings.items() if name != "layer"}
    return json.dumps([metric.kind, rest], sort_keys=True)


def stack(panel: Panel, members: Sequence[tuple[MetricRecord, Curve]]) -> Stack:
    """Put metrics of one model in order of their layers."""
    ordered = sorted(members, key=lambda pair: depth(pair[0].settings["layer"]))
    metric = ordered[0][0]
    model = str(metric.settings.get("model", metric.kind))
    return Stack(panel, model, tuple((name_of(m.settings["layer"]), curve) for m, curve in ordered))


def depth(layer: object) -> float:
    """Order layers from the first upwards, means last."""
    return float(layer) if isinstance(layer, int) else DEPTHS.get(str(layer), 1e7)


def name_of(layer: object) -> str:
    """Name a layer."""
    return f"layer {layer}" if isinstance(layer, int) else f"{layer}"


def entries(found: Stack) -> list[Entry]:
    """List the clean and the most perturbed correlation of each layer."""
    rows = []
    for name, curve in found.curves:
        for stop, slug in ((curve.stops[0], CLEAN), (curve.stops[-1], NOISY)):
            rows.append(Entry(name, stop.estimate, slug, found.panel.level_name(stop.level)))
    return rows


def chart(found: Stack, rows: Sequence[Entry], x_range: tuple[float, float]) -> ForestChart:
    """Lay out one model under one family."""
    panel = found.panel
    key = f"{panel.chart.frame.key}::{found.model}::{found.curves[0][1].metric}"
    under = ", ".join(filter(None, [panel.chart.frame.title, panel.source]))
    return forest_chart(
        anchor(key, "layers"),
        f"{found.model} under {under}",
        f"{panel.coefficient} with people by layer, clean and at the highest level.",
        rows,
        x_title=f"{panel.coefficient} with people",
        x_range=x_range,
    )
