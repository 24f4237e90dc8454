"""Fewer edits that still break a metric, asked for in rounds so that many are rated together.

A search is a generator: it yields the sets of edits it wants to know about and is sent, for each,
how far the metric is beyond its limits; above 0 the set breaks it.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Sequence
from itertools import pairwise
from typing import TypeAlias, TypeVar

T = TypeVar("T")
Subset: TypeAlias = frozenset[int]  # edits of a text, by number
Steps: TypeAlias = Generator[list[Subset], Sequence[float], Subset]
UnitSteps: TypeAlias = Generator[list[Subset], Sequence[float], list[Subset]]

UNITS = 24  # edits looked at one by one, at most; more of them are bundled first


def shrink(count: int, units: int = UNITS) -> Steps:
    """Find few of `count` edits, all of which together break it, that still do."""
    left = list(range(count))
    while len(left) > units:
        bundles = [frozenset(chunk) for chunk in split(left, units)]
        kept = yield from fewest(bundles)
        if len(kept) == len(bundles):
            return together((yield from ddmin([frozenset({one}) for one in left])))
        left = sorted(together(kept))
    return together((yield from fewest([frozenset({one}) for one in left])))


def thin(edits: Subset) -> Steps:
    """Drop what may go of few edits that break it."""
    return together((yield from ddmin([frozenset({one}) for one in sorted(edits)])))


def fewest(units: Sequence[Subset]) -> UnitSteps:
    """Rate each unit alone, then pile them up from the most harmful on, then drop what may go."""
    if len(units) < 2:
        return list(units)
    alone = yield list(units)
    ranked = sorted(range(len(units)), key=lambda number: -alone[number])
    if alone[ranked[0]] > 0:
        return [units[ranked[0]]]
    ordered = [units[number] for number in ranked]
    sizes = range(2, len(units))
    beyond = yield [together(ordered[:size]) for size in sizes]
    enough = (size for size, far in zip(sizes, beyond, strict=True) if far > 0)
    return (yield from ddmin(ordered[: next(enough, len(units))]))


def ddmin(units: Sequence[Subset]) -> UnitSteps:
    """Reduce units that break it until no single one may go (Zeller and Hildebrandt 2002)."""
    left, parts = list(units), 2
    while len(left) > 1:
        chunks = split(left, parts)
        rests = [flat(chunks[:number] + chunks[number + 1 :]) for number in range(parts)]
        asked = [*chunks, *rests]
        beyond = yield [together(some) for some in asked]
        breaking = [number for number, far in enumerate(beyond) if far > 0]
        if breaking:
            chosen = min(breaking, key=lambda number: (len(asked[number]), -beyond[number]))
            left, parts = asked[chosen], 2 if chosen < len(chunks) else max(parts - 1, 2)
        elif parts == len(left):
            break
        else:
            parts = min(2 * parts, len(left))
    return left


def split(some: Sequence[T], parts: int) -> list[list[T]]:
    """Cut a sequence into so many parts of nearly equal size."""
    ends = [len(some) * number // parts for number in range(parts + 1)]
    return [list(some[start:end]) for start, end in pairwise(ends)]


def flat(chunks: Iterable[Sequence[T]]) -> list[T]:
    """Put chunks one after the other."""
    return [one for chunk in chunks for one in chunk]


def together(units: Iterable[Subset]) -> Subset:
    """Unite sets of edits."""
    return frozenset().union(*units)
