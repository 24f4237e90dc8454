"""A statistic that own.checklist.yaml names by import path."""

import numpy as np

from shakeproof.stats.frame import Cell, Matrix, Observations, Vector


class Ties:
    """The share of segments in which two candidates get the same score."""

    def __init__(self, cell: Cell) -> None:
        self.block = cell.clean

    def sums(self, observed: Observations) -> Matrix:
        """Give each segment whether it has a tie, and a one to count it by."""
        rows = np.flatnonzero(np.diff(observed.frame.segment)) + 1
        tied = [len(set(part)) < len(part) for part in np.split(observed.scores[self.block], rows)]
        return np.stack([np.array(tied, dtype=float), np.ones(len(tied))], axis=1)

    def value(self, totals: Matrix) -> Vector:
        """Divide the one by the other."""
        return totals[..., 0] / totals[..., 1]
