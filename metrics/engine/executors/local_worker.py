"""A local worker process: reads recipes, then requests, and writes an answer to each."""

from __future__ import annotations

import marshal
import os
import signal
import sys
from contextlib import suppress
from queue import SimpleQueue
from threading import Thread

from shakeproof.metrics.engine.worker import message, protect_pipes, read_requests


def main() -> None:
    """Answer requests until the other end is closed; then end, even in the middle of a chunk."""
    requests, answers = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    protect_pipes()
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the main process decides when to stop
    waiting: SimpleQueue[bytes] = SimpleQueue()
    Thread(target=read_requests, args=(requests, waiting), daemon=True).start()

    from shakeproof.metrics.engine.executors.rating import Rater

    rater = Rater(marshal.loads(waiting.get()))
    answers.write(message(marshal.dumps({})))
    while True:
        answers.flush()
        number, request = marshal.loads(waiting.get())
        content = marshal.dumps([number, rater.rate(request)])
        with suppress(Exception):  # a user's function may have closed them
            sys.stdout.flush()
            sys.stderr.flush()
        answers.write(message(content))
