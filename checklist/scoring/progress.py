"""Progress of long scoring: what it says, and how often it is shown."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from threading import Event, Lock, Thread
from typing import TYPE_CHECKING, Any, Protocol, Self

if TYPE_CHECKING:
    from shakeproof.metrics.engine.engine import Progress

FIRST = 1.0  # seconds until the first line of a scoring step
PAUSE = 10.0  # seconds between lines where the terminal cannot rewrite one
BLINK = 0.5  # seconds between rewritings, and between looks at what workers say
MINUTE, HOUR = 60, 3600
UNKNOWN = 0  # the number of scores to do, before it was counted


def preparing() -> Progress:
    """Return the progress before anything is scored: texts are perturbed, known scores are read."""
    from shakeproof.metrics.engine.engine import Progress

    return Progress("perturbing texts and reading cached scores", 0, UNKNOWN, 0.0)


def line(progress: Progress, elapsed: float) -> str:
    """Return what is being done, for how long, how many scores are done, and the time left."""
    return f"shakeproof: {duration(elapsed)}, {_what(progress)}"


def _what(progress: Progress) -> str:
    from shakeproof.results import counted  # not at the start of every command

    if progress.total == UNKNOWN:
        return progress.what
    name = short(progress.what)
    if not progress.total:
        return f"{name}: {counted(progress.done, 'score')}{_speed(progress)}"
    if not progress.done:
        loads = "loading the model, then " if "|model:" in progress.what else ""
        return f"{name}: {loads}{counted(progress.total, 'score')} to do"
    return f"{name}: {progress.done:,} of {progress.total:,} scores{_speed(progress)}"


def _speed(progress: Progress) -> str:
    """Write the scores per second and, where the number of scores is known, the time left."""
    if not progress.done or not progress.rate:
        return ""
    left = max((progress.total or 0) - progress.done, 0)
    from shakeproof.results import counted  # as above

    time_left = f", about {duration(left / progress.rate)} left" if left else ""
    workers = f" with {counted(progress.workers, 'worker')}" if progress.workers else ""
    return f", {progress.rate:,.0f} a second{workers}{time_left}"


def short(signatures: str) -> str:
    """Name scorers by the first words of the first one's signature."""
    first, *others = signatures.split(", ")
    name = " ".join(first.split("|")[:2])
    return f"{name} and {len(others)} more" if others else name


def duration(seconds: float) -> str:
    """Write a time as people say it."""
    if seconds < MINUTE:
        return f"{max(1, round(seconds))} s"
    return f"{seconds / MINUTE:.0f} min" if seconds < HOUR else f"{seconds / HOUR:.1f} h"


class Terminal(Protocol):
    """What lines are written to: pytest's reporter, or standard error."""

    def ensure_newline(self) -> None:
        """Begin a line."""

    def rewrite(self, line: str, *, erase: bool) -> None:
        """Put a line in the place of the last one."""

    def write_line(self, line: str) -> None:
        """Write a line and end it."""


@dataclass(slots=True)
class Display:
    """Rewrites one line where that can be; elsewhere writes one every ten seconds.

    The first line of a scoring step comes after a second, and the next when scoring begins.
    """

    terminal: Terminal
    rewriting: bool
    uncaptured: Callable[[], AbstractContextManager[None]] = nullcontext
    started: float | None = None
    due: float = 0.0  # when the next line is written
    prepares: bool = False  # the last progress was about what comes before scoring
    begun: bool = False
    lock: AbstractContextManager[Any] = field(default_factory=Lock)  # a ticker shows too

    def show(self, progress: Progress) -> None:
        """Show how far scoring has come, unless that was shown a moment ago."""
        now, pause = time.monotonic(), BLINK if self.rewriting else PAUSE
        prepares = progress.total == UNKNOWN
        with self.lock:
            if self.started is None:
                self.started = now
                self.due = now + (min(FIRST, pause) if prepares else pause)
            scoring_begins = self.begun and self.prepares and not prepares
            self.prepares = prepares
            if now >= self.due or scoring_begins:
                self.due = now + pause
                self._write(line(progress, now - self.started))

    def _write(self, text: str) -> None:
        with self.uncaptured():
            if not self.begun:
                self.begun = True
                self.terminal.ensure_newline()
            if self.rewriting:
                self.terminal.rewrite(text, erase=True)
            else:
                self.terminal.write_line(text)

    def close(self) -> None:
        """Leave a line that is being rewritten behind."""
        with self.lock:
            if self.begun and self.rewriting:
                with self.uncaptured():
                    self.terminal.write_line("")
            self.begun, self.started, self.prepares = False, None, False


class Ticker:
    """Calls something again and again, beside the work that is going on."""

    def __init__(self, tick: Callable[[], None]) -> None:
        self._tick, self._stopped = tick, Event()
        self._thread = Thread(target=self._run, name="shakeproof-progress", daemon=True)
        self._thread.start()

    def _run(self) -> None:
        while not self._stopped.wait(BLINK):
            self._tick()

    def stop(self) -> None:
        """End it, and wait for that."""
        self._stopped.set()
        self._thread.join()


class Live:
    """Shows progress when it comes, and goes on showing the last one while a block takes long."""

    def __init__(self, display: Display) -> None:
        self.display = display
        self.latest: Progress | None = None
        self._entered = False
        self._ticker: Ticker | None = None

    def __call__(self, progress: Progress) -> None:
        """Take what the engine tells."""
        self.latest = progress
        self.display.show(progress)
        if self._entered and self._ticker is None:
            self._ticker = Ticker(self._again)

    def _again(self) -> None:
        if self.latest is not None:
            self.display.show(self.latest)

    def __enter__(self) -> Self:
        self._entered = True
        return self

    def __exit__(self, *_: object) -> None:
        self._entered = False
        if self._ticker is not None:
            self._ticker.stop()
            self._ticker = None
        self.display.close()
