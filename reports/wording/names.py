"""Names of checklists and metrics, and the addresses of what a page shows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from hashlib import sha256
from pathlib import PurePath

from shakeproof.results import ChecklistRecord, Result, split_checklist_name

ENDINGS = (".yaml", ".yml", ".checklist")
ANCHOR_LENGTH = 10  # hexadecimal digits: two of 10,000 checks collide once in 20,000 runs

MetricKey = tuple[str, str]  # the checklist's file, and the metric's name within it


def anchor(name: str, kind: str = "check") -> str:
    """Return an HTML id for a name; equal names have equal ids in every run."""
    digest = sha256(name.encode("utf-8", "surrogatepass")).hexdigest()
    return f"{kind}-{digest[:ANCHOR_LENGTH]}"


def short_name(file: str) -> str:
    """Name a checklist without its folder and ending, with its data set if it has separate ones."""
    path, data_set = split_checklist_name(file)
    name = PurePath(path).name
    for ending in ENDINGS:
        name = name.removesuffix(ending)
    return f"{name} [{data_set}]" if name and data_set else name or file


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


def group_by_metric(
    results: Iterable[Result], labels: Mapping[MetricKey, str]
) -> dict[str, list[Result]]:
    """Return the results of each metric by its name on the page, in order of appearance."""
    by_metric: dict[str, list[Result]] = {}
    for result in results:
        by_metric.setdefault(labels[metric_key(result)], []).append(result)
    return by_metric


def metric_labels(
    results: Iterable[Result], checklists: Iterable[ChecklistRecord] = ()
) -> dict[MetricKey, str]:
    """Name the metrics of a run in order of appearance.

    A metric of the same name and signature in several checklists is the same metric. Different
    metrics of the same name have the checklist added.
    """
    keys = list(dict.fromkeys(map(metric_key, results)))
    signatures = {
        (record.file, metric.name): metric.signature
        for record in checklists
        for metric in record.metrics
    }
    first_file: dict[tuple[str, str], str] = {}  # by name and signature; an unknown one is unique
    for file, name in keys:
        first_file.setdefault((name, signatures.get((file, name)) or file), file)
    names = checklist_labels(file for file, _ in keys)
    counts = Counter(name for name, _ in first_file)
    return {
        (file, name): name
        if counts[name] == 1
        else f"{name} ({names[first_file[name, signatures.get((file, name)) or file]]})"
        for file, name in keys
    }
