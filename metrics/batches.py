"""How work is cut into pieces that fit."""

from __future__ import annotations

from collections.abc import Iterator, Sequence


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
