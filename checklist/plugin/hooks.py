"""The pytest plugin: hooks that only delegate, and import nothing heavy."""

from __future__ import annotations

import time
from collections.abc import Generator
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest

from shakeproof.plugin.options import add_options, check_options, option_value
from shakeproof.runs.arguments import CHECKLIST_SUFFIXES

if TYPE_CHECKING:
    from shakeproof.plugin.collectors import ChecklistFile
    from shakeproof.plugin.summary import Summary
    from shakeproof.plugin.xdist_progress import WorkerDisplay

MARKS = (
    "family(name): the perturbation family of a checklist item",
    "metric(name): the metric of a checklist item",
    'level(value): the level of a checklist item, as text: level(value="0.3")',
    "kind(name): the expectation of a checklist item",
)


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the options of the plugin."""
    add_options(parser)


def pytest_configure(config: pytest.Config) -> None:
    """Register the marks of checklist items, and collect findings in the main process."""
    check_options(config)
    for mark in MARKS:
        config.addinivalue_line("markers", mark)
    if not hasattr(config, "workerinput"):
        config.pluginmanager.register(FindingsCollector(config), "shakeproof-findings")


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> ChecklistFile | None:
    """Collect checklists."""
    if not file_path.name.endswith(CHECKLIST_SUFFIXES):
        return None
    from shakeproof.plugin.collectors import ChecklistFile

    return ChecklistFile.from_parent(parent, path=file_path)


@pytest.hookimpl(wrapper=True, tryfirst=True)  # after pytest has added what it captured
def pytest_make_collect_report(
    collector: pytest.Collector,
) -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    """Drop what code of the user printed while a checklist was read, if it may quote the data."""
    report = yield
    if option_value(collector.config, "no-texts") and hasattr(collector, "is_checklist"):
        report.sections.clear()
    return report


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Add the result of a checklist item to its report."""
    report = yield
    if hasattr(item, "add_findings"):
        item.add_findings(report, call)
    return report


class CrashLine(NamedTuple):
    """The line that pytest's summary shows of a failure."""

    path: str
    lineno: int
    message: str

    def __str__(self) -> str:
        return f"{self.path}:{self.lineno}: {self.message}"


class FailureText:
    """A failure message; pytest's summary shows its first line, in every version of pytest."""

    def __init__(self, text: str, location: tuple[str, int | None, str]) -> None:
        self.text = text
        path, line, _ = location
        self.reprcrash = CrashLine(path, (line or 0) + 1, text.partition("\n")[0])

    def __str__(self) -> str:
        return self.text

    def toterminal(self, terminal: Any) -> None:  # noqa: ANN401 - pytest's writer type is private
        """Write the whole text."""
        terminal.line(self.text)


class FindingsCollector:
    """Collects the results of checklist items, also those of xdist workers, and shows a summary."""

    def __init__(self, config: pytest.Config) -> None:
        self.config = config
        self.started = time.time()
        self.findings: dict[str, str] = {}  # by node id: a rerun replaces the earlier result
        self.summary: Summary | None = None
        self.worker_display: WorkerDisplay | None = None

    @pytest.hookimpl(optionalhook=True)
    def pytest_xdist_node_collection_finished(self, node: Any, ids: list[str]) -> None:  # noqa: ANN401
        """Show the progress of the workers once they have found a checklist."""
        has_checklist = any(suffix in node_id for node_id in ids for suffix in CHECKLIST_SUFFIXES)
        if self.worker_display is None and has_checklist:
            from shakeproof.plugin.xdist_progress import (
                WorkerDisplay,
                progress_file,
                terminal_display,
            )

            if display := terminal_display(self.config):
                path = progress_file(node.workerinput["testrunuid"])
                self.worker_display = WorkerDisplay(display, path)

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Keep the result of an item; pytest's summary shows the first line of a failure."""
        findings: str | None = getattr(report, "shakeproof", None)
        if findings is not None:
            self.findings[report.nodeid] = findings
            if isinstance(report.longrepr, str):
                report.longrepr = FailureText(report.longrepr, report.location)  # type: ignore[assignment]  # has the attributes that pytest reads

    @pytest.hookimpl(trylast=True)
    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """Assemble the run and write it; the session fails if a file cannot be written."""
        if self.worker_display is not None:
            self.worker_display.stop()
        if self.findings:
            from shakeproof.plugin.summary import summarise

            self.summary = summarise(self.config, self.findings.values(), self.started)
            session.exitstatus = self.summary.exit_status(session.exitstatus)

    def pytest_terminal_summary(self, terminalreporter: Any) -> None:  # noqa: ANN401 - private type
        """Show the summary of the run."""
        if self.summary is not None:
            self.summary.show(terminalreporter)

    @pytest.hookimpl(trylast=True)
    def pytest_unconfigure(self) -> None:
        """Show as the very last line how many checks had which outcome."""
        terminal = self.config.pluginmanager.get_plugin("terminalreporter")
        if self.summary is not None and terminal is not None:
            self.summary.show_counts(terminal)
