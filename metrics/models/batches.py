"""Work split into batches that fit into memory, one after the other or in threads."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from math import ceil

# The last one is cuBLAS, which found no memory for its own use.
OUT_OF_MEMORY = ("out of memory", "can't allocate memory", "not enough memory", "alloc_failed")
MIN_BATCH_TOKENS = 128  # smaller batches are slower
MIN_BATCHES = 16  # of enough work, so that up to so many processors share it


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
    """Give each processor batches of its own; return False if memory does not hold all of them.

    It is faster than one batch for all processors, which wait for each other at every step. The
    batches, and so the last digits of the results, are the same for any number of processors.
    """
    import torch

    threads = torch.get_num_threads()
    batches = list(split_batches(lengths, even_budget(lengths, budget), kinds))
    try:
        _run_side_by_side(work, batches, threads)
    except RuntimeError as error:
        if not is_out_of_memory(error):
            raise
        return False
    finally:
        torch.set_num_threads(threads)
    return True


def _run_side_by_side(
    work: Callable[[range], None], batches: Sequence[range], threads: int
) -> None:
    """Work on up to so many batches at the same time; each of them is computed by one thread."""
    import torch

    def without_gradients(batch: range) -> None:
        torch.set_num_threads(1)  # it holds for this thread alone
        with torch.inference_mode():  # which every thread has to set for itself
            work(batch)

    if min(threads, len(batches)) < 2:
        deque(map(without_gradients, batches), maxlen=0)
        return
    pool = ThreadPoolExecutor(threads)
    try:
        deque(pool.map(without_gradients, batches), maxlen=0)
    finally:
        pool.shutdown(cancel_futures=True)


def even_budget(lengths: Sequence[int], budget: int) -> int:
    """Lower the budget so that batches are about equal, and there are some for each processor."""
    total = sum(lengths)
    count = max(ceil(total / budget), min(MIN_BATCHES, total // MIN_BATCH_TOKENS))
    return ceil(total / count) if count > 1 else budget


def is_out_of_memory(error: RuntimeError) -> bool:
    """Return whether torch failed because the device or the machine had too little memory."""
    return any(words in str(error).lower() for words in OUT_OF_MEMORY)
