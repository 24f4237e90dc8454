"""The run as a whole, assembled once."""

from __future__ import annotations

import os
import platform
import time
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path

from shakeproof import __version__
from shakeproof.data.segments import DataSet
from shakeproof.evidence.token_matrices import keep_worst_matrices
from shakeproof.expectations import Expectation
from shakeproof.metrics.versions import NOT_INSTALLED, version_of
from shakeproof.plan.items import Plan
from shakeproof.plan.kinds import Kind
from shakeproof.plan.languages import language_of
from shakeproof.results import (
    ChecklistRecord,
    CheckRecord,
    DataRecord,
    MetricRecord,
    Outcome,
    Result,
    Run,
    UsageRecord,
)
from shakeproof.runs.config import RunConfig
from shakeproof.runs.holm import with_holm
from shakeproof.scoring.score_table import Findings
from shakeproof.spec.model import Checklist
from shakeproof.stats.pvalues import benjamini_hochberg

BOUNDS = frozenset({"at_least", "at_most", "others_at_most", "by_more_than"})  # move no estimate
LIBRARIES = ("numpy", "scipy", "torch", "transformers", "tokenizers", "sacrebleu", "rapidfuzz")


def checklist_record(
    plan: Plan,
    findings: Findings | None = None,
    *,
    texts: bool = True,
    usage: Mapping[str, UsageRecord] | None = None,
) -> ChecklistRecord:
    """Record a checklist as it was run; without texts, segments written in it are left out."""
    checklist = plan.checklist
    return ChecklistRecord(
        file=plan.file,
        title=checklist.title,
        sha256=checklist.sha256,
        text=checklist.text if texts else checklist.text_without_segments,
        seed=checklist.seed,
        seeds=checklist.seeds,
        confidence=checklist.confidence,
        draws=checklist.draws,
        interval=checklist.interval,
        tolerance=checklist.tolerance,
        cluster=checklist.cluster,
        missing_at_most=checklist.missing_at_most,
        families=dict(checklist.declared_families),
        summaries=summaries_of(checklist),
        checks={check.name: check_record(check.expect) for check in checklist.checks},
        data=tuple(
            data_record(data, kinds, language_of_data(checklist, kinds))
            for data, kinds in zip(plan.data, plan.kinds, strict=True)
        ),
        metrics=tuple(
            metric_record(plan, findings or Findings(), name, texts=texts).model_copy(
                update={"usage": (usage or {}).get(name)}
            )
            for name in checklist.metrics
        ),
    )


def summaries_of(checklist: Checklist) -> dict[str, str]:
    """Say in a sentence each what the families of the checks do; stored texts have no family."""
    names = (perturb.family for check in checklist.checks for perturb in check.perturb)
    families = {name: checklist.families.get(name) for name in names}
    return {name: family.summary for name, family in families.items() if family is not None}


def check_record(expect: Expectation) -> CheckRecord:
    """Record what a check asks, whatever its bounds are."""
    settings = expect.model_dump(mode="json", by_alias=True, exclude=set(BOUNDS))
    return CheckRecord(expectation=expect.name, settings=settings)


def language_of_data(checklist: Checklist, kinds: Iterable[Kind]) -> str | None:
    """Return the language that the candidates of a data set are declared to be in, or several."""
    declared = {language_of(checklist, kind.first, "candidate") for kind in kinds}
    return ", ".join(sorted(filter(None, declared))) or None


def data_record(data: DataSet, kinds: Sequence[Kind], language: str | None) -> DataRecord:
    """Record a data set as it was read."""
    return DataRecord(
        name=data.name,
        sha256=data.sha256,
        segments=len(data.segments),
        candidates=sum(kind.candidates for kind in kinds),
        rated=sum(kind.rated for kind in kinds),
        preferences=sum(kind.preferences for kind in kinds),
        surrogates=data.surrogates,
        language=language,
        licence=data.licence,
        citation=data.citation,
    )


def metric_record(plan: Plan, findings: Findings, name: str, *, texts: bool = True) -> MetricRecord:
    """Record a metric as it was run."""
    spec = plan.checklist.metrics[name]
    metric = findings.metrics.get(name, plan.metrics.get(name))
    reason = {**plan.failures, **findings.failures}.get(name, "")
    return MetricRecord(
        name=name,
        kind=spec.kind,
        settings=spec.options.model_dump(mode="json"),
        signature=metric.signature if metric else f"not run: {reason}",
        facts=dict(findings.facts.get(name, {})),
        missing=tuple(one.record(texts=texts) for one in findings.missing.get(name, ())),
    )


def assemble_run(
    results: Sequence[Result],
    checklists: Sequence[ChecklistRecord],
    config: RunConfig,
    *,
    started: float,
    command: str,
) -> Run:
    """Make one run of what its items found; `started` is a time in seconds, as of time.time()."""
    return Run(
        shakeproof=__version__,
        started=datetime.fromtimestamp(started, UTC).isoformat(timespec="seconds"),
        seconds=round(time.time() - started, 1),
        command=command,
        environment=environment(),
        settings=config.recorded,
        checklists=tuple(checklists),
        results=with_holm(with_q(keep_worst_matrices(results))),
        texts=config.texts,
        baseline=config.baseline_name,
    )


def with_q(results: Sequence[Result]) -> tuple[Result, ...]:
    """Add q-values over the run; known failures and warnings are not counted as claims."""
    aside = {Outcome.KNOWN_FAILURE, Outcome.WARNED}
    claimed = [None if result.outcome in aside else result.p for result in results]
    adjusted = benjamini_hochberg(claimed)
    pairs = zip(results, adjusted, strict=True)
    return tuple(result.model_copy(update={"q": q}) for result, q in pairs)


def environment() -> dict[str, str]:
    """Return the versions that numbers may depend on, without importing anything."""
    versions = {library: version_of(library) for library in LIBRARIES}
    return {
        "python": platform.python_version(),
        "platform": platform.platform(),
        "processor": f"{processor()}, {os.cpu_count()} cores",
        **{library: number for library, number in versions.items() if number != NOT_INSTALLED},
    }


def processor() -> str:
    """Return the name of the processor, as far as the system tells it."""
    try:
        lines = Path("/proc/cpuinfo").read_text("utf-8").splitlines()
    except OSError:
        lines = []
    named = (line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    return next(named, "") or platform.processor() or platform.machine()
