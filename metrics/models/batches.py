"""How work is cut into pieces that fit."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from math import ceil

OUT_OF_MEMORY = ("out of memory", "can't allocate memory", "not enough memory")


def fitting(
    lengths: Sequence[int], start: int, budget: int, kinds: Sequence[object] | None = None
) -> range:
    """Take as many from `start` as fit: longest times number stays in the budget.

    Lengths come sorted, so that neighbours are of a size; one beyond the budget goes alone.
    Where there are several kinds, no two kinds go together.
    """
    end, longest = start + 1, lengths[start]
    while end < len(lengths):
        longest = max(longest, lengths[end])
        if longest * (end + 1 - start) > budget or (kinds and kinds[end] != kinds[start]):
            break
        end += 1
    return range(start, end)


def cut(
    lengths: Sequence[int], budget: int, kinds: Sequence[object] | None = None
) -> Iterator[range]:
    """Cut all of sorted lengths into batches that fit."""
    start = 0
    while start < len(lengths):
        batch = fitting(lengths, start, budget, kinds)
        yield batch
        start = batch.stop


def in_batches(
    lengths: Sequence[int],
    work: Callable[[range], None],
    budget: int,
    kinds: Sequence[object] | None = None,
) -> int:
    """Work through sorted lengths; when memory runs out, halve the batches and go on.

    Returns the budget that memory turned out to allow.
    """
    start = 0
    while start < len(lengths):
        batch = fitting(lengths, start, budget, kinds)
        try:
            work(batch)
        except RuntimeError as error:
            if len(batch) == 1 or not out_of_memory(error):
                raise
            budget = max(1, int(lengths[batch[-1]]) * len(batch) // 2)
        else:
            start = batch.stop
    return budget


def evened(lengths: Sequence[int], budget: int, threads: int) -> int:
    """Lower the budget so that every thread gets as much as the others."""
    total = sum(lengths)
    rounds = ceil(total / (threads * budget))
    return ceil(total / (threads * rounds))


def side_by_side(
    batches: Iterable[range],
    work: Callable[[range], None],
    threads: int,
    begin: Callable[[], None],
) -> bool:
    """Work through batches in threads; false if they do not fit into memory all at once."""
    pool = ThreadPoolExecutor(threads, initializer=begin)
    try:
        deque(pool.map(work, batches), maxlen=0)
    except RuntimeError as error:
        if not out_of_memory(error):
            raise
        return False
    finally:
        pool.shutdown(cancel_futures=True)
    return True


def out_of_memory(error: RuntimeError) -> bool:
    """Tell whether a device, or the machine, had too little memory."""
    return any(words in str(error).lower() for words in OUT_OF_MEMORY)


def spans(pairs: Sequence[tuple[int, int]], lengths: Sequence[int], budget: int) -> Iterator[range]:
    """Cut pairs into runs whose distinct texts hold no more tokens than the budget."""
    start = total = 0
    seen: set[int] = set()
    for end, pair in enumerate(pairs):
        cost = sum(lengths[text] for text in set(pair) - seen)
        if end > start and total + cost > budget:
            yield range(start, end)
            start, total, seen = end, 0, set()
            cost = sum(lengths[text] for text in set(pair))
        seen.update(pair)
        total += cost
    if start < len(pairs):
        yield range(start, len(pairs))
