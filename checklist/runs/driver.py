"""The driver: every checklist is planned, scored and evaluated here.

pytest evaluates one item at a time, after scoring all that it selected; Python, studies and
commands run whole checklists with `run_checklists`.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext, suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, TypeAlias

from shakeproof.errors import SpecError
from shakeproof.evidence.token_matrices import MatrixBudget, add_matrices
from shakeproof.metrics.engine.cache import Cache
from shakeproof.metrics.engine.engine import Engine, Progress
from shakeproof.plan.items import Item, Place, Plan, make_plan
from shakeproof.plan.perturbed import FamilyFailed
from shakeproof.results import (
    ChecklistRecord,
    Outcome,
    Result,
    Run,
    UsageRecord,
    Verdict,
    outcome_of,
)
from shakeproof.runs.assemble import assemble_run, checklist_record
from shakeproof.runs.baseline import read_baseline
from shakeproof.runs.config import RunConfig
from shakeproof.runs.evaluate import MetricFailed, empty_result, evaluate
from shakeproof.runs.holm import adjusted, is_claim
from shakeproof.runs.judge_usage import Judge, find_judges, usage_record
from shakeproof.runs.requirements import first_unmet
from shakeproof.runs.workers import with_workers
from shakeproof.scoring.cache_errors import cache_errors
from shakeproof.scoring.progress import preparing
from shakeproof.scoring.rates import Stopwatch
from shakeproof.scoring.score_table import ScoreTable
from shakeproof.scoring.step import score
from shakeproof.spec.model import Checklist, split_data_sets

Selected: TypeAlias = tuple[Path, Item]  # an item, and the checklist it belongs to
TableKey: TypeAlias = tuple[Path, str]  # a checklist, and its data set if it has separate ones
Facts: TypeAlias = Mapping[str, Mapping[str, Any]]  # by metric


class Driver:
    """Plans checklists, scores what the selected items need, and evaluates items."""

    def __init__(
        self,
        config: RunConfig,
        cache: Cache,
        progress: Callable[[Progress], None] | None = None,
        display: AbstractContextManager[Any] | None = None,
    ) -> None:
        self.config = config
        self.cache = cache
        self.baseline = read_baseline(config.baseline) if config.baseline else None
        self._stopwatch = Stopwatch(progress)
        self.engine = Engine(cache, progress=self._stopwatch)
        self._display = display or nullcontext()
        self._tables: dict[TableKey, ScoreTable] = {}
        self._judges: dict[TableKey, list[Judge]] = {}
        self._selected: list[Selected] | None = None  # once scored
        self._not_scored: Exception | None = None  # why the scoring step broke off
        self._adjusted: dict[str, Result] | None = None  # by id, once Holm was applied
        self._failed: dict[str, tuple[ScoreTable, Item]] = {}  # by id, for their examples
        self._matrices = MatrixBudget()

    def plan(self, checklist: Checklist, data: Mapping[str, Place] | None = None) -> Plan:
        """Read the data of a checklist and build its metrics; `data`: what to read instead."""
        instead: dict[str, Place] = {**self.config.data_paths, **self.config.tables, **(data or {})}
        plan = make_plan(checklist, self.config.settings, limit=self.config.limit, instead=instead)
        self._tables[checklist.path, checklist.data_set] = ScoreTable(plan, self.engine)
        return plan

    @property
    def scored(self) -> bool:
        """Return whether the scoring step is done."""
        return self._selected is not None

    def score(self, selected: Iterable[Selected]) -> None:
        """Score what the selected items need; only the first call does anything."""
        if self.scored:
            return
        self._selected = list(selected)
        by_table: dict[TableKey, list[Item]] = {}
        for path, item in self._selected:
            by_table.setdefault((path, item.data_set), []).append(item)
        work = [(self._tables[key], items) for key, items in by_table.items()]
        begin = partial(self._stopwatch, preparing())
        plans = [table.plan for table, _ in work]
        try:
            with self._display, cache_errors(), with_workers(self.engine, self.config, plans):
                tables = score(self.engine, self.cache, work, begin=begin)
        except Exception as error:
            self._not_scored = error
            raise
        self._stopwatch.keep(self.cache.path)
        self._tables.update(zip(by_table, tables, strict=True))

    def unmet(self, path: Path, item: Item) -> str:
        """Return why an item cannot run with its metric or on this machine, or nothing."""
        settings = replace(self.config.settings, folder=path.parent)
        return item.skip or first_unmet(item.check.requires, settings)

    def evaluate(self, path: Path, item: Item) -> Result:
        """Evaluate an item up to its outcome.

        A mistake of the user raises SpecError, a metric that does not work MetricFailed.
        """
        result = self._judged(path, item)
        if self.baseline:
            result = self.baseline.compared(result, self.record(path, item.data_set))
        known = item.known_failure
        accepted = bool(
            self.config.only_regressions and self.baseline and self.baseline.accepts(result)
        )
        outcome = outcome_of(
            result.verdict or Verdict.INCONCLUSIVE,
            known_failure=result.known_failure,
            severity=result.severity,
            regressed=result.change is not None and result.change.regressed,
            accepted=accepted,
        )
        reason = known.reason if known else ""
        if outcome is Outcome.KNOWN_FAILURE and not known and self.baseline:
            reason = f"failed in {self.baseline.name} too, and is no worse"
        update = {"outcome": outcome, "accepted": accepted, "reason": reason}
        return result.model_copy(update=update)

    def _judged(self, path: Path, item: Item) -> Result:
        """Judge an item, by itself or, with Holm, among all that were selected."""
        if self.config.adjust == "none":
            return self._evaluated(path, item)
        if self._adjusted is None:
            self._adjusted = self._adjust_all()
        key = empty_result(self._plan_of(path, item), item, Outcome.SKIPPED).id
        return self._adjusted.get(key) or self._evaluated(path, item)

    def _adjust_all(self) -> dict[str, Result]:
        """Judge every selected item that makes a claim, and adjust the verdicts."""
        results: list[Result] = []
        for path, item in self._selected or ():
            if not is_claim(empty_result(self._plan_of(path, item), item, Outcome.SKIPPED)):
                continue
            with suppress(MetricFailed, SpecError):
                results.append(self._evaluated(path, item))
        return {result.id: result for result in adjusted(results)}

    def _plan_of(self, path: Path, item: Item) -> Plan:
        return self._tables[path, item.data_set].plan

    def _evaluated(self, path: Path, item: Item) -> Result:
        if self._not_scored:
            raise self._not_scored
        table = self._tables[path, item.data_set]
        texts = self.config.texts
        asks = any(judge.metric == item.metric for judge in self._judges_of(path, item.data_set))
        search_budget = 0 if asks else self.config.search  # answers cost money, and are not planned
        try:
            with self._display, cache_errors():  # examples of a failure may need more scores
                result = evaluate(table, item, with_texts=texts, search_budget=search_budget)
        except FamilyFailed as error:
            traceback = error.failure.traceback if texts else ""
            raise MetricFailed(error.described(texts=texts), traceback) from None
        if result.verdict is Verdict.FAIL:
            self._failed[result.id] = table, item
        return result

    def with_matrices(self, results: Sequence[Result]) -> list[Result]:
        """Add token matrices to the worst examples; what earlier calls added counts."""
        if not self.config.matrices:
            return list(results)
        with self._display:
            return add_matrices(results, self._failed, self._matrices, self.cache)

    def ended(self, path: Path, item: Item, outcome: Outcome, text: str) -> Result:
        """Return the result of an item that was skipped or broke; the text says why."""
        result = empty_result(self._plan_of(path, item), item, outcome)
        first_line = next(iter(text.strip().splitlines()), "")
        key = "reason" if outcome is Outcome.SKIPPED else "message"
        return result.model_copy(update={key: first_line})

    def record(
        self, path: Path, data_set: str = "", *, facts: Facts | None = None
    ) -> ChecklistRecord:
        """Record a checklist as it was run, with more facts about its metrics if there are any."""
        table = self._tables[path, data_set]
        findings = table.findings
        if facts:
            known = {name: {**findings.facts.get(name, {}), **facts[name]} for name in facts}
            findings = replace(findings, facts={**findings.facts, **known})
        usage = self._usage(path, data_set)
        return checklist_record(table.plan, findings, texts=self.config.texts, usage=usage)

    def calls_made(self, path: Path, data_set: str) -> int:
        """Return how many calls this process made, 0 for a checklist that asks no service."""
        used = self.engine.used() if self._judges_of(path, data_set) else {}
        return sum(usage.calls for by_model in used.values() for usage in by_model.values())

    def _usage(self, path: Path, data_set: str) -> dict[str, UsageRecord]:
        """Record what the metrics of a checklist that ask a service cost so far."""
        judges = self._judges_of(path, data_set)
        if not judges:
            return {}
        cached, used = self.engine.usage(), self.engine.used()
        texts = self.config.texts
        return {judge.metric: usage_record(judge, cached, used, texts=texts) for judge in judges}

    def _judges_of(self, path: Path, data_set: str) -> list[Judge]:
        """Return the metrics of a checklist that ask a service, found at first use."""
        if (path, data_set) not in self._judges:
            self._judges[path, data_set] = find_judges(self._tables[path, data_set].plan)
        return self._judges[path, data_set]


def run_checklists(
    checklists: Sequence[Checklist],
    config: RunConfig,
    cache: Cache,
    *,
    command: str,
    progress: Callable[[Progress], None] | None = None,
    data: Mapping[Path, Mapping[str, Place]] | None = None,
    facts: Callable[[Plan], Facts] | None = None,
) -> Run:
    """Run checklists as one run; `data` names, for a checklist's path, what to read instead.

    A checklist with separate data sets is run for each of them. `facts` may add what else is to be
    recorded about the metrics of a plan.
    """
    started = time.time()
    driver = Driver(config, cache, progress)
    plans = [
        driver.plan(part, (data or {}).get(part.path))
        for checklist in checklists
        for part in split_data_sets(checklist)
    ]
    items = [(plan.checklist.path, item) for plan in plans for item in plan.items]
    unmet = [driver.unmet(path, item) for path, item in items]
    driver.score(selected for selected, reason in zip(items, unmet, strict=True) if not reason)
    results = [
        _result(driver, path, item, reason)
        for (path, item), reason in zip(items, unmet, strict=True)
    ]
    return assemble_run(
        driver.with_matrices(results),
        [
            driver.record(
                plan.checklist.path, plan.checklist.data_set, facts=facts(plan) if facts else None
            )
            for plan in plans
        ],
        config,
        started=started,
        command=command,
    )


def _result(driver: Driver, path: Path, item: Item, unmet: str) -> Result:
    """Evaluate an item; one that cannot run here is skipped, one that breaks is an error."""
    if unmet:
        return driver.ended(path, item, Outcome.SKIPPED, unmet)
    try:
        return driver.evaluate(path, item)
    except (SpecError, MetricFailed) as error:
        return driver.ended(path, item, Outcome.ERROR, str(error))
