"""Call a user's function in a worker process, so that it cannot end or block this one."""

from __future__ import annotations

import json
import marshal
import os
from collections.abc import Sequence
from tempfile import TemporaryFile
from typing import Any

import numpy as np

from shakeproof.metrics.engine.processes import PROCESSES, Process, python_command
from shakeproof.metrics.engine.worker import (
    LENGTH_BYTES,
    message,
    read_message,
    shared_position,
)
from shakeproof.metrics.failures import Failure, RatingFailed
from shakeproof.metrics.functions import Function
from shakeproof.metrics.protocols import ScoreColumn, column_with


class Worker:
    """A worker process, and the position of the tuple that it is rating."""

    def __init__(self) -> None:
        with TemporaryFile() as file:
            file.truncate(LENGTH_BYTES)
            shared = file.fileno() if os.name == "posix" else -1
            self._position = shared_position(shared)
            command = python_command("shakeproof.metrics.engine.worker", shared)
            self._process = Process(command, shared_files=[shared] if shared >= 0 else [])

    @property
    def running(self) -> bool:
        """Return whether the process has not ended."""
        return self._process.running

    def end(self) -> None:
        """End the process."""
        self._process.end()

    def ask(self, request: dict[str, Any], *, timeout: float) -> bytes:
        """Return the answer to a request; if the process ends, say at which tuple."""
        self._position[0] = -1
        question = message(marshal.dumps(request))
        try:
            return self._process.ask(question, read_message, timeout=timeout)
        except RatingFailed as failed:
            at = self._position[0]
            raise RatingFailed(
                failed.failure, position=at if at >= 0 else None, timed_out=failed.timed_out
            ) from None


def rate_isolated(
    function: Function, arguments: Sequence[Any], count: int, *, batch: bool, timeout: float
) -> ScoreColumn:
    """Rate `count` tuples in the worker of the function's module, which is started if need be.

    Functions of one module share a worker, as they would share what the module has loaded.
    """
    key = (function.module, function.file, function.sha256)
    request = {
        "function": [function.module, function.name, str(function.file or "")],
        "batch": batch,
        "arguments": arguments,
        "count": count,
    }
    with PROCESSES.use(key, Worker) as worker:
        answer = worker.ask(request, timeout=timeout)
    head, _, scores = answer.partition(b"\n")
    content = json.loads(head)
    if "failed" in content:
        raise RatingFailed(Failure(*content["failed"]), permanent=content["permanent"])
    failures = {int(at): Failure(*values) for at, values in content["failures"].items()}
    return column_with(np.frombuffer(scores, dtype=float), failures)
