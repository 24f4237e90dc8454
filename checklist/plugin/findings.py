"""Results as text in pytest's reports, which xdist sends from the workers to the main process.

Under xdist only the workers collect, so each worker also sends the records of its checklists.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from uuid import uuid4

from shakeproof.plan.items import Item
from shakeproof.results import ChecklistRecord, MetricRecord, Result, merged_usage
from shakeproof.runs.driver import Driver


class FindingsWriter:
    """Writes results as text; the record of a checklist is sent once, and again once scored.

    It is also sent again if judges were asked since.
    """

    def __init__(self, driver: Driver) -> None:
        self._driver = driver
        self._process = uuid4().hex  # names this process
        self._sent: dict[tuple[Path, str], tuple[bool, int]] = {}  # scored, calls by then

    def write(self, path: Path, item: Item, result: Result) -> str:
        """Return a result as text, with its checklist's record where that is new."""
        content: dict[str, object] = {"result": result.model_dump(mode="json")}
        state = self._driver.scored, self._driver.calls_made(path, item.data_set)
        if self._sent.get((path, item.data_set)) != state:
            self._sent[path, item.data_set] = state
            record = self._driver.record(path, item.data_set).model_dump(mode="json")
            scored, calls = state
            content |= {
                "checklist": record,
                "scored": scored,
                "calls": calls,
                "process": self._process,
            }
        return json.dumps(content)


def read_findings(texts: Iterable[str]) -> tuple[list[Result], list[ChecklistRecord]]:
    """Return the results in the order of their files and lines, and the checklists' records."""
    contents = [json.loads(text) for text in texts]
    results = [Result.model_validate(content["result"]) for content in contents]
    sent = [content for content in contents if "checklist" in content]
    sent.sort(key=lambda content: (bool(content["scored"]), content["calls"]))  # the latest last
    by_file: dict[str, dict[str, ChecklistRecord]] = {}  # then by process
    for content in sent:
        record = ChecklistRecord.model_validate(content["checklist"])
        processes = by_file.setdefault(record.file, {})
        processes.pop(content["process"], None)
        processes[content["process"]] = record
    records = [joined(list(by_file[file].values())) for file in sorted(by_file)]
    return sorted(results, key=_position), records


def joined(records: Sequence[ChecklistRecord]) -> ChecklistRecord:
    """Return the latest of a checklist's records, with what all processes asked services for."""
    *_, latest = records
    metrics = zip(*(record.metrics for record in records), strict=True)
    return latest.model_copy(update={"metrics": tuple(map(_joined_metric, metrics))})


def _joined_metric(records: Sequence[MetricRecord]) -> MetricRecord:
    usages = [record.usage for record in records if record.usage is not None]
    if not usages:
        return records[-1]
    return records[-1].model_copy(update={"usage": merged_usage(usages)})


def _position(result: Result) -> tuple[str, int, str, str, float, str]:
    where = result.file, result.line, result.metric
    return *where, result.family or "", result.level or 0.0, result.id
