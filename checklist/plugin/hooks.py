"""The pytest plugin: hooks that only delegate, and import nothing heavy."""

from __future__ import annotations

import time
from collections.abc import Generator
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest

from shakeproof.plugin.options import add_options, check_choices

if TYPE_CHECKING:
    from shakeproof.plugin.collectors import ChecklistFile
    from shakeproof.plugin.summary import Conclusion
    from shakeproof.plugin.xdist_progress import Watch

SUFFIXES = (".checklist.yaml", ".checklist.yml")
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
    """Make the marks of checklist items known, and gather findings where the session is led."""
    check_choices(config)
    for mark in MARKS:
        config.addinivalue_line("markers", mark)
    if not hasattr(config, "workerinput"):
        config.pluginmanager.register(Findings(config), "shakeproof-findings")


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> ChecklistFile | None:
    """Collect checklists."""
    if not file_path.name.endswith(SUFFIXES):
        return None
    from shakeproof.plugin.collectors import ChecklistFile

    return ChecklistFile.from_parent(parent, path=file_path)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Let a checklist item add what it found to its report."""
    report = yield
    if hasattr(item, "add_findings"):
        item.add_findings(report, call)
    return report


class Crash(NamedTuple):
    """What summaries say of a failure."""

    path: str
    lineno: int
    message: str

    def __str__(self) -> str:
        return f"{self.path}:{self.lineno}: {self.message}"


class Told:
    """A failure as text whose first line is what summaries say, on every pytest alike."""

    def __init__(self, text: str, location: tuple[str, int | None, str]) -> None:
        self.text = text
        path, line, _ = location
        self.reprcrash = Crash(path, (line or 0) + 1, text.partition("\n")[0])

    def __str__(self) -> str:
        return self.text

    def toterminal(self, terminal: Any) -> None:  # noqa: ANN401 - pytest's writer type is private
        """Write the whole text."""
        terminal.line(self.text)


class Findings:
    """Gathers what checklist items found, also those of other processes, and concludes the run."""

    def __init__(self, config: pytest.Config) -> None:
        self.config = config
        self.started = time.time()
        self.found: dict[str, str] = {}  # by node id: a rerun replaces what it repeats
        self.conclusion: Conclusion | None = None
        self.watch: Watch | None = None

    @pytest.hookimpl(optionalhook=True)
    def pytest_xdist_node_collection_finished(self, node: Any, ids: list[str]) -> None:  # noqa: ANN401
        """Watch the progress of the workers once they have found a checklist."""
        if self.watch is None and any(suffix in one for one in ids for suffix in SUFFIXES):
            from shakeproof.plugin.xdist_progress import Watch, display_of, place_of

            if display := display_of(self.config):
                self.watch = Watch(display, place_of(node.workerinput["testrunuid"]))

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Keep what an item found, and let its first line stand for a failure in summaries."""
        findings: str | None = getattr(report, "shakeproof", None)
        if findings is not None:
            self.found[report.nodeid] = findings
            if isinstance(report.longrepr, str):
                report.longrepr = Told(report.longrepr, report.location)  # type: ignore[assignment]  # as good as pytest's own

    @pytest.hookimpl(trylast=True)
    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """Put the run together and write it down; what cannot be written fails the session."""
        if self.watch is not None:
            self.watch.stop()
        if self.found:
            from shakeproof.plugin.summary import conclude

            self.conclusion = conclude(self.config, self.found.values(), self.started)
            if self.conclusion.problems:
                session.exitstatus = pytest.ExitCode.USAGE_ERROR

    def pytest_terminal_summary(self, terminalreporter: Any) -> None:  # noqa: ANN401 - private type
        """Close with the narrowest margins, the undecided checks and where the report lies."""
        if self.conclusion is not None:
            self.conclusion.show(terminalreporter)

    @pytest.hookimpl(trylast=True)
    def pytest_unconfigure(self) -> None:
        """Say as the very last line how many checks were undecided."""
        terminal = self.config.pluginmanager.get_plugin("terminalreporter")
        if self.conclusion is not None and terminal is not None:
            self.conclusion.close(terminal)
