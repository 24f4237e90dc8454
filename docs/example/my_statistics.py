"""A statistic that own.checklist.yaml names by import path."""

import numpy as np

from shakeproof.stats.observations import ComparedScores, Matrix, Observations, Vector


class Ties:
    """The share of segments in which two candidates get the same score."""

    def __init__(self, compared: ComparedScores) -> None:
        self.score_key = compared.clean

    def sums(self, observed: Observations) -> Matrix:
        """Give each segment whether it has a tie, and a one to count it by."""
        rows = np.flatnonzero(np.diff(observed.candidates.segment)) + 1
        tied = [
            len(set(part)) < len(part) for part in np.split(observed.scores[self.score_key], rows)
        ]
        return np.stack([np.array(tied, dtype=float), np.ones(len(tied))], axis=1)

    def value(self, totals: Matrix) -> Vector:
        """Divide the one by the other."""
        return totals[..., 0] / totals[..., 1]
