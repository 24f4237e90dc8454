"""The run as a whole, put together once."""

from __future__ import annotations

import os
import platform
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from hashlib import sha256
from importlib.metadata import PackageNotFoundError, version
from importlib.resources import files
from pathlib import Path
from typing import Any

from shakeproof import __version__
from shakeproof.api.build import as_yaml
from shakeproof.data.segments import DataSet
from shakeproof.evidence.token_matrices import few_matrices
from shakeproof.plan.items import Plan
from shakeproof.results import (
    ChecklistRecord,
    DataRecord,
    MetricRecord,
    Outcome,
    Result,
    Run,
)
from shakeproof.spec.positions import read_yaml
from shakeproof.spec.read import Checklist
from shakeproof.stats.multiplicity import benjamini_hochberg

SAMPLE_LICENCE = "Apache-2.0, written and graded by shakeproof"
LIBRARIES = ("numpy", "scipy", "torch", "transformers", "tokenizers", "sacrebleu", "rapidfuzz")


def checklist_record(plan: Plan, *, texts: bool = True) -> ChecklistRecord:
    """Write down a checklist as it was run, without texts also without segments written out."""
    checklist = plan.checklist
    hidden = not texts and checklist.segments
    return ChecklistRecord(
        file=plan.file,
        title=checklist.title,
        sha256=checklist.sha256,
        text=without_data(checklist) if hidden else checklist.text,
        seed=checklist.seed,
        data=tuple(data_record(data, checklist.language) for data in plan.data),
        metrics=tuple(metric_record(plan, name) for name in checklist.metrics),
    )


def without_data(checklist: Checklist) -> str:
    """Write a checklist again, its data left out."""
    content = read_yaml(checklist.text, checklist.path.name).content
    return as_yaml({**content, "data": "kept out"}) if isinstance(content, dict) else ""


def data_record(data: DataSet, language: str | None) -> DataRecord:
    """Write down a data set as it was read."""
    candidates = [candidate for segment in data.segments for candidate in segment.candidates]
    return DataRecord(
        name=data.name,
        sha256=data.sha256,
        segments=len(data.segments),
        candidates=len(candidates),
        rated=sum(candidate.rating is not None for candidate in candidates),
        preferences=sum(len(segment.preferences) for segment in data.segments),
        surrogates=data.surrogates,
        language=language,
        licence=licence_of(data),
    )


def licence_of(data: DataSet) -> str:
    """State the licence of the shipped sample; what other data allow is not ours to say."""
    sample = (files("shakeproof") / "samples" / "sample.jsonl").read_bytes()
    return SAMPLE_LICENCE if data.sha256 == sha256(sample).hexdigest() else ""


def metric_record(plan: Plan, name: str) -> MetricRecord:
    """Write down a metric as it was run."""
    spec = plan.checklist.metrics[name]
    metric = plan.metrics.get(name)
    return MetricRecord(
        name=name,
        kind=spec.kind,
        settings=spec.options.model_dump(mode="json"),
        signature=metric.signature if metric else f"not run: {plan.failures.get(name, '')}",
    )


def put_together(
    results: Sequence[Result],
    checklists: Sequence[ChecklistRecord],
    *,
    started: float,
    seconds: float,
    command: str,
    settings: Mapping[str, Any],
    texts: bool,
) -> Run:
    """Make one run of what its items found."""
    return Run(
        shakeproof=__version__,
        started=datetime.fromtimestamp(started, UTC).isoformat(timespec="seconds"),
        seconds=round(seconds, 1),
        command=command,
        environment=environment(),
        settings=dict(settings),
        checklists=tuple(checklists),
        results=with_q(few_matrices(results)),
        texts=texts,
    )


def with_q(results: Sequence[Result]) -> tuple[Result, ...]:
    """Add q-values over the run; known failures and warnings are no claims and stay out."""
    aside = {Outcome.KNOWN_FAILURE, Outcome.WARNED}
    claimed = [None if result.outcome in aside else result.p for result in results]
    adjusted = benjamini_hochberg(claimed)
    pairs = zip(results, adjusted, strict=True)
    return tuple(result.model_copy(update={"q": q}) for result, q in pairs)


def environment() -> dict[str, str]:
    """Name the versions that numbers may depend on, without importing anything."""
    found = {
        "python": platform.python_version(),
        "platform": platform.platform(),
        "processor": f"{processor()}, {os.cpu_count()} cores",
    }
    for library in LIBRARIES:
        try:
            found[library] = version(library)
        except PackageNotFoundError:
            continue
    return found


def processor() -> str:
    """Name the processor, as far as the system tells."""
    try:
        lines = Path("/proc/cpuinfo").read_text("utf-8").splitlines()
    except OSError:
        lines = []
    named = (line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    return next(named, "") or platform.processor() or platform.machine()
