"""Progress in pytest's terminal; xdist workers write theirs to a file, as they have none."""

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
    """Writes the progress of an xdist worker to a file that the main process reads."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._last = 0.0
        self._what = ""

    def __call__(self, progress: Progress) -> None:
        """Replace the file, unless that was done a moment ago for the same work."""
        now = time.monotonic()
        if now - self._last >= BLINK or progress.what != self._what:
            self._last, self._what = now, progress.what
            with suppress(OSError):
                part = self.path.with_suffix(".part")
                part.write_text(json.dumps(asdict(progress)), encoding="utf-8")
                part.replace(self.path)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.path.unlink(missing_ok=True)


class WorkerDisplay:
    """Shows the progress that workers write, in the terminal of the main process."""

    def __init__(self, display: Display, path: Path) -> None:
        self.display, self.path = display, path
        self._ticker = Ticker(self._refresh)

    def _refresh(self) -> None:
        progress = read_progress(self.path)
        if progress is None:
            self.display.close()
        else:
            self.display.show(progress)

    def stop(self) -> None:
        """Stop, and delete the file, which a worker that was killed leaves behind."""
        self._ticker.stop()
        self.display.close()
        self.path.unlink(missing_ok=True)


def read_progress(path: Path) -> Progress | None:
    """Return the progress of the worker that is scoring now, if any."""
    from shakeproof.metrics.engine.engine import Progress

    try:
        return Progress(**json.loads(path.read_text(encoding="utf-8")))
    except (OSError, ValueError, TypeError):
        return None


def progress_file(run: str) -> Path:
    """Return the file to which the workers of a run write their progress."""
    return Path(tempfile.gettempdir()) / f"shakeproof-{run}.json"


def terminal_display(config: pytest.Config) -> Display | None:
    """Return a display in pytest's terminal; None without a terminal and under -q."""
    terminal = config.pluginmanager.get_plugin("terminalreporter")
    if terminal is None or config.get_verbosity() < 0:
        return None
    plain = type(terminal).__name__ == "TerminalReporter"  # others draw their own lines
    capture = config.pluginmanager.get_plugin("capturemanager")
    uncaptured = nullcontext if capture is None else capture.global_and_fixture_disabled
    return Display(terminal, plain and bool(terminal.isatty), uncaptured)


def progress_display(config: pytest.Config) -> Live | WorkerProgress | None:
    """Return what shows progress: pytest's terminal or, in a worker, the file of its run."""
    if hasattr(config, "workerinput"):
        return WorkerProgress(progress_file(config.workerinput["testrunuid"]))
    display = terminal_display(config)
    return None if display is None else Live(display)
