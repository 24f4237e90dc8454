"""What the pool asks of workers, wherever they run, and what they may report."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol, TypeAlias

from shakeproof.metrics.engine.executors.recipes import Plain


class WorkersFailed(Exception):
    """No worker can be started; the message is one line."""


@dataclass(frozen=True, slots=True)
class Ready:
    """A worker has started."""

    worker: int


@dataclass(frozen=True, slots=True)
class Answer:
    """A worker has answered the request of a number."""

    worker: int
    number: int
    content: Plain


@dataclass(frozen=True, slots=True)
class Ended:
    """A worker has ended, and with it all that it was asked."""

    worker: int
    reason: str


Event: TypeAlias = Ready | Answer | Ended


class Workers(Protocol):
    """Processes, here or elsewhere, that answer requests in the order in which they get them."""

    @property
    def size(self) -> int:
        """Return how many workers there should be."""
        ...

    def start(self, worker: int) -> None:
        """Start the worker of a number, which is new."""
        ...

    def send(self, worker: int, number: int, request: Plain) -> None:
        """Send a request."""
        ...

    def receive(self) -> Sequence[Event]:
        """Wait until something happens, and return what did."""
        ...

    def end(self, worker: int) -> None:
        """End a worker."""
        ...

    def close(self) -> None:
        """End all workers."""
        ...
