"""A local worker process: reads recipes, then requests, and writes an answer to each."""

from __future__ import annotations

import marshal

from shakeproof.metrics.engine.worker import open_pipes, write_answer


def main() -> None:
    """Answer requests until the other end is closed; then end, even in the middle of a chunk."""
    waiting, answers = open_pipes()

    from shakeproof.metrics.engine.executors.rating import Rater  # users' output is caught by now

    rater = Rater(marshal.loads(waiting.get()))
    write_answer(answers, marshal.dumps({}))
    while True:
        number, request = marshal.loads(waiting.get())
        write_answer(answers, marshal.dumps([number, rater.rate(request)]))
