"""Progress of long scoring, through pytest's own terminal."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from typing import Any

import pytest

from shakeproof.metrics.engine import Progress

PAUSE = 10.0  # seconds between lines where the terminal cannot rewrite one
BLINK = 0.2  # seconds between rewritings


def shown_in(config: pytest.Config) -> Callable[[Progress], None] | None:
    """Show progress in the terminal of this process, if it has one."""
    terminal = config.pluginmanager.get_plugin("terminalreporter")
    if terminal is None or config.get_verbosity() < 0:
        return None
    return Display(config, terminal)


@dataclass(slots=True)
class Display:
    """Rewrites one line on a terminal; elsewhere writes one every ten seconds."""

    config: pytest.Config
    terminal: Any
    last: float | None = None
    begun: bool = False

    def __call__(self, progress: Progress) -> None:
        """Show how far scoring has come, unless it was shown a moment ago."""
        now, rewriting = time.monotonic(), bool(self.terminal.isatty)
        if self.last is None:
            self.last = now
        finished = rewriting and self.begun and progress.done == progress.total
        if finished or now - self.last >= (BLINK if rewriting else PAUSE):
            self.last = now
            with self._uncaptured():
                self._write(line(progress), rewriting)
                if finished:
                    self.terminal.write_line("")

    def _uncaptured(self) -> AbstractContextManager[None]:
        capture = self.config.pluginmanager.get_plugin("capturemanager")
        return nullcontext() if capture is None else capture.global_and_fixture_disabled()

    def _write(self, text: str, rewriting: bool) -> None:
        if not self.begun:
            self.begun = True
            self.terminal.ensure_newline()
        if rewriting:
            self.terminal.rewrite(text, erase=True)
        else:
            self.terminal.write_line(text)


def line(progress: Progress) -> str:
    """Say what is being scored, how much is left and how fast it goes."""
    total = f" of {progress.total:,}" if progress.total else ""
    return (
        f"shakeproof: scored {progress.done:,}{total} ({progress.rate:,.0f} a second), "
        f"{short(progress.what)}"
    )


def short(signature: str) -> str:
    """Name a scorer by the first words of its signature."""
    return " ".join(signature.split("|")[:2])
