"""Work split into batches that fit into memory, one after the other or in threads."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from math import ceil

OUT_OF_MEMORY = ("out of memory", "can't allocate memory", "not enough memory")
MIN_TOKENS_PER_THREAD = 256  # below it, one batch that all processors share is faster


def next_batch(
    lengths: Sequence[int], start: int, budget: int, kinds: Sequence[object] | None = None
) -> range:
    """Take as many from `start` as fit: the longest times their number is within the budget.

    Lengths are sorted, so that a batch needs little padding; one above the budget is a batch of
    its own. All of a batch are of one kind, where kinds are given.
    """
    end, longest = start + 1, lengths[start]
    while end < len(lengths):
        longest = max(longest, lengths[end])
        if longest * (end + 1 - start) > budget or (kinds and kinds[end] != kinds[start]):
            break
        end += 1
    return range(start, end)


def split_batches(
    lengths: Sequence[int], budget: int, kinds: Sequence[object] | None = None
) -> Iterator[range]:
    """Split all of the sorted lengths into batches that fit."""
    start = 0
    while start < len(lengths):
        batch = next_batch(lengths, start, budget, kinds)
        yield batch
        start = batch.stop


def run_batches(
    lengths: Sequence[int],
    work: Callable[[range], None],
    budget: int,
    kinds: Sequence[object] | None = None,
) -> int:
    """Work through sorted lengths batch by batch; out of memory, halve the batch and try again.

    Returns the budget that memory turned out to allow.
    """
    start = 0
    while start < len(lengths):
        batch = next_batch(lengths, start, budget, kinds)
        try:
            work(batch)
        except RuntimeError as error:
            if len(batch) == 1 or not is_out_of_memory(error):
                raise
            budget = max(1, int(lengths[batch[-1]]) * len(batch) // 2)
        else:
            start = batch.stop
    return budget


def run_in_threads(
    lengths: Sequence[int],
    work: Callable[[range], None],
    budget: int,
    kinds: Sequence[object] | None = None,
) -> bool:
    """Give each processor batches of its own; return False if that is not possible.

    It is faster than one batch for all processors, which wait for each other at every step. It
    is not possible with one processor or little work, or if memory does not hold all batches.
    """
    import torch

    threads = torch.get_num_threads()
    if threads == 1 or sum(lengths) < threads * MIN_TOKENS_PER_THREAD:
        return False

    def without_gradients(batch: range) -> None:
        with torch.inference_mode():  # which every thread has to set for itself
            work(batch)

    batches = split_batches(lengths, even_budget(lengths, budget, threads), kinds)
    pool = ThreadPoolExecutor(threads, initializer=lambda: torch.set_num_threads(1))
    try:
        deque(pool.map(without_gradients, batches), maxlen=0)
    except RuntimeError as error:
        if not is_out_of_memory(error):
            raise
        return False
    finally:
        pool.shutdown(cancel_futures=True)
        torch.set_num_threads(threads)
    return True


def even_budget(lengths: Sequence[int], budget: int, threads: int) -> int:
    """Lower the budget so that all threads get about the same amount of work."""
    total = sum(lengths)
    rounds = ceil(total / (threads * budget))
    return ceil(total / (threads * rounds))


def is_out_of_memory(error: RuntimeError) -> bool:
    """Return whether torch failed because the device or the machine had too little memory."""
    return any(words in str(error).lower() for words in OUT_OF_MEMORY)
