"""Results as text in pytest's reports, which xdist sends from the workers to the main process.

Under xdist only the workers collect, so each worker also sends the records of its checklists.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path

from shakeproof.plan.items import Item
from shakeproof.results import ChecklistRecord, Result
from shakeproof.runs.driver import Driver


class FindingsWriter:
    """Writes results as text; the record of a checklist is sent once, and again once scored."""

    def __init__(self, driver: Driver) -> None:
        self._driver = driver
        self._sent: dict[tuple[Path, str], bool] = {}  # whether it was scored by then

    def write(self, path: Path, item: Item, result: Result) -> str:
        """Return a result as text, with its checklist's record where that is new."""
        content: dict[str, object] = {"result": result.model_dump(mode="json")}
        scored = self._driver.scored
        if self._sent.get((path, item.data_set)) is not scored:
            self._sent[path, item.data_set] = scored
            record = self._driver.record(path, item.data_set).model_dump(mode="json")
            content |= {"checklist": record, "scored": scored}
        return json.dumps(content)


def read_findings(texts: Iterable[str]) -> tuple[list[Result], list[ChecklistRecord]]:
    """Return the results in the order of their files and lines, and the checklists' records."""
    contents = [json.loads(text) for text in texts]
    results = [Result.model_validate(content["result"]) for content in contents]
    sent = [content for content in contents if "checklist" in content]
    sent.sort(key=lambda content: bool(content["scored"]))  # records after scoring come last
    records = {
        content["checklist"]["file"]: ChecklistRecord.model_validate(content["checklist"])
        for content in sent
    }
    return sorted(results, key=_position), [records[file] for file in sorted(records)]


def _position(result: Result) -> tuple[str, int, str, str, float, str]:
    where = result.file, result.line, result.metric
    return *where, result.family or "", result.level or 0.0, result.id
