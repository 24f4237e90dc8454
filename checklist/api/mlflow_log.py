"""Log a run to MLflow: estimates as metrics, settings as parameters, the page as an artifact."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import nullcontext
from typing import Any, TypeAlias

from shakeproof.errors import SpecError, cut
from shakeproof.results import ChecklistRecord, Estimate, Outcome, Part, Result, Run
from shakeproof.runs.archive import as_json

Named: TypeAlias = tuple[str, Any]  # a name of MLflow, and its value

PREFIX = "shakeproof"
NOT_IN_NAMES = re.compile(r"[^\w\-. :/]", re.ASCII)  # MLflow refuses other characters
MAX_NAME = 250  # characters
MAX_VALUE = 500
MAX_METRICS, MAX_OTHERS = 1000, 100  # that MLflow takes at once


def log_mlflow(run: Run, *, artifacts: bool = True) -> str:
    """Log a run to the active run of MLflow, or to a new one; return its id.

    Each estimate is a metric, `shakeproof/METRIC/CHECK/CONDITION/value`, with `low`, `high` and the
    other numbers of the check beside it. The artifacts are report.html, run.json and estimates.csv;
    they have texts of the data unless the run has none.
    """
    try:
        import mlflow
    except ImportError:
        message = "log_mlflow needs MLflow; install it with: pip install mlflow-skinny"
        raise SpecError(message) from None
    title = run.checklists[0].title if run.checklists else PREFIX
    active = mlflow.active_run()
    with nullcontext(active) if active else mlflow.start_run(run_name=cut(title)) as logged:
        _in_parts(mlflow.log_metrics, _unique(metrics_of(run)), MAX_METRICS)
        _in_parts(mlflow.log_params, _unique(parameters_of(run)), MAX_OTHERS)
        _in_parts(mlflow.set_tags, _unique(tags_of(run)), MAX_OTHERS)
        if artifacts:
            for name, text in _artifacts(run):
                mlflow.log_text(text, f"{PREFIX}/{name}")
        return str(logged.info.run_id)


def metrics_of(run: Run) -> Iterator[Named]:
    """Yield every estimate of a run with its name, and how many checks had which outcome."""
    counts = Counter(result.outcome for result in run.results)
    yield from ((f"outcomes/{outcome.value}", float(counts[outcome])) for outcome in Outcome)
    for result in run.results:
        name = _name_of(run, result)
        yield from _estimate(result.estimate, name, "value")
        for part in result.parts:
            yield f"{name}/{_part_name(result, part)}", part.estimate.value


def _estimate(estimate: Estimate | None, name: str, what: str) -> Iterator[Named]:
    if estimate is not None:
        yield f"{name}/{what}", estimate.value
        yield f"{name}/low", estimate.low
        yield f"{name}/high", estimate.high


def _name_of(run: Run, result: Result) -> str:
    """Name a check item: metric, check and condition, after the file if there are several."""
    file, *names = result.id.split("::")
    return "/".join([file, *names] if len(run.checklists) > 1 else names)


def _part_name(result: Result, part: Part) -> str:
    """Name a part; its level only if it is neither clean nor that of the check."""
    level = "" if part.level in (None, 0.0, result.level) else f" {part.level:g}"
    return f"{part.name}{level}{f' {part.group}' if part.group else ''}"


def parameters_of(run: Run) -> Iterator[Named]:
    """Yield what the numbers depend on: settings, data and the signatures of metrics."""
    yield from ((name, run.settings.get(name)) for name in ("limit", "device", "adjust"))
    for record in run.checklists:
        several = len(run.checklists) > 1
        for name, value in _checklist_parameters(record):
            yield (f"{record.file}/{name}" if several else name), value


def _checklist_parameters(record: ChecklistRecord) -> Iterator[Named]:
    yield "checklist", record.title
    names = ("seed", "seeds", "confidence", "draws", "interval")
    yield from ((name, getattr(record, name)) for name in names)
    for data in record.data:
        yield f"data/{data.name}", f"{data.segments} segments, sha256 {data.sha256}"
    for metric in record.metrics:
        yield f"signature/{metric.name}", metric.signature


def tags_of(run: Run) -> Iterator[Named]:
    """Yield the outcome of every check, and what the run was made with."""
    yield "version", run.shakeproof
    yield "command", run.command
    yield from ((f"environment/{name}", value) for name, value in run.environment.items())
    for result in run.results:
        yield f"outcome/{_name_of(run, result)}", result.outcome.value


def _artifacts(run: Run) -> Iterator[tuple[str, str]]:
    from shakeproof.reports import render, render_csv

    yield "report.html", render(run)
    yield "run.json", as_json(run)
    yield "estimates.csv", render_csv(run)


def _unique(named: Iterable[Named]) -> dict[str, Any]:
    """Return values by names that MLflow accepts; names that become equal get a number."""
    values: dict[str, Any] = {}
    for written, value in named:
        if value is None:
            continue
        name = first = f"{PREFIX}/{NOT_IN_NAMES.sub('-', written)}"[:MAX_NAME]
        number = 1
        while name in values:
            number += 1
            name = f"{first[: MAX_NAME - 5]}-{number}"
        values[name] = value if isinstance(value, float) else cut(str(value), MAX_VALUE)
    return values


def _in_parts(log: Callable[[dict[str, Any]], object], values: dict[str, Any], most: int) -> None:
    names = list(values)
    for start in range(0, len(names), most):
        log({name: values[name] for name in names[start : start + most]})
