"""What the checklists of one process share: settings, plans, scores."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from contextlib import AbstractContextManager, nullcontext, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeAlias

from shakeproof.errors import SpecError
from shakeproof.evidence.search.minimal import Effort
from shakeproof.metrics.engine.cache import Cache
from shakeproof.metrics.engine.engine import Engine, MissingScores
from shakeproof.metrics.settings import Settings
from shakeproof.plan.items import Item, Plan
from shakeproof.results import ChecklistRecord, Outcome, Result
from shakeproof.runs.assemble import checklist_record
from shakeproof.runs.baseline import Baseline
from shakeproof.runs.evaluate import MetricFailed, adjusted, blank, examine
from shakeproof.runs.outcomes import is_known_failure
from shakeproof.scoring.rates import Stopwatch
from shakeproof.scoring.score_table import ScoreTable
from shakeproof.scoring.step import score
from shakeproof.scoring.truncation import with_truncation
from shakeproof.scoring.tuning import tune, with_facts

Key: TypeAlias = tuple[Path, str, str, str]  # what tells items apart


def _key(path: Path, item: Item) -> Key:
    return path, item.metric, item.check.name, item.name


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
    holm: bool = False  # take back failures that do not survive Holm over the run
    search_budget: int = 0  # scores that a search for the fewest edits may cost, for each item
    matrices: bool = True  # compare tokens where BERTScore broke, which takes its model
    watch: Stopwatch | None = None  # keeps how fast scorers were
    shown: AbstractContextManager[Any] | None = None  # where progress is shown meanwhile
    baseline: Baseline | None = None  # a stored run that results are compared with
    score_tables: dict[Path, ScoreTable] = field(default_factory=dict)
    chosen: list[tuple[Path, Item]] | None = None  # once scored
    judged: dict[Key, Result] = field(default_factory=dict)
    told: dict[Path, bool] = field(default_factory=dict)  # records handed over: after scoring?
    _records: dict[Path, ChecklistRecord] = field(default_factory=dict)

    def add(self, path: Path, plan: Plan) -> None:
        """Take a checklist in."""
        self.score_tables[path] = ScoreTable(plan, self.engine)

    def score(self, chosen: Iterable[tuple[Path, Item]]) -> None:
        """Score what the chosen items still lack, the first time this is called."""
        if self.chosen is not None:
            return
        self.chosen = list(chosen)
        work: dict[Path, list[Item]] = {}
        for path, item in self.chosen:
            work.setdefault(path, []).append(item)
        with self.shown or nullcontext():
            score(
                self.engine,
                self.cache,
                [(self.score_tables[path], items) for path, items in work.items()],
            )
        if self.watch:
            self.watch.keep(self.cache.path)
        for path, items in work.items():
            score_table = self.score_tables[path]
            score_table.plan = tune(score_table.plan, items, self.engine)
            score_table.plan = with_truncation(score_table, items)

    def examine(self, path: Path, item: Item) -> Result:
        """Judge one item and, where there is a baseline, say what changed since."""
        found = self._judged(path, item)
        return self.baseline.judged(found, self.record(path)) if self.baseline else found

    def _judged(self, path: Path, item: Item) -> Result:
        """Judge one item, by itself or, with Holm, among all that were chosen."""
        if not self.holm:
            return self._examined(path, item)
        if not self.judged:
            self.judged = self._judge_all()
        found = self.judged.get(_key(path, item))
        return self._examined(path, item) if found is None else found

    def _examined(self, path: Path, item: Item) -> Result:
        try:
            with self.shown or nullcontext():  # what fails may be looked into, with more scores
                return examine(
                    self.score_tables[path],
                    item,
                    with_texts=self.with_texts,
                    effort=Effort(self.search_budget, matrices=self.matrices),
                )
        except MissingScores as error:
            raise MetricFailed(f"metric {item.metric!r}: {error}") from None

    def _judge_all(self) -> dict[Key, Result]:
        """Judge every chosen item, those that break or claim nothing left out, and adjust."""
        results: dict[Key, Result] = {}
        for path, item in self.chosen or ():
            if is_known_failure(item) or item.check.severity == "warn":
                continue
            with suppress(MetricFailed, SpecError):
                results[_key(path, item)] = self._examined(path, item)
        return dict(zip(results, adjusted(list(results.values())), strict=True))

    def finished(
        self, path: Path, item: Item, found: Result | None, outcome: Outcome, text: str
    ) -> Result:
        """Complete a result by its outcome; an item that broke has nothing else to tell."""
        if found is not None and outcome is not Outcome.ERROR:
            return found.model_copy(update={"outcome": outcome, "reason": text})
        empty = blank(self.score_tables[path].plan, item, outcome)
        lines = text.strip().splitlines() or [""]
        key = "reason" if outcome is Outcome.SKIPPED else "message"
        return empty.model_copy(update={key: lines[0]})

    def record(self, path: Path) -> ChecklistRecord:
        """Write a checklist down as it was run; kept once all is scored, and so all is known."""
        if path in self._records:
            return self._records[path]
        plan = self.score_tables[path].plan
        found = with_facts(checklist_record(plan, texts=self.with_texts), plan.facts)
        if self.chosen is not None:
            self._records[path] = found
        return found

    def findings(self, path: Path, result: Result) -> str:
        """Write a result as text, with its checklist's record where that says something new."""
        found: dict[str, object] = {"result": result.model_dump(mode="json")}
        scored = self.chosen is not None
        if self.told.get(path) is not scored:
            self.told[path] = scored
            found |= {"checklist": self.record(path).model_dump(mode="json"), "scored": scored}
        return json.dumps(found)
