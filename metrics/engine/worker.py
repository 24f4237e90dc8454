"""The worker process of a Python function: reads requests, calls the function, writes answers.

Messages have their length before them, and nothing but plain data in them: a request has texts, an
answer has JSON and floats. NumPy is not imported here, so that a worker starts fast.
"""

from __future__ import annotations

import json
import marshal
import mmap
import os
import signal
import sys
from array import array
from collections.abc import Callable, Mapping
from contextlib import suppress
from math import nan
from pathlib import Path
from queue import SimpleQueue
from threading import Thread
from typing import IO, Any

from shakeproof.metrics.engine.calls import Rated, rate_each, rate_together
from shakeproof.metrics.failures import Failure, RatingFailed, failure_of
from shakeproof.metrics.functions import Function, load_function

LENGTH_BYTES = 8
EVERYTHING = (BaseException,)  # nothing that a function raises ends a worker


def message(content: bytes) -> bytes:
    """Return content as a message, its length first."""
    return len(content).to_bytes(LENGTH_BYTES, "little") + content


def read_message(file: IO[bytes]) -> bytes:
    """Read the content of a message from a pipe; b"" if the other end is closed."""
    length = file.read(LENGTH_BYTES)
    return file.read(int.from_bytes(length, "little")) if len(length) == LENGTH_BYTES else b""


def main(shared_file: int) -> None:
    """Answer requests until the other end is closed; then end, even in the middle of a call.

    `shared_file` is a file in which the main process sees the position of the current call.
    """
    waiting, answers = open_pipes()
    position = shared_position(shared_file)
    while True:
        request = marshal.loads(waiting.get())
        answer = answer_to(request, lambda number: position.__setitem__(0, number))
        write_answer(answers, answer)


def open_pipes() -> tuple[SimpleQueue[bytes], IO[bytes]]:
    """Return the queue of requests and the pipe for answers; nothing else reads or writes them."""
    requests, answers = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    protect_pipes()
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the main process decides when to stop
    waiting: SimpleQueue[bytes] = SimpleQueue()
    Thread(target=read_requests, args=(requests, waiting), daemon=True).start()
    return waiting, answers


def write_answer(answers: IO[bytes], content: bytes) -> None:
    """Write an answer, after what the user's function has printed."""
    with suppress(Exception):  # the function may have closed them
        sys.stdout.flush()
        sys.stderr.flush()
    answers.write(message(content))
    answers.flush()


def shared_position(file: int) -> memoryview[int]:
    """Return a number in the memory that two processes share through a file; -1 elsewhere."""
    memory = mmap.mmap(file, LENGTH_BYTES) if file >= 0 else bytearray(LENGTH_BYTES)
    return memoryview(memory).cast("q")


def protect_pipes() -> None:
    """Send what the function prints to the error output, and give it nothing to read."""
    with suppress(OSError):  # the error output may be closed
        os.dup2(2, 1)
    with Path(os.devnull).open() as nothing:
        os.dup2(nothing.fileno(), 0)


def read_requests(requests: IO[bytes], waiting: SimpleQueue[bytes]) -> None:
    """Read requests into a queue, and end this process with the one that sends them."""
    while request := read_message(requests):
        waiting.put(request)
    os._exit(0)  # the main process has ended


def answer_to(request: Mapping[str, Any], begin: Callable[[int], None]) -> bytes:
    """Call the function that a request names; return failures as JSON, then a line of scores."""
    begin(-1)
    try:
        rated = _rate(request, begin)
    except RatingFailed as failed:
        content = {"failed": _values(failed.failure), "permanent": failed.permanent}
        return json.dumps(content).encode() + b"\n"
    failures = {at: _values(one) for at, one in enumerate(rated) if isinstance(one, Failure)}
    scores = array("d", [nan if isinstance(one, Failure) else one for one in rated])
    return json.dumps({"failures": failures}).encode() + b"\n" + scores.tobytes()


def _rate(request: Mapping[str, Any], begin: Callable[[int], None]) -> Rated:
    module, name, file = request["function"]
    function = Function(module, name, Path(file) if file else None, None)
    try:
        loaded = load_function(function)
    except BaseException as error:  # whatever a module does at import
        raise RatingFailed(failure_of(error, _rate.__code__), permanent=True) from error
    if request["batch"]:
        return rate_together(loaded, request["arguments"], request["count"], caught=EVERYTHING)
    return rate_each(loaded, request["arguments"], begin=begin, caught=EVERYTHING)


def _values(failure: Failure) -> list[str]:
    return [failure.kind, failure.detail, failure.traceback]
