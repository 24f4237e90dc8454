"""The pytest plugin: hooks that only delegate, and import nothing heavy."""

from __future__ import annotations

import time
from argparse import ArgumentTypeError
from collections.abc import Generator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from shakeproof.collectors import ChecklistFile
    from shakeproof.conclusion import Conclusion

SUFFIXES = (".checklist.yaml", ".checklist.yml")
MARKS = (
    "family(name): the perturbation family of a checklist item",
    "metric(name): the metric of a checklist item",
    "level(value): the level of a checklist item",
    "kind(name): the expectation of a checklist item",
)


def _positive(text: str) -> int:
    if not text.isdigit() or int(text) == 0:
        raise ArgumentTypeError(f"{text!r} is not a whole number above 0")
    return int(text)


def _renamed(text: str) -> str:
    if "=" not in text.strip("="):
        raise ArgumentTypeError(f"{text!r} is not of the form NAME=PATH")
    return text


OPTIONS: dict[str, dict[str, Any]] = {
    "report": {
        "metavar": "FILE",
        "help": "Write the run as one HTML page, for example report.html",
    },
    "json": {
        "metavar": "FILE",
        "help": "Write the run as JSON, for example run.json, to render or compare it later",
    },
    "strict": {
        "action": "store_true",
        "help": "Fail checks that the data cannot decide, instead of skipping them",
    },
    "device": {
        "metavar": "NAME",
        "default": "auto",
        "help": "Run models on this device: auto (the default), cpu, cuda, cuda:1, mps",
    },
    "limit": {
        "metavar": "N",
        "type": _positive,
        "help": "Use only the first N segments of each data set",
    },
    "data": {
        "metavar": "NAME=PATH",
        "action": "append",
        "default": [],
        "type": _renamed,
        "help": "Read PATH where a checklist says data: NAME (or names a group NAME)",
    },
    "no-texts": {
        "action": "store_true",
        "help": "Keep every text of the data out of the terminal, the report and the JSON",
    },
    "cache": {
        "metavar": "FILE",
        "help": "Keep scores in FILE ('none': in memory only); default .shakeproof/scores.sqlite",
    },
    "adjust": {
        "choices": ("none", "holm"),
        "default": "none",
        "help": "With 'holm', a failure that chance could bring in so many checks is undecided",
    },
    "baseline": {
        "metavar": "FILE",
        "help": "Fail checks that are surely worse than in FILE, a run that was stored as JSON",
    },
    "update-baseline": {
        "action": "store_true",
        "help": "Rewrite the baseline: new checks are added, others move where surely better",
    },
    "offline": {
        "action": "store_true",
        "help": "Never download a model",
    },
}


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the options of the plugin."""
    group = parser.getgroup("shakeproof", "robustness checklists (*.checklist.yaml)")
    for name, settings in OPTIONS.items():
        group.addoption(f"--shakeproof-{name}", **settings)


def pytest_configure(config: pytest.Config) -> None:
    """Make the marks of checklist items known, and gather findings where the session is led."""
    if config.getoption("shakeproof_update_baseline") and not config.getoption(
        "shakeproof_baseline"
    ):
        raise pytest.UsageError("--shakeproof-update-baseline needs --shakeproof-baseline=FILE")
    for mark in MARKS:
        config.addinivalue_line("markers", mark)
    if not hasattr(config, "workerinput"):
        config.pluginmanager.register(Findings(config), "shakeproof-findings")


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> ChecklistFile | None:
    """Collect checklists."""
    if not file_path.name.endswith(SUFFIXES):
        return None
    from shakeproof.collectors import ChecklistFile

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


class Findings:
    """Gathers what checklist items found, also those of other processes, and concludes the run."""

    def __init__(self, config: pytest.Config) -> None:
        self.config = config
        self.started = time.time()
        self.found: dict[str, str] = {}  # by node id: a rerun replaces what it repeats
        self.conclusion: Conclusion | None = None

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Keep what an item found."""
        findings: str | None = getattr(report, "shakeproof", None)
        if findings is not None:
            self.found[report.nodeid] = findings

    @pytest.hookimpl(trylast=True)
    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """Put the run together and write it down; what cannot be written fails the session."""
        if self.found:
            from shakeproof.conclusion import conclude

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
