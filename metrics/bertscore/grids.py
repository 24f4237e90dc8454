"""Pairs put together so that each text is fetched once for all the texts it is compared with."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise, product

import numpy as np

from shakeproof.metrics.models.batches import cut
from shakeproof.metrics.models.encoder import Positions

SIDE = 512  # tokens of all candidates, or of all references, in one grid; long texts go alone


@dataclass(frozen=True, slots=True)
class Grid:
    """Each of some candidates beside each of some references, and the numbers of these pairs."""

    candidates: Positions
    references: Positions
    pairs: Positions  # (candidates, references)

    @property
    def shape(self) -> tuple[int, ...]:
        """Say how many candidates and references there are."""
        return self.pairs.shape

    def tokens(self, lengths: Positions) -> int:
        """Count the tokens of both sides when all texts are as long as the longest."""
        longest = lengths[self.candidates].max(), lengths[self.references].max()
        return int(np.dot(self.shape, longest))


def grids(pairs: Positions, lengths: Positions) -> list[Grid]:
    """Arrange pairs in grids, those of one shape side by side and by length.

    Pairs are distinct, sorted by reference and then by candidate, and texts numbered by length.
    """
    found = [part for grid in _whole(pairs) for part in _parts(grid, lengths)]
    return sorted(found, key=lambda grid: (grid.shape, grid.tokens(lengths)))


def _whole(pairs: Positions) -> Iterator[Grid]:
    """Put references together that are compared with the same candidates."""
    references, starts = np.unique(pairs[:, 1], return_index=True)
    alike: dict[bytes, list[int]] = {}
    for number, (start, end) in enumerate(pairwise([*starts.tolist(), len(pairs)])):
        alike.setdefault(pairs[start:end, 0].tobytes(), []).append(number)
    for shared, numbers in alike.items():
        candidates = np.frombuffer(shared, dtype=np.int64)
        places = starts[numbers] + np.arange(len(candidates))[:, None]
        yield Grid(candidates, references[numbers], places)


def _parts(grid: Grid, lengths: Positions) -> Iterator[Grid]:
    """Cut a grid into parts of which neither side is too large."""
    sides = (cut(lengths[side].tolist(), SIDE) for side in (grid.candidates, grid.references))
    for down, across in product(*sides):
        rows, columns = slice(down.start, down.stop), slice(across.start, across.stop)
        yield Grid(grid.candidates[rows], grid.references[columns], grid.pairs[rows, columns])
