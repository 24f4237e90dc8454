"""What scripted servers answer with, and what judges are asked about."""

from collections import Counter
from threading import Lock

from server import (
    Reply,
    prompt_of,
    score_reply,
)

from shakeproof.metrics.protocols import Instance

ERROR = {"error": {"message": "something broke"}}


REFUSAL = Reply(ERROR, status=429)


def instances(count, first=0):
    return [
        Instance(f"candidate {number}", ("a reference",), "a source")
        for number in range(first, first + count)
    ]


def script(*replies, rest=None):
    """Answer with each reply in turn, and then with `rest`."""
    turns, lock = iter(replies), Lock()

    def answer(_):
        with lock:
            return next(turns, rest or score_reply(4))

    return answer


def once_each(first, then=None):
    """Answer each question with `first` the first time, and then with `then`."""
    seen = Counter()

    def answer(request):
        seen[prompt_of(request)] += 1
        return first if seen[prompt_of(request)] == 1 else then or score_reply(4)

    return answer
