"""Checklists as pytest sees them: a file, its metrics, their checks, and items."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager, nullcontext, suppress
from pathlib import Path
from typing import Any

import pytest

from shakeproof.errors import DataErrors, SpecError
from shakeproof.metrics.engine.cache import Cache
from shakeproof.plan.items import Item, Plan
from shakeproof.plugin.failures import CheckFailed, failure_text
from shakeproof.plugin.findings import FindingsWriter
from shakeproof.plugin.options import cache_path, option_value, run_config
from shakeproof.plugin.privacy import type_and_place, unheard
from shakeproof.plugin.xdist_progress import progress_display
from shakeproof.results import Outcome, Result, result_fails_session
from shakeproof.runs.driver import Driver, Selected
from shakeproof.runs.evaluate import MetricFailed
from shakeproof.scoring.cache_errors import cache_errors
from shakeproof.spec.model import split_data_sets
from shakeproof.spec.read import load

DRIVER = pytest.StashKey[Driver]()
WRITER = pytest.StashKey[FindingsWriter]()


def driver_of(config: pytest.Config) -> Driver:
    """Return the driver of this process, created at first use."""
    if DRIVER not in config.stash:
        display = progress_display(config)
        with cache_errors():
            cache = Cache(cache_path(config))
        driver = Driver(run_config(config), cache, display, display)
        config.stash[DRIVER] = driver
        config.stash[WRITER] = FindingsWriter(driver)
    return config.stash[DRIVER]


def privately(config: pytest.Config) -> AbstractContextManager[None]:
    """Run code of the user; without texts, nothing that it says is kept."""
    if not option_value(config, "no-texts"):
        return nullcontext()
    return unheard(captured=config.option.capture != "no")


class ChecklistFile(pytest.File):
    """One checklist file: a collector for each metric, or for each separate data set."""

    obj = None  # pytest.Function reads the obj of its parents
    is_checklist = True

    def collect(self) -> Iterator[MetricNode | DataSetNode]:
        """Read the checklist and its data; all mistakes are reported at once.

        A file with neither title nor checks, for others to extend, has nothing to collect.
        """
        try:
            driver = driver_of(self.config)
            checklist = load(self.path, rootdir=self.config.rootpath, partial=True)
            parts = split_data_sets(checklist) if checklist.checks else ()
            with privately(self.config):  # a registered data set is made by code of the user
                plans = [driver.plan(part) for part in parts]
        except SpecError as error:
            if isinstance(error, DataErrors) and option_value(self.config, "no-texts"):
                raise self.CollectError(error.without_texts) from None
            raise self.CollectError(str(error)) from None
        for plan in plans:
            if plan.checklist.data_set:
                yield DataSetNode.from_parent(self, name=plan.checklist.data_set, plan=plan)
            else:
                yield from metric_nodes(self, plan)


def metric_nodes(parent: pytest.Collector, plan: Plan) -> Iterator[MetricNode]:
    """Yield a collector for each metric of a plan."""
    for metric in dict.fromkeys(item.metric for item in plan.items):
        yield MetricNode.from_parent(parent, name=metric, plan=plan)


class DataSetNode(pytest.Collector):
    """One of the separate data sets of a checklist: a collector for each metric."""

    obj = None

    def __init__(self, *, plan: Plan, **rest: Any) -> None:  # noqa: ANN401 - pytest's own
        super().__init__(**rest)
        self.plan = plan

    def collect(self) -> Iterator[MetricNode]:
        """Yield the metrics."""
        yield from metric_nodes(self, self.plan)


class MetricNode(pytest.Collector):
    """One metric of a checklist: a collector for each of its checks."""

    obj = None

    def __init__(self, *, plan: Plan, **rest: Any) -> None:  # noqa: ANN401 - pytest's own
        super().__init__(**rest)
        self.plan = plan

    def collect(self) -> Iterator[CheckNode]:
        """Yield the checks that the metric takes part in."""
        items = [item for item in self.plan.items if item.metric == self.name]
        for name in dict.fromkeys(item.check.name for item in items):
            own = [item for item in items if item.check.name == name]
            yield CheckNode.from_parent(self, name=name, items=own)


class CheckNode(pytest.Collector):
    """One check of a metric: an item for each level."""

    obj = None

    def __init__(self, *, items: list[Item], **rest: Any) -> None:  # noqa: ANN401 - pytest's own
        super().__init__(**rest)
        self.items = items

    def collect(self) -> Iterator[ItemNode]:
        """Yield the items of the check."""
        for item in self.items:
            yield ItemNode.from_parent(self, name=item.name, item=item, callobj=_nothing)


def _nothing() -> None:
    """Stand in for the test function; the node itself does the work."""


class ItemNode(pytest.Function):
    """One check, for one metric, at one level, as an item of pytest."""

    def __init__(self, *, item: Item, **rest: Any) -> None:  # noqa: ANN401 - pytest's own
        super().__init__(**rest)
        self.item = item
        self.result: Result | None = None
        self.add_marker(pytest.mark.metric(name=item.metric))
        self.add_marker(pytest.mark.kind(name=item.check.expect.name))
        if item.perturb:
            self.add_marker(pytest.mark.family(name=item.perturb.family))
        if item.level is not None:
            # as text, because -m reads no fractions
            self.add_marker(pytest.mark.level(value=f"{item.level:g}"))

    @property
    def _driver(self) -> Driver:
        return driver_of(self.config)

    def setup(self) -> None:
        """Skip the item if it cannot run here; score all selected items before the first one."""
        super().setup()
        self.result = None  # pytest-rerunfailures runs a node again
        if reason := self._driver.unmet(self.path, self.item):
            pytest.skip(reason)
        if not self._driver.scored:
            with privately(self.config), suppress(Exception):  # raised again by each item
                self._driver.score(self._selected())

    def _selected(self) -> list[Selected]:
        nodes = (node for node in self.session.items if isinstance(node, ItemNode))
        selected = [(node.path, node.item) for node in nodes]
        return [(path, item) for path, item in selected if not self._driver.unmet(path, item)]

    def runtest(self) -> None:
        """Evaluate the item, and turn its outcome into an outcome of pytest.

        A warned item passes; the summary lists it. Python's warnings cannot serve for that: a
        project that turns them into errors would make it fail.
        """
        with privately(self.config):
            self.result = result = self._driver.evaluate(self.path, self.item)
        if result.outcome is Outcome.KNOWN_FAILURE:
            pytest.xfail(result.reason)
            raise CheckFailed(result)  # under --runxfail
        if result_fails_session(result, strict=self._driver.config.strict):
            raise CheckFailed(result)
        if result.outcome is Outcome.UNDECIDED:
            pytest.skip(f"undecided: {result.message}")

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:  # noqa: ANN401
        """Show failed checks and users' mistakes without a traceback of shakeproof."""
        error = excinfo.value
        if isinstance(error, CheckFailed):
            return failure_text(error.result)
        if isinstance(error, MetricFailed):
            hidden = self.config.option.tbstyle in ("no", "line") or not error.traceback
            return str(error) if hidden else f"{error}\n\n{error.traceback}"
        if isinstance(error, SpecError):
            return str(error)
        if not self._driver.config.texts:
            return type_and_place(error)
        return super().repr_failure(excinfo)

    def reportinfo(self) -> tuple[Path, int, str]:
        """Return the line of the check in the YAML file, and a title with all names of the item."""
        names = (self.item.data_set, self.item.metric, self.item.check.name, self.item.name)
        title = " · ".join(filter(None, names))
        return self.path, self.item.check.line - 1, title

    def add_findings(self, report: pytest.TestReport, call: pytest.CallInfo[None]) -> None:
        """Add the result to the report as text, which xdist can send between processes."""
        if not self._driver.config.texts:
            report.sections.clear()  # what user code printed and logged
        if report.when == "teardown" or (report.when == "setup" and report.passed):
            return
        result = self._final_result(report).model_copy(update={"seconds": round(call.duration, 3)})
        if hasattr(self.config, "workerinput"):  # otherwise done for all results at once
            (result,) = self._driver.with_matrices([result])
        writer = self.config.stash[WRITER]
        report.shakeproof = writer.write(self.path, self.item, result)  # type: ignore[attr-defined]  # travels with the report
        if report.skipped and isinstance(report.longrepr, tuple):
            report.longrepr = (str(self.path), self.item.check.line, report.longrepr[2])
        self.user_properties[:] = [("shakeproof", _numbers(result))]  # a rerun replaces them

    def _final_result(self, report: pytest.TestReport) -> Result:
        """Return the result of the item, also if it was skipped or had an error."""
        expected_to_fail = report.skipped and hasattr(report, "wasxfail")
        if self.result is None or report.when != "call":
            outcome = Outcome.SKIPPED if report.skipped else Outcome.ERROR
            return self._driver.ended(self.path, self.item, outcome, _text_of(report))
        if expected_to_fail and self.result.outcome is not Outcome.KNOWN_FAILURE:
            update = {"outcome": Outcome.KNOWN_FAILURE, "reason": str(report.wasxfail)}
            return self.result.model_copy(update=update)  # an xfail mark of the user
        return self.result


def _text_of(report: pytest.TestReport) -> str:
    """Return why an item was skipped or broke, without the place in our code that skipped it."""
    if isinstance(report.longrepr, tuple):
        return report.longrepr[2].removeprefix("Skipped: ")
    return report.longreprtext


def _numbers(result: Result) -> str:
    """Return the numbers of a result as JSON, for the property in JUnit files."""
    kept = {"id", "metric", "check", "family", "level", "outcome", "verdict", "estimate", "bounds"}
    return result.model_dump_json(include=kept, exclude_none=True)
