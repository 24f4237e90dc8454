"""Checklists as pytest sees them: a file, its metrics, their checks, and items."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from shakeproof.errors import SpecError
from shakeproof.plan.items import Item, Plan, make_plan
from shakeproof.plugin.opening import session_of
from shakeproof.results import Result, Verdict
from shakeproof.runs.baseline import regressed
from shakeproof.runs.evaluate import MetricFailed
from shakeproof.runs.outcomes import (
    ExpectationFailed,
    Regressed,
    Undecided,
    failure_text,
    is_known_failure,
    report_outcome,
)
from shakeproof.runs.requirements import first_unmet
from shakeproof.runs.session import Session
from shakeproof.spec.read import load


class CheckWarning(UserWarning):
    """A check with `severity: warn` failed."""


class ChecklistFile(pytest.File):
    """One checklist: a collector for each of its metrics."""

    obj = None  # pytest.Function looks at its parents' obj

    def collect(self) -> Iterator[MetricNode]:
        """Read the checklist and its data; every mistake is told at once."""
        try:
            session = session_of(self.config)
            plan = make_plan(
                load(self.path, rootdir=session.settings.rootdir),
                session.settings,
                limit=session.limit,
                instead=session.instead,
            )
        except SpecError as error:
            raise self.CollectError(str(error)) from None
        session.add(self.path, plan)
        for metric in dict.fromkeys(item.metric for item in plan.items):
            yield MetricNode.from_parent(self, name=metric, plan=plan)


class MetricNode(pytest.Collector):
    """One metric of a checklist: a collector for each of its checks."""

    obj = None

    def __init__(self, *, plan: Plan, **rest: Any) -> None:  # noqa: ANN401 - pytest's own
        super().__init__(**rest)
        self.plan = plan

    def collect(self) -> Iterator[CheckNode]:
        """List the checks that the metric takes part in."""
        mine = [item for item in self.plan.items if item.metric == self.name]
        for name in dict.fromkeys(item.check.name for item in mine):
            items = [item for item in mine if item.check.name == name]
            yield CheckNode.from_parent(self, name=name, items=items)


class CheckNode(pytest.Collector):
    """One check of a metric: an item for each level."""

    obj = None

    def __init__(self, *, items: list[Item], **rest: Any) -> None:  # noqa: ANN401
        super().__init__(**rest)
        self.items = items

    def collect(self) -> Iterator[CheckItem]:
        """List the items of the check."""
        for item in self.items:
            yield CheckItem.from_parent(self, name=item.name, planned=item, callobj=_nothing)


def _nothing() -> None:
    """Stand in for the test function; the item itself does the work."""


class CheckItem(pytest.Function):
    """One check, for one metric, at one level."""

    def __init__(self, *, planned: Item, **rest: Any) -> None:  # noqa: ANN401
        super().__init__(**rest)
        self.planned = planned
        self.found: Result | None = None
        self._mark()

    def _mark(self) -> None:
        planned = self.planned
        self.add_marker(pytest.mark.metric(name=planned.metric))
        self.add_marker(pytest.mark.kind(name=planned.check.expect.name))
        if planned.perturb:
            self.add_marker(pytest.mark.family(name=planned.perturb.family))
        if planned.level is not None:
            # as text, because -m reads no fractions
            self.add_marker(pytest.mark.level(value=f"{planned.level:g}"))
        if is_known_failure(planned):
            known = planned.check.known_failure
            reason = known.reason if known else ""
            self.add_marker(pytest.mark.xfail(reason=reason, raises=ExpectationFailed, strict=True))

    def setup(self) -> None:
        """Make sure that the scores are there."""
        super().setup()
        self.found = None  # of an earlier try
        if reason := self._unmet():
            pytest.skip(reason)
        if self._session.chosen is None:
            self._session.score(self._chosen())

    def _unmet(self) -> str:
        settings = replace(self._session.settings, folder=self.path.parent)
        return first_unmet(self.planned.check.requires, settings)

    @property
    def _session(self) -> Session:
        return session_of(self.config)

    def _chosen(self) -> list[tuple[Path, Item]]:
        items = (item for item in self.session.items if isinstance(item, CheckItem))
        return [(item.path, item.planned) for item in items if not item._unmet()]

    def runtest(self) -> None:
        """Judge, and turn the verdict into what pytest knows."""
        self.found = result = self._session.examine(self.path, self.planned)
        if result.verdict is Verdict.FAIL:
            self._failed(ExpectationFailed(result))
        elif regressed(result):
            self._failed(Regressed(result))
        elif result.verdict is Verdict.INCONCLUSIVE:
            self._undecided(result)

    def _failed(self, failure: ExpectationFailed | Regressed) -> None:
        if self.planned.check.severity == "fail":
            raise failure
        warnings.warn(CheckWarning(f"{failure.result.id}: {failure}"), stacklevel=1)

    def _undecided(self, result: Result) -> None:
        if self._session.strict:
            raise Undecided(result)
        pytest.skip(f"undecided: {result.message}")

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:  # noqa: ANN401
        """Tell findings and users' mistakes without a traceback, number first."""
        error = excinfo.value
        if isinstance(error, ExpectationFailed | Regressed | Undecided):
            return failure_text(error.result)
        if isinstance(error, SpecError | MetricFailed):
            return str(error)
        return super().repr_failure(excinfo)

    def reportinfo(self) -> tuple[Path, int, str]:
        """Point at the check in the YAML file, and head its failure with all of its names."""
        planned = self.planned
        title = " · ".join([planned.metric, planned.check.name, planned.name])
        return self.path, planned.check.line - 1, title

    def add_findings(self, report: pytest.TestReport, call: pytest.CallInfo[None]) -> None:
        """Give the report what was found, as text, so that it travels between processes."""
        if report.when == "teardown" or (report.when == "setup" and report.passed):
            return
        outcome, text = report_outcome(report, self.found)
        result = self._session.finished(self.path, self.planned, self.found, outcome, text)
        result = result.model_copy(update={"seconds": round(call.duration, 3)})
        report.shakeproof = self._session.findings(self.path, result)  # type: ignore[attr-defined]  # travels with the report
        if report.skipped and isinstance(report.longrepr, tuple):
            report.longrepr = (str(self.path), self.planned.check.line, report.longrepr[2])
        self.user_properties[:] = [("shakeproof", _numbers(result))]  # a rerun replaces them


def _numbers(result: Result) -> str:
    """Say in one JSON string what JUnit and other readers may want."""
    kept = {"id", "metric", "check", "family", "level", "outcome", "verdict", "estimate", "bounds"}
    return result.model_dump_json(include=kept, exclude_none=True)
