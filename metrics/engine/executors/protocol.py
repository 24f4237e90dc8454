"""What the engine asks of those who rate chunks, and the executor that is this process."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import count
from typing import Protocol

from shakeproof.metrics.engine.jobs import Job, score
from shakeproof.metrics.engine.retries import Execute, rate_or_fail
from shakeproof.metrics.failures import RatingFailed
from shakeproof.metrics.models.devices import require_device
from shakeproof.metrics.models.runtime import uses_model
from shakeproof.metrics.protocols import ScoreColumn


@dataclass(frozen=True, slots=True)
class Completed:
    """The columns of a chunk, one for each of its scorers, or why there are none."""

    ticket: int
    columns: Sequence[ScoreColumn] = ()
    failed: RatingFailed | None = None


class Executor(Protocol):
    """Rates chunks, several at once if it can. A chunk is a job of the size that it asks for."""

    @property
    def workers(self) -> int:
        """Return how many other processes rate; 0 if this one does."""
        ...

    def chunk_characters(self, job: Job) -> int | None:
        """Return how long the texts of a chunk may be together; None: the job is not split."""
        ...

    @property
    def room(self) -> int:
        """Return how many more chunks it should be given."""
        ...

    def submit(self, job: Job, *, urgent: bool = False) -> int:
        """Take a chunk and return its ticket; an urgent one is rated before those that wait."""
        ...

    def completed(self) -> Sequence[Completed]:
        """Wait until a chunk is completed, and return all that are."""
        ...

    def close(self) -> None:
        """Stop rating, and end all processes."""
        ...


class InProcess:
    """Rates one whole job after the other in this process.

    With `need_devices`, the first job whose device is not there raises DeviceNotFound; otherwise
    its scorers fail, and other jobs go on.
    """

    workers = 0

    def __init__(self, execute: Execute = score, *, need_devices: bool = False) -> None:
        self._execute = execute
        self._need_devices = need_devices
        self._waiting: deque[tuple[int, Job]] = deque()
        self._tickets = count()

    @property
    def room(self) -> int:
        return 0 if self._waiting else 1

    def chunk_characters(self, job: Job) -> int | None:
        return None

    def submit(self, job: Job, *, urgent: bool = False) -> int:
        if self._need_devices:
            for scorer in filter(uses_model, job.scorers):
                require_device(scorer.runtime.device)
        ticket = next(self._tickets)
        put = self._waiting.appendleft if urgent else self._waiting.append
        put((ticket, job))
        return ticket

    def completed(self) -> list[Completed]:
        ticket, job = self._waiting.popleft()
        return [rated_here(ticket, job, self._execute)]

    def close(self) -> None:
        self._waiting.clear()


def rated_here(ticket: int, job: Job, execute: Execute = score) -> Completed:
    """Rate a chunk in this process."""
    try:
        return Completed(ticket, rate_or_fail(execute, job))
    except RatingFailed as failed:
        return Completed(ticket, failed=failed)
