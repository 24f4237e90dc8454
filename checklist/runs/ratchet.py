"""The ratchet: a baseline moves where a run is surely better, and never back."""

from __future__ import annotations

from collections.abc import Iterator

from shakeproof.results import ChecklistRecord, MetricRecord, Result, Run
from shakeproof.runs.baseline import Baseline, Since, other_data, other_question


def renewed(old: Baseline | None, new: Run) -> Run:
    """Put what ran into a baseline; an item moves only where it is new or surely better.

    So many small losses cannot add up. What cannot be compared any more is replaced; what did not
    run stays, unless its checklist has other data or asks something else now. No texts are kept.
    """
    kept = dict(old.results) if old else {}
    records = dict(old.records) if old else {}
    for record in new.checklists:
        before = records.get(record.file)
        kept = {name: one for name, one in kept.items() if _stands(one, before, record)}
        moved = {one.id: one for one in _moved(old, new, record)}
        metrics = {one.metric for one in moved.values()}
        records[record.file] = record.model_copy(
            update={"metrics": _metric_records(before, record, metrics)}
        )
        kept |= moved
    results = tuple(
        one.model_copy(update={"examples": (), "change": None}) for one in kept.values()
    )
    update = {"results": results, "checklists": tuple(records.values()), "texts": False}
    return new.model_copy(update={**update, "baseline": ""})


def _stands(result: Result, before: ChecklistRecord | None, record: ChecklistRecord) -> bool:
    """Say whether what is remembered still answers what the checklist asks."""
    if before is None or result.file != record.file:
        return True
    return not (other_data(before, record) or other_question(before, record, result))


def _moved(old: Baseline | None, new: Run, record: ChecklistRecord) -> Iterator[Result]:
    for result in new.results:
        if result.file != record.file or result.estimate is None or result.estimate.value is None:
            continue
        found = old.since(result, record) if old else Since()
        if found.change is None or found.change.improved:
            yield result


def _metric_records(
    before: ChecklistRecord | None, record: ChecklistRecord, moved: set[str]
) -> tuple[MetricRecord, ...]:
    """Keep the old record of a metric whose numbers are all old."""
    old = {one.name: one for one in before.metrics} if before else {}
    return tuple(one if one.name in moved else old.get(one.name, one) for one in record.metrics)
