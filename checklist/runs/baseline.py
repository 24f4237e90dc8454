"""A stored run as a baseline: regressions, what a new run adds to it, one stored correlation."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path

import numpy as np

from shakeproof.expectations.baseline import NoWorseThanBaseline
from shakeproof.files import shown_path
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
from shakeproof.runs.archive import read_run
from shakeproof.spec.positions import read_yaml
from shakeproof.stats.compare import (
    ItemChange,
    StoredEstimate,
    compare_runs,
    default_tolerance,
    unpack_influence,
    worse_direction,
)
from shakeproof.stats.messages import describe_estimate

BOUNDS = frozenset({"at_least", "at_most", "by_more_than"})  # they move no estimate


@dataclass(frozen=True, slots=True)
class Since:
    """How an item compares with what the baseline remembers of it."""

    change: ItemChange | None = None  # None: there is nothing to compare with
    note: str = ""
    estimate: Estimate | None = None  # of the change, upwards


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
            message = f"{change.message} since {self.name}; {result.message}"
        return result.model_copy(update={"message": message, "change": change})

    def _note(self, change: Change | None) -> str:
        if change is None:
            return f"new since {self.name}"
        if change.kind is ChangeKind.NOT_COMPARABLE:
            return f"not comparable with {self.name}: {change.reason}"
        notes = filter(None, [change.message, change.metric_changes])
        return f"since {self.name}: {'; '.join(notes)}"


def read_baseline(path: Path) -> Baseline:
    """Read a stored run; a file that is none raises SpecError with one line."""
    return Baseline(shown_path(path), read_run(path))


def renewed(old: Baseline | None, new: Run) -> Run:
    """Return the baseline with a new run put into it, as a ratchet: it moves only for the better.

    A stored result is replaced where the new one is significantly better, so that many small
    losses cannot add up. What can no longer be compared is replaced; what did not run stays,
    unless its checklist has other data or asks something else now. No texts are kept.
    """
    kept = dict(old.results) if old else {}
    records = dict(old.records) if old else {}
    for record in new.checklists:
        before = records.get(record.file)
        kept = {
            name: result for name, result in kept.items() if _still_asked(result, before, record)
        }
        moved = {result.id: result for result in _replacements(old, new, record)}
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


def _replacements(old: Baseline | None, new: Run, record: ChecklistRecord) -> Iterator[Result]:
    """Yield the results that replace or complete the stored ones."""
    for result in new.results:
        if result.file != record.file or result.estimate is None or result.estimate.value is None:
            continue
        change = old.change(result, record) if old else None
        if change is None or change.kind in (ChangeKind.BETTER, ChangeKind.NOT_COMPARABLE):
            yield result


def other_question(before: ChecklistRecord, after: ChecklistRecord, result: Result) -> str:
    """Say what two checklists ask differently under one id, or nothing; bounds may differ."""
    if _expected(before, result.check) != _expected(after, result.check):
        return "other settings of the expectation"
    return other_setting(before, after, result)


def other_setting(before: ChecklistRecord, after: ChecklistRecord, result: Result) -> str:
    """Say what two checklists set differently around a result, or nothing."""
    if _kind(before, result.metric) != _kind(after, result.metric):
        return "another kind of metric"
    if _top(before, "cluster") != _top(after, "cluster"):
        return "other segments are drawn together"
    if _declared(before, result.family) != _declared(after, result.family):
        return f"family {result.family!r} is declared otherwise"
    return ""


def _size(data: DataRecord) -> tuple[int, ...]:
    return data.segments, data.candidates, data.rated, data.preferences


def _kind(record: ChecklistRecord, metric: str) -> str:
    return next((one.kind for one in record.metrics if one.name == metric), "")


@lru_cache(maxsize=16)
def _content(text: str, file: str) -> dict[str, Any]:
    content = read_yaml(text, file).content
    return content if isinstance(content, dict) else {}


def _top(record: ChecklistRecord, key: str) -> object:
    return _content(record.text, record.file).get(key)


def _tolerance(record: ChecklistRecord, unit: str) -> float:
    """Read the change that the checklist overlooks, or take the default."""
    written, kind = _top(record, "tolerance"), "spread" if unit == "spreads" else "correlation"
    found = written.get(kind) if isinstance(written, dict) else None
    return default_tolerance(unit) if found is None else float(found)


def _expected(record: ChecklistRecord, check: str) -> object:
    """Read what a check expected, as written, bounds left out."""
    checks: Any = _top(record, "checks") or []
    found = next((one.get("expect") for one in checks if one.get("check") == check), None)
    if not isinstance(found, dict):
        return found, {}
    (name, settings), *_ = found.items()
    return name, {key: one for key, one in (settings or {}).items() if key not in BOUNDS}


def _declared(record: ChecklistRecord, family: str | None) -> object:
    """Read the checklist's own families, if the one asked for is among them."""
    families: Any = _top(record, "families") or {}
    return families if family in families else None


def _change(old: Result, new: Result, *, allowed: float) -> ItemChange:
    return compare_runs(
        remembered(old),
        remembered(new),
        direction=worse_direction(new.bounds),
        allowed=allowed,
        confidence=new.estimate.confidence if new.estimate else 0.95,
    )


def remembered(result: Result) -> StoredEstimate:
    """Take from a result what a comparison needs."""
    value = result.estimate.value if result.estimate else None
    return StoredEstimate(
        float("nan") if value is None else value, unpack_influence(result.influence)
    )


def stored_result(expect: NoWorseThanBaseline, plan: Plan, item: Item) -> Result:
    """Return the stored result of the same metric, correlation and condition.


def _state(change: ItemChange, result: Result) -> str:
    """Write the change as better, worse or merely other."""
    found = change.estimate
    if found is None:
        return "unchanged"
    if not worse_direction(result.bounds):
        return describe_estimate(found, "changed by")
    if found.value is not None and found.value < 0:
        return describe_estimate(_turned(found), "better by")
    return describe_estimate(found, "worse by")


def _upwards(change: ItemChange, result: Result) -> Estimate:
    """Count a higher estimate as positive, whichever way is worse."""
    if change.estimate is None:
        return Estimate(value=0.0, low=0.0, high=0.0, method="unchanged")
    return _turned(change.estimate) if worse_direction(result.bounds) < 0 else change.estimate


def _question(result: Result) -> tuple[object, ...]:
    condition = result.family, result.field, result.level, result.stored, result.seeds
    return result.metric, result.expectation, result.quantity, *condition
