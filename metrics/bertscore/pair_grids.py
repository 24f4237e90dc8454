"""Pairs grouped into grids, so that each text is read once for all texts it is matched with."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise, product

import numpy as np

from shakeproof.metrics.models.batches import split_batches
from shakeproof.metrics.protocols import IntArray

MAX_SIDE_TOKENS = 512  # of all candidates, or all references, of a grid, unless it is one text


@dataclass(frozen=True, slots=True)
class Grid:
    """Some candidates and some references, all of which are matched with each other."""

    candidates: IntArray  # positions of texts
    references: IntArray
    pairs: IntArray  # (candidates, references): positions of the pairs

    @property
    def sides(self) -> tuple[IntArray, IntArray]:
        """Return the texts of both sides."""
        return self.candidates, self.references

    @property
    def shape(self) -> tuple[int, ...]:
        """Return the number of candidates and of references."""
        return self.pairs.shape

    def token_count(self, lengths: IntArray) -> int:
        """Count the tokens of both sides, with all texts padded to the longest."""
        longest = lengths[self.candidates].max(), lengths[self.references].max()
        return int(np.dot(self.shape, longest))


def group_pairs(pairs: IntArray, lengths: IntArray) -> list[Grid]:
    """Group pairs into grids, sorted by shape and then by length.

    Pairs are distinct and sorted by reference, then candidate; texts are numbered by length.
    """
    grids = [part for grid in _group_references(pairs) for part in _split(grid, lengths)]
    return sorted(grids, key=lambda grid: (grid.shape, grid.token_count(lengths)))


def _group_references(pairs: IntArray) -> Iterator[Grid]:
    """Put references into one grid that are matched with the same candidates."""
    references, starts = np.unique(pairs[:, 1], return_index=True)
    groups: dict[bytes, list[int]] = {}  # by the candidates
    for number, (start, end) in enumerate(pairwise([*starts.tolist(), len(pairs)])):
        groups.setdefault(pairs[start:end, 0].tobytes(), []).append(number)
    for shared, numbers in groups.items():
        candidates = np.frombuffer(shared, dtype=np.int64)
        positions = starts[numbers] + np.arange(len(candidates))[:, None]
        yield Grid(candidates, references[numbers], positions)


def _split(grid: Grid, lengths: IntArray) -> Iterator[Grid]:
    """Split a grid into parts of which neither side has too many tokens."""
    sides = (
        split_batches(lengths[side].tolist(), MAX_SIDE_TOKENS)
        for side in (grid.candidates, grid.references)
    )
    for down, across in product(*sides):
        rows, columns = slice(down.start, down.stop), slice(across.start, across.stop)
        yield Grid(grid.candidates[rows], grid.references[columns], grid.pairs[rows, columns])
