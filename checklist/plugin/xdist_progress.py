"""Progress in pytest's terminal, also of the workers of xdist, which have no terminal."""

from __future__ import annotations

import json
import tempfile
import time
from contextlib import nullcontext, suppress
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Self

from shakeproof.scoring.progress import BLINK, Display, Live, Ticker

if TYPE_CHECKING:
    import pytest

    from shakeproof.metrics.engine.engine import Progress


class WorkerProgress:
    """Writes progress where the leading process looks for it: workers have no terminal."""

    def __init__(self, place: Path) -> None:
        self.place = place
        self._last = 0.0

    def __call__(self, progress: Progress) -> None:
        """Write it down whole, unless that was done a moment ago."""
        now = time.monotonic()
        if now - self._last >= BLINK:
            self._last = now
            with suppress(OSError):
                part = self.place.with_suffix(".part")
                part.write_text(json.dumps(asdict(progress)), encoding="utf-8")
                part.replace(self.place)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.place.unlink(missing_ok=True)


class WorkerDisplay:
    """Shows, where the session is led, what a worker writes down."""

    def __init__(self, display: Display, place: Path) -> None:
        self.display, self.place = display, place
        self._ticker = Ticker(self._look)

    def _look(self) -> None:
        progress = read_progress(self.place)
        if progress is None:
            self.display.close()
        else:
            self.display.show(progress)

    def stop(self) -> None:
        """Stop looking, and clear away what a worker that was killed left behind."""
        self._ticker.stop()
        self.display.close()
        self.place.unlink(missing_ok=True)


def read_progress(place: Path) -> Progress | None:
    """Read what a worker has written down, if it is scoring."""
    from shakeproof.metrics.engine.engine import Progress

    try:
        return Progress(**json.loads(place.read_text(encoding="utf-8")))
    except (OSError, ValueError, TypeError):
        return None


def progress_file(run: str) -> Path:
    """Name the file in which the workers of a run tell their progress."""
    return Path(tempfile.gettempdir()) / f"shakeproof-{run}.json"


def terminal_display(config: pytest.Config) -> Display | None:
    """Give the terminal of this process, if it has one and lines are welcome."""
    terminal = config.pluginmanager.get_plugin("terminalreporter")
    if terminal is None or config.get_verbosity() < 0:
        return None
    plain = type(terminal).__name__ == "TerminalReporter"  # others draw lines of their own
    capture = config.pluginmanager.get_plugin("capturemanager")
    uncaptured = nullcontext if capture is None else capture.global_and_fixture_disabled
    return Display(terminal, plain and bool(terminal.isatty), uncaptured)


def progress_display(config: pytest.Config) -> Live | WorkerProgress | None:
    """Show progress in the terminal of this process, or tell the process that has one."""
    if hasattr(config, "workerinput"):
        return WorkerProgress(progress_file(config.workerinput["testrunuid"]))
    display = terminal_display(config)
    return None if display is None else Live(display)
