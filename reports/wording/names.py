"""Names of checklists and metrics, and the addresses of what a page shows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from hashlib import sha256
from pathlib import PurePath

from shakeproof.results import Result

ENDINGS = (".yaml", ".yml", ".checklist")
ANCHOR_LENGTH = 10  # hexadecimal digits: two of 10,000 checks collide once in 20,000 runs

MetricKey = tuple[str, str]  # the checklist's file, and the metric's name within it


def anchor(name: str, kind: str = "check") -> str:
    """Return an HTML id for a name; equal names have equal ids in every run."""
    digest = sha256(name.encode("utf-8", "surrogatepass")).hexdigest()
    return f"{kind}-{digest[:ANCHOR_LENGTH]}"


def short_name(file: str) -> str:
    """Name a checklist without its folder and ending."""
    name = PurePath(file).name
    for ending in ENDINGS:
        name = name.removesuffix(ending)
    return name or file


def checklist_labels(files: Iterable[str]) -> dict[str, str]:
    """Name each checklist as briefly as keeps the names distinct."""
    distinct = list(dict.fromkeys(files))
    counts = Counter(map(short_name, distinct))
    return {file: short_name(file) if counts[short_name(file)] == 1 else file for file in distinct}


def sources(files: Iterable[str]) -> dict[str, str]:
    """Name the checklist that a chart comes from; "" for all if there is only one."""
    labels = checklist_labels(files)
    return labels if len(labels) > 1 else dict.fromkeys(labels, "")


def metric_key(result: Result) -> MetricKey:
    """Return what identifies the metric of a result within the run."""
    return result.file, result.metric


def group_by_metric(results: Iterable[Result]) -> dict[MetricKey, list[Result]]:
    """Return the results of each metric, metrics in order of appearance."""
    by_metric: dict[MetricKey, list[Result]] = {}
    for result in results:
        by_metric.setdefault(metric_key(result), []).append(result)
    return by_metric


def metric_labels(results: Iterable[Result]) -> dict[MetricKey, str]:
    """Name the metrics of a run in order of appearance.

    Metrics of the same name in several checklists have the checklist added.
    """
    keys = list(dict.fromkeys(map(metric_key, results)))
    checklists = checklist_labels(file for file, _ in keys)
    counts = Counter(name for _, name in keys)
    return {
        (file, name): f"{name} ({checklists[file]})" if counts[name] > 1 else name
        for file, name in keys
    }
