"""How work is cut into pieces that fit."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

OUT_OF_MEMORY = ("out of memory", "can't allocate memory", "not enough memory")


def fitting(lengths: Sequence[int], start: int, budget: int) -> range:
    """Take as many texts from `start` as fit: longest times number stays in the budget.

    Lengths come sorted, so that neighbours are of a size; a text beyond the budget goes alone.
    """
    end, longest = start + 1, lengths[start]
    while end < len(lengths):
        longest = max(longest, lengths[end])
        if longest * (end + 1 - start) > budget:
            break
        end += 1
    return range(start, end)


def in_batches(lengths: Sequence[int], work: Callable[[range], None], budget: int) -> int:
    """Work through sorted lengths; when memory runs out, halve the batches and go on.

    Returns the budget that memory turned out to allow.
    """
    start = 0
    while start < len(lengths):
        batch = fitting(lengths, start, budget)
        try:
            work(batch)
        except RuntimeError as error:
            if len(batch) == 1 or not _out_of_memory(error):
                raise
            budget = max(1, int(lengths[batch[-1]]) * len(batch) // 2)
        else:
            start = batch.stop
    return budget


def _out_of_memory(error: RuntimeError) -> bool:
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
