"""Metrics that differ only in the layer of their model (Vu et al. 2022, Figure 3)."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from shakeproof.reports.charts.forest import Entry, ForestChart, extent, forest_chart
from shakeproof.reports.sections.noise import Curve, NoiseChart
from shakeproof.reports.wording.names import anchor
from shakeproof.results import ChecklistRecord, MetricRecord

DEPTHS = {"first": 1.0, "best": 1e3, "last": 1e4, "mean": 1e5, "mean-embedding": 1e6}
CLEAN, PERTURBED = "mark-1", "mark-2"
MAX_CHARTS = 12


@dataclass(frozen=True, slots=True)
class LayerCurves:
    """Curves of metrics that differ only in their layer, from the first layer upwards."""

    noise: NoiseChart
    model: str
    curves: tuple[tuple[str, Curve], ...]  # by name of the layer

    @property
    def entries(self) -> list[Entry]:
        """List the correlation of each layer on clean texts and at the highest level."""
        return [
            Entry(layer, point.estimate, slug, self.noise.level_name(point.level))
            for layer, curve in self.curves
            for point, slug in ((curve.points[0], CLEAN), (curve.points[-1], PERTURBED))
        ]

    @property
    def lowest(self) -> float:
        """Return the lowest correlation of any layer at the highest level."""
        return min(curve.points[-1].estimate.value or 0.0 for _, curve in self.curves)


def layer_charts(
    charts: Sequence[NoiseChart], checklists: Sequence[ChecklistRecord]
) -> tuple[ForestChart, ...]:
    """Chart clean and perturbed correlations layer by layer, for each model and family.

    Of many families those with the lowest correlations are shown.
    """
    every = [layers for chart in charts for layers in layers_of(chart, checklists)]
    ranked = sorted(every, key=lambda layers: layers.lowest)[:MAX_CHARTS]
    shown = [layers for layers in every if layers in ranked]
    entries: dict[str, list[Entry]] = {}
    for layers in shown:
        entries.setdefault(layers.noise.key.coefficient, []).extend(layers.entries)
    ranges = {coefficient: extent(rows, zero=False) for coefficient, rows in entries.items()}
    return tuple(layer_chart(layers, ranges[layers.noise.key.coefficient]) for layers in shown)


def layers_of(chart: NoiseChart, checklists: Sequence[ChecklistRecord]) -> Iterator[LayerCurves]:
    """Find the metrics of a chart that differ only in their layer."""
    curves = {curve.metric: curve for curve in chart.curves if len(curve.points) > 1}
    alike: dict[str, list[tuple[MetricRecord, Curve]]] = {}
    for record in checklists:
        for metric in record.metrics if record.file == chart.key.file else ():
            if metric.name in curves and "layer" in metric.settings:
                alike.setdefault(all_but_layer(metric), []).append((metric, curves[metric.name]))
    for members in alike.values():
        if len({str(metric.settings["layer"]) for metric, _ in members}) > 1:
            ordered = sorted(members, key=lambda pair: depth(pair[0].settings["layer"]))
            first = ordered[0][0]
            yield LayerCurves(
                chart,
                str(first.settings.get("model", first.kind)),
                tuple((layer_name(m.settings["layer"]), curve) for m, curve in ordered),
            )


def all_but_layer(metric: MetricRecord) -> str:
    """Return everything about a metric but its layer, as text."""
    rest = {name: value for name, value in metric.settings.items() if name != "layer"}
    return json.dumps([metric.kind, rest], sort_keys=True)


def depth(layer: object) -> float:
    """Return a key that sorts layers from the first upwards, means last."""
    return float(layer) if isinstance(layer, int) else DEPTHS.get(str(layer), 1e7)


def layer_name(layer: object) -> str:
    """Name a layer."""
    return f"layer {layer}" if isinstance(layer, int) else f"{layer}"


def layer_chart(layers: LayerCurves, x_range: tuple[float, float]) -> ForestChart:
    """Lay out one model under one family."""
    noise, coefficient = layers.noise, layers.noise.key.coefficient
    first_metric = layers.curves[0][1].label
    condition = ", ".join(filter(None, [noise.chart.frame.title, noise.source]))
    return forest_chart(
        anchor(f"{noise.chart.frame.key}::{layers.model}::{first_metric}", "layers"),
        f"{layers.model} under {condition}",
        f"{coefficient} with human ratings by layer, clean and at the highest level.",
        layers.entries,
        x_title=f"{coefficient} with human ratings",
        x_range=x_range,
    )
