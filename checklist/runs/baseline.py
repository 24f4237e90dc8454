"""A stored run as a baseline: regressions, what a new run adds to it, one stored correlation."""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path

import numpy as np

from shakeproof.errors import SpecError
from shakeproof.expectations.baseline import NoWorseThanBaseline
from shakeproof.files import shown_path
from shakeproof.metrics.files import is_file, is_there
from shakeproof.plan.items import Item, Plan
from shakeproof.results import (
    Change,
    ChangeKind,
    ChecklistRecord,
    Estimate,
    MetricRecord,
    Part,
    Result,
    Run,
    Verdict,
)
from shakeproof.runs.assemble import check_record, checklist_record
from shakeproof.runs.baseline_file import read_stored_run
from shakeproof.runs.compare import (
    check_differences,
    compare_results,
    data_differences,
    packed_estimate,
    setting_differences,
)
from shakeproof.stats.coarse import PackedEstimate, paired_estimates
from shakeproof.stats.compare import compare_estimates, pack_influence
from shakeproof.stats.pvalues import p_value_from_interval
from shakeproof.stats.verdicts import Assessment, Judgement

UNCHANGED = Estimate(value=0.0, low=0.0, high=0.0, method="unchanged")


@dataclass(frozen=True, slots=True)
class Baseline:
    """A stored run, and the name that messages give it."""

    name: str
    run: Run
    results: Mapping[str, Result] = field(init=False)
    records: Mapping[str, ChecklistRecord] = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "results", {result.id: result for result in self.run.results})
        records = {record.file: record for record in self.run.checklists}
        object.__setattr__(self, "records", records)

    def change(self, result: Result, record: ChecklistRecord) -> Change | None:
        """Compare a result with the stored one of the same id; None if there is none."""
        old, before = self.results.get(result.id), self.records.get(result.file)
        if old is None or before is None:
            return None
        return compare_results(old, result, before, record)

    def compared(self, result: Result, record: ChecklistRecord) -> Result:
        """Return the result with its change, which its message names."""
        change = self.change(result, record)
        message = f"{result.message}; {self._note(change)}"
        if change is not None and change.regressed:
            changed = f"; {change.metric_changes}" if change.metric_changes else ""
            message = f"{change.message} since {self.name}; {result.message}{changed}"
        return result.model_copy(update={"message": message, "change": change})

    def accepts(self, result: Result) -> bool:
        """Return whether the stored result is no better: as bad a verdict, and nothing got worse.

        Numbers without an interval may not get worse at all.
        """
        old, change = self.results.get(result.id), result.change
        if old is None or change is None or change.regressed:
            return False
        if change.kind is ChangeKind.NOT_COMPARABLE:
            return False
        exact = change.estimate is not None and change.estimate.low is None
        if exact and change.kind not in (ChangeKind.UNCHANGED, ChangeKind.BETTER):
            return False
        undecided = result.verdict is Verdict.INCONCLUSIVE and old.verdict is Verdict.FAIL
        return undecided or old.verdict is result.verdict

    def losses(self, run: Run) -> set[str]:
        """Return the ids of results that are significantly worse than stored, or differ from it."""
        records = {record.file: record for record in run.checklists}
        changes = {
            result.id: self.change(result, records[result.file])
            for result in run.results
            if result.file in records
        }
        kinds = (ChangeKind.WORSE, ChangeKind.HIGHER, ChangeKind.LOWER)
        return {name for name, change in changes.items() if change and change.kind in kinds}

    def _note(self, change: Change | None) -> str:
        if change is None:
            return f"new since {self.name}"
        if change.kind is ChangeKind.NOT_COMPARABLE:
            return f"not comparable with {self.name}: {change.reason}"
        notes = filter(None, [change.message, change.metric_changes])
        return f"since {self.name}: {'; '.join(notes)}"


def read_baseline(path: Path) -> Baseline:
    """Read a stored run or baseline; a file that is none raises SpecError with one line."""
    try:
        return Baseline(shown_path(path), read_stored_run(path))
    except SpecError as error:
        if is_there(path):
            raise
        way = "pytest --shakeproof-update-baseline writes it"
        raise SpecError(f"{error}; {way}") from None


def renewed(old: Baseline | None, new: Run, *, accept: bool = False) -> Run:
    """Return the baseline with a new run put into it, as a ratchet: it moves only for the better.

    A stored result is replaced where the new one is significantly better, so that many small
    losses cannot add up; with `accept`, where it differs. What can no longer be compared is
    replaced; what did not run stays, unless its checklist has other data or asks something else
    now. No texts are kept.
    """
    replaced = {ChangeKind.BETTER, ChangeKind.NOT_COMPARABLE}
    if accept:
        replaced = set(ChangeKind) - {ChangeKind.UNCHANGED}
    kept = dict(old.results) if old else {}
    records = dict(old.records) if old else {}
    for record in new.checklists:
        before = records.get(record.file)
        kept = {
            name: result for name, result in kept.items() if _still_asked(result, before, record)
        }
        moved = {result.id: result for result in _replacements(old, new, record, replaced)}
        metrics = {result.metric for result in moved.values()}
        records[record.file] = record.model_copy(
            update={"metrics": _metric_records(before, record, metrics)}
        )
        kept |= moved
    results = tuple(
        result.model_copy(update={"examples": (), "change": None}) for result in kept.values()
    )
    update = {"results": results, "checklists": tuple(records.values()), "texts": False}
    return new.model_copy(update={**update, "baseline": ""})


def _still_asked(stored: Result, before: ChecklistRecord | None, record: ChecklistRecord) -> bool:
    """Return whether a stored result answers what its checklist asks now."""
    if before is None or stored.file != record.file:
        return True
    return not [
        *data_differences(before, record),
        *check_differences(before, record, stored),
        *setting_differences(before, record, stored),
    ]


def _replacements(
    old: Baseline | None, new: Run, record: ChecklistRecord, replaced: Container[ChangeKind]
) -> Iterator[Result]:
    """Yield the results that replace or complete the stored ones."""
    for result in new.results:
        if result.file != record.file or result.estimate is None or result.estimate.value is None:
            continue
        change = old.change(result, record) if old else None
        if change is None or change.kind in replaced:
            yield result


def _metric_records(
    before: ChecklistRecord | None, record: ChecklistRecord, moved: set[str]
) -> tuple[MetricRecord, ...]:
    """Keep the old record of a metric whose numbers are all old."""
    old = {metric.name: metric for metric in before.metrics} if before else {}
    return tuple(
        metric if metric.name in moved else old.get(metric.name, metric)
        for metric in record.metrics
    )


def loss_since_stored_run(
    expect: NoWorseThanBaseline, plan: Plan, item: Item, now: Assessment
) -> Assessment:
    """Judge the loss since a stored run; without anything to compare with it is undecided."""
    parts = (Part(name="now", estimate=now.estimate), *now.parts)
    try:
        then = stored_result(expect, plan, item)
        if now.estimate.value is None:
            raise ValueError(now.judgement.message)
        packed = PackedEstimate(now.estimate.value, pack_influence(now.influence))
        change = compare_estimates(
            *paired_estimates(packed_estimate(then), packed),
            direction=-1,
            allowed=expect.tolerance,
            confidence=plan.checklist.confidence,
        )
    except ValueError as reason:
        undecided = Judgement(Verdict.INCONCLUSIVE, str(reason))
        return Assessment(Estimate(value=None, note=str(reason)), parts, undecided, np.empty(0))
    loss = change.estimate or UNCHANGED
    before = () if then.estimate is None else (Part(name="then", estimate=then.estimate),)
    p = p_value_from_interval(expect.bounds, loss)
    return Assessment(loss, (*before, *parts), replace(change.judgement, p=p), np.empty(0))


def stored_result(expect: NoWorseThanBaseline, plan: Plan, item: Item) -> Result:
    """Return the stored result of the same metric, correlation and condition.

    ValueError says why there is none. Only `correlation` checks store a correlation that can be
    compared.
    """
    path = plan.checklist.path.parent / expect.baseline
    if not is_file(path):
        way = "write one with --shakeproof-json"
        raise ValueError(f"no run is stored in {expect.baseline} yet; {way}")
    stored = _read(path, path.stat().st_mtime_ns)
    perturb, plain = item.perturb, expect.correlation
    condition: tuple[object, ...] = (None, None, None, False, ())
    if perturb is not None:
        condition = perturb.family, perturb.on, item.level, perturb.stored, item.seeds
    wanted = item.metric, plain.name, plain.quantity, *condition
    old_result = next(
        (result for result in stored.results.values() if _question(result) == wanted), None
    )
    if old_result is None:
        raise ValueError(f"{expect.baseline} has no such correlation of {item.metric!r}")
    before = stored.records[old_result.file]
    after = checklist_record(plan).model_copy(
        update={"checks": {old_result.check: check_record(plain)}}
    )
    differences = [
        *data_differences(before, after),
        *check_differences(before, after, old_result),
        *setting_differences(before, after, old_result),
    ]
    if differences:
        raise ValueError(f"not comparable with {expect.baseline}: {differences[0]}")
    return old_result


@lru_cache(maxsize=4)
def _read(path: Path, modified: int) -> Baseline:
    """Read a stored run once, until the file is modified."""
    return read_baseline(path)


def _question(result: Result) -> tuple[object, ...]:
    condition = result.family, result.field, result.level, result.stored, result.seeds
    return result.metric, result.expectation, result.quantity, *condition
