"""A stored run as a baseline: what changed since, and what to remember of a new run."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any

from shakeproof.files import shown_path
from shakeproof.results import (
    ChecklistRecord,
    DataRecord,
    Estimate,
    Outcome,
    Result,
    Run,
    Verdict,
    other_questions,
)
from shakeproof.runs.archive import read_run
from shakeproof.spec.positions import read_yaml
from shakeproof.stats.compare import Change, Remembered, compare_runs, harmful, tolerance
from shakeproof.stats.influence import unpacked
from shakeproof.stats.wording import Words

BOUNDS = frozenset({"at_least", "at_most", "by_more_than"})  # they move no estimate


@dataclass(frozen=True, slots=True)
class Since:
    """How an item compares with what the baseline remembers of it."""

    change: Change | None = None  # None: there is nothing to compare with
    note: str = ""
    estimate: Estimate | None = None  # of the change, upwards


@dataclass(frozen=True, slots=True)
class Baseline:
    """A stored run under the name it goes by."""

    name: str
    run: Run
    results: Mapping[str, Result] = field(init=False)
    records: Mapping[str, ChecklistRecord] = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "results", {one.id: one for one in self.run.results})
        object.__setattr__(self, "records", {one.file: one for one in self.run.checklists})

    def since(self, result: Result, record: ChecklistRecord) -> Since:
        """Compare a result with what is remembered under the same id."""
        old, before = self.results.get(result.id), self.records.get(result.file)
        if old is None or before is None:
            return Since(note=f"new since {self.name}")
        if reason := next(differences(old, result, before, record), ""):
            return Since(note=f"not comparable with {self.name}: {reason}")
        if not (old.influence and result.influence):
            return Since(note=exact_note(old, result, self.name))
        try:
            change = _change(old, result, allowed=_tolerance(record, result.unit))
        except ValueError as error:
            return Since(note=f"{self.name}: {error}")
        said = [_state(change, result), _other_metric(before, record, result.metric)]
        note = f"since {self.name}: {'; '.join(filter(None, said))}"
        return Since(change, note, _upwards(change, result))

    def judged(self, result: Result, record: ChecklistRecord) -> Result:
        """Add the change to a result; a regression fails it, anything else is a note."""
        found = self.since(result, record)
        if found.change is not None and found.change.regressed:
            regression = f"{found.change.judgement.message} since {self.name}"
            update = {"message": f"{regression}; {result.message}", "outcome": Outcome.FAILED}
        else:
            update = {"message": f"{result.message}; {found.note}"}
        return result.model_copy(update={**update, "change": found.estimate})


def read_baseline(path: Path) -> Baseline:
    """Read a stored run, or say in one line why it is none."""
    return Baseline(shown_path(path), read_run(path))


def regressed(result: Result) -> bool:
    """Say whether a result fails for what it was before, not for what is expected of it."""
    failed = result.change is not None and result.outcome is Outcome.FAILED
    return failed and result.verdict is not Verdict.FAIL


def differences(
    old: Result, new: Result, before: ChecklistRecord, after: ChecklistRecord
) -> Iterator[str]:
    """Name what makes two results incomparable: other data, another question, other seeds."""
    if reason := other_data(before, after):
        yield reason
    yield from other_questions(old, new)
    if reason := other_question(before, after, new):
        yield reason
    for when, one in (("then", old), ("now", new)):
        if one.estimate is None or one.estimate.value is None:
            yield f"no estimate {when}"


def other_data(before: ChecklistRecord, after: ChecklistRecord) -> str:
    """Say how the data differ, or nothing."""
    if [one.sha256 for one in before.data] != [one.sha256 for one in after.data]:
        return "other data or ratings"
    if [_size(one) for one in before.data] != [_size(one) for one in after.data]:
        return "another part of the data"
    return "another seed" if before.seed != after.seed else ""


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
    return tolerance(unit) if found is None else float(found)


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


def _change(old: Result, new: Result, *, allowed: float) -> Change:
    return compare_runs(
        remembered(old),
        remembered(new),
        direction=harmful(new.bounds),
        allowed=allowed,
        confidence=new.estimate.confidence if new.estimate else 0.95,
    )


def remembered(result: Result) -> Remembered:
    """Take from a result what a comparison needs."""
    value = result.estimate.value if result.estimate else None
    return Remembered(float("nan") if value is None else value, unpacked(result.influence))


def exact_note(old: Result, new: Result, name: str) -> str:
    """Compare what has no interval, such as the violations of an axiom: told, never judged."""
    values = [one.estimate.value if one.estimate else None for one in (old, new)]
    if values[0] == values[1]:
        return f"unchanged since {name}"
    return f"{values[0]:g} in {name}"


def _state(change: Change, result: Result) -> str:
    """Write the change as better, worse or merely other."""
    found = change.estimate
    if found is None:
        return "unchanged"
    if not harmful(result.bounds):
        return Words("changed by").state(found)
    if found.value is not None and found.value < 0:
        return Words("better by").state(_turned(found))
    return Words("worse by").state(found)


def _upwards(change: Change, result: Result) -> Estimate:
    """Count a higher estimate as positive, whatever is harmful."""
    if change.estimate is None:
        return Estimate(value=0.0, low=0.0, high=0.0, method="unchanged")
    return _turned(change.estimate) if harmful(result.bounds) < 0 else change.estimate


def _turned(found: Estimate) -> Estimate:
    value, low, high = (
        None if one is None else -one for one in (found.value, found.high, found.low)
    )
    return found.model_copy(update={"value": value, "low": low, "high": high})


def _other_metric(before: ChecklistRecord, after: ChecklistRecord, metric: str) -> str:
    """Say what else a metric is now: its weights, its versions, its settings."""
    then, now = (_signature(record, metric).split("|") for record in (before, after))
    gone = [part for part in then if part not in now]
    come = [part for part in now if part not in then]
    if not (gone or come):
        return ""
    return f"another metric, {', '.join(gone) or 'less'} then, {', '.join(come) or 'less'} now"


def _signature(record: ChecklistRecord, metric: str) -> str:
    return next((one.signature for one in record.metrics if one.name == metric), "")
