"""Shrinking: few of the edits that break a metric, found by delta debugging.

A search is a generator: it yields the sets of edits that it needs rated, many at a time, and
receives for each how far the scores are outside their limits; above 0 the set breaks the metric.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Sequence
from itertools import pairwise
from typing import TypeAlias, TypeVar

T = TypeVar("T")
EditSet: TypeAlias = frozenset[int]  # edits of a text, by number
Search: TypeAlias = Generator[list[EditSet], Sequence[float], EditSet]
UnitSearch: TypeAlias = Generator[list[EditSet], Sequence[float], list[EditSet]]

MAX_UNITS = 24  # sets of edits that are rated one by one; more edits are bundled first


def shrink(count: int, max_units: int = MAX_UNITS) -> Search:
    """Find few of `count` edits that break the metric, as all of them together do."""
    left = list(range(count))
    while len(left) > max_units:
        bundles = [frozenset(chunk) for chunk in split(left, max_units)]
        kept = yield from _fewest(bundles)
        if len(kept) == len(bundles):
            return union((yield from ddmin([frozenset({edit}) for edit in left])))
        left = sorted(union(kept))
    return union((yield from _fewest([frozenset({edit}) for edit in left])))


def drop_needless(edits: EditSet) -> Search:
    """Find the edits that are needed, of few that break the metric."""
    return union((yield from ddmin([frozenset({edit}) for edit in sorted(edits)])))


def _fewest(units: Sequence[EditSet]) -> UnitSearch:
    """Rate each unit alone, then the most harmful ones together, then drop the needless ones."""
    if len(units) < 2:
        return list(units)
    alone = yield list(units)
    ranked = sorted(range(len(units)), key=lambda number: -alone[number])
    if alone[ranked[0]] > 0:
        return [units[ranked[0]]]
    ordered = [units[number] for number in ranked]
    sizes = range(2, len(units))
    excesses = yield [union(ordered[:size]) for size in sizes]
    enough = (size for size, excess in zip(sizes, excesses, strict=True) if excess > 0)
    return (yield from ddmin(ordered[: next(enough, len(units))]))


def ddmin(units: Sequence[EditSet]) -> UnitSearch:
    """Drop units until none can be dropped alone (Zeller and Hildebrandt 2002)."""
    left, parts = list(units), 2
    while len(left) > 1:
        chunks = split(left, parts)
        others = [
            [unit for chunk in chunks[:number] + chunks[number + 1 :] for unit in chunk]
            for number in range(parts)
        ]
        subsets = [*chunks, *others]
        excesses = yield [union(subset) for subset in subsets]
        breaking = [number for number, excess in enumerate(excesses) if excess > 0]
        if breaking:
            best = min(breaking, key=lambda number: (len(subsets[number]), -excesses[number]))
            left, parts = subsets[best], 2 if best < len(chunks) else max(parts - 1, 2)
        elif parts == len(left):
            break
        else:
            parts = min(2 * parts, len(left))
    return left


def split(sequence: Sequence[T], parts: int) -> list[list[T]]:
    """Cut a sequence into so many parts of nearly equal size."""
    ends = [len(sequence) * number // parts for number in range(parts + 1)]
    return [list(sequence[start:end]) for start, end in pairwise(ends)]


def union(units: Iterable[EditSet]) -> EditSet:
    """Return the union of sets of edits."""
    return frozenset().union(*units)
