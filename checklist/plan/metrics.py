"""The metrics of a checklist, built with the settings of a run."""

from __future__ import annotations

import os
from dataclasses import replace
from graphlib import TopologicalSorter
from pathlib import Path

from shakeproof.metrics.protocols import Metric
from shakeproof.metrics.settings import AUTO, Settings
from shakeproof.spec.metrics import expanded
from shakeproof.spec.model import Checklist


def settings_of(checklist: Checklist, settings: Settings) -> Settings:
    """Return what the metrics of a checklist are built with; a precision of the run comes first."""
    precision = checklist.precision if settings.precision == AUTO else settings.precision
    return replace(settings, folder=Path(checklist.path).parent, precision=precision)


def build_metrics(
    checklist: Checklist, settings: Settings
) -> tuple[dict[str, Metric], dict[str, str]]:
    """Build each metric after those it uses; one that fails also fails those that use it."""
    settings = settings_of(checklist, settings)
    metrics: dict[str, Metric] = {}
    failures: dict[str, str] = {}
    order = TopologicalSorter({m.name: m.options.refers for m in checklist.metrics.values()})
    for name in order.static_order():
        options = checklist.metrics[name].options
        broken = [other for other in options.refers if other in failures]
        if broken:
            failures[name] = f"metric {broken[0]!r}, on which it builds: {failures[broken[0]]}"
            continue
        try:
            folder = checklist.metric_folder(name)
            complete = expanded(options, os.environ)
            metrics[name] = complete.build(metrics, replace(settings, folder=folder))
        except (ValueError, ImportError) as error:
            failures[name] = str(error)
    return metrics, failures
