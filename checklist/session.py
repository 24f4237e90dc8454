"""What the checklists of one process share: settings, plans, scores."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from shakeproof.examine import MetricFailed, blank, examine
from shakeproof.metrics.cache import Cache
from shakeproof.metrics.engine import Engine, MissingScores
from shakeproof.metrics.settings import Settings
from shakeproof.observe import Observer
from shakeproof.plan import Plan, PlannedItem
from shakeproof.records import checklist_record
from shakeproof.results import Outcome, Result
from shakeproof.scoring import score


@dataclass(slots=True)
class Session:
    """Reads, scores and judges; scoring happens once, before the first item."""

    settings: Settings
    cache: Cache
    engine: Engine
    limit: int | None = None
    instead: Mapping[str, str] = field(default_factory=dict)
    strict: bool = False
    with_texts: bool = True
    observers: dict[Path, Observer] = field(default_factory=dict)
    scored: bool = False
    told: set[Path] = field(default_factory=set)  # checklists whose record was handed over

    def add(self, path: Path, plan: Plan) -> None:
        """Take a checklist in."""
        self.observers[path] = Observer(plan, self.engine)

    def score(self, chosen: Iterable[tuple[Path, PlannedItem]]) -> None:
        """Score what the chosen items still lack, the first time this is called."""
        if self.scored:
            return
        self.scored = True
        work: dict[Path, list[PlannedItem]] = {}
        for path, item in chosen:
            work.setdefault(path, []).append(item)
        score(
            self.engine, self.cache, [(self.observers[path], items) for path, items in work.items()]
        )

    def examine(self, path: Path, item: PlannedItem) -> Result:
        """Judge one item."""
        try:
            return examine(self.observers[path], item, with_texts=self.with_texts)
        except MissingScores as error:
            raise MetricFailed(f"metric {item.metric!r}: {error}") from None

    def finished(
        self, path: Path, item: PlannedItem, found: Result | None, outcome: Outcome, text: str
    ) -> Result:
        """Complete a result by its outcome; an item that broke has nothing else to tell."""
        if found is not None and outcome is not Outcome.ERROR:
            return found.model_copy(update={"outcome": outcome, "reason": text})
        empty = blank(self.observers[path].plan, item, outcome)
        lines = text.strip().splitlines() or [""]
        key = "reason" if outcome is Outcome.SKIPPED else "message"
        return empty.model_copy(update={key: lines[0]})

    def findings(self, path: Path, result: Result) -> str:
        """Write a result as text, with the checklist's record the first time."""
        found: dict[str, object] = {"result": result.model_dump(mode="json")}
        if path not in self.told:
            self.told.add(path)
            found["checklist"] = checklist_record(self.observers[path].plan).model_dump(mode="json")
        return json.dumps(found)
