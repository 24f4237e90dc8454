"""Segments that are not all in memory: they are made when they are asked for, a block at a time."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from itertools import accumulate, chain
from typing import overload

from shakeproof.data.segments import Segment

BLOCK = 256  # segments that are made together


class LazySegments(Sequence[Segment]):
    """Segments that `make` returns for any two positions, start and stop.

    The last block is kept, so that going through them in order makes each once.
    """

    def __init__(self, length: int, make: Callable[[int, int], Sequence[Segment]]) -> None:
        self._length, self._make = length, make
        self._first = 0  # the position at which the block that is kept begins
        self._block: Sequence[Segment] = ()

    def __len__(self) -> int:
        return self._length

    @overload
    def __getitem__(self, index: int) -> Segment: ...

    @overload
    def __getitem__(self, index: slice) -> LazySegments: ...

    def __getitem__(self, index: int | slice) -> Segment | LazySegments:
        if isinstance(index, slice):
            return self._part(*index.indices(self._length))
        position = range(self._length)[index]
        offset = position - self._first
        if not 0 <= offset < len(self._block):
            start = position - position % BLOCK
            self.between(start, min(start + BLOCK, self._length))
            offset = position - self._first
        return self._block[offset]

    def __iter__(self) -> Iterator[Segment]:
        for start in range(0, self._length, BLOCK):
            yield from self.between(start, min(start + BLOCK, self._length))

    def between(self, start: int, stop: int) -> Sequence[Segment]:
        """Return a block of segments, and keep it; a single segment is not kept."""
        if (start, stop) == (self._first, self._first + len(self._block)):
            return self._block
        made = self._make(start, stop)
        if stop - start == 1 < self._length:
            return made
        self._first, self._block = start, made
        return made

    def _part(self, first: int, end: int, step: int) -> LazySegments:
        if step != 1:
            raise ValueError("segments that are not in memory can only be cut, not stepped through")
        length = max(0, end - first)
        return LazySegments(length, lambda start, stop: self.between(first + start, first + stop))


def between(segments: Sequence[Segment], start: int, stop: int) -> Sequence[Segment]:
    """Return the segments between two positions, in memory."""
    if isinstance(segments, LazySegments):
        return segments.between(start, stop)
    return segments[start:stop]


def blocks_of(segments: Sequence[Segment]) -> Iterator[Sequence[Segment]]:
    """Yield all segments in blocks; those that are in memory are one block."""
    size = BLOCK if isinstance(segments, LazySegments) else max(1, len(segments))
    for start in range(0, len(segments), size):
        yield between(segments, start, min(start + size, len(segments)))


def each(
    segments: Sequence[Segment], change: Callable[[int, Segment], Segment]
) -> Sequence[Segment]:
    """Change each segment, given its position: at once, or when it is asked for."""
    if not isinstance(segments, LazySegments):
        return tuple(change(position, segment) for position, segment in enumerate(segments))

    def make(start: int, stop: int) -> list[Segment]:
        read = enumerate(segments.between(start, stop), start)
        return [change(position, segment) for position, segment in read]

    return LazySegments(len(segments), make)


def joined(parts: Sequence[Sequence[Segment]]) -> Sequence[Segment]:
    """Put the segments of several data sets one after the other."""
    if len(parts) == 1:
        return parts[0]
    if not any(isinstance(part, LazySegments) for part in parts):
        return tuple(chain.from_iterable(parts))
    starts = [0, *accumulate(map(len, parts))]

    def make(start: int, stop: int) -> list[Segment]:
        segments: list[Segment] = []
        for number in range(bisect_right(starts, start) - 1, len(parts)):
            first = starts[number]
            if first < stop:
                inside = max(start - first, 0), min(stop - first, len(parts[number]))
                segments += between(parts[number], *inside)
        return segments

    return LazySegments(starts[-1], make)
