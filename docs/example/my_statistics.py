"""A statistic that own.checklist.yaml names by import path."""

import numpy as np

from shakeproof.stats import ComparedScores, Matrix, Observations, Vector


class Ties:
    """The share of segments in which two candidates get the same score."""

    def __init__(self, compared: ComparedScores) -> None:
        self.score_key = compared.clean

    def sums(self, observed: Observations) -> Matrix:
        """Return for each segment 1 if it has a tie, else 0, and a 1 that counts it."""
        starts = np.flatnonzero(np.diff(observed.candidates.segment)) + 1
        by_segment = np.split(observed.scores[self.score_key], starts)
        tied = [len(set(scores)) < len(scores) for scores in by_segment]
        return np.stack([np.array(tied, dtype=float), np.ones(len(tied))], axis=1)

    def value(self, totals: Matrix) -> Vector:
        return totals[..., 0] / totals[..., 1]
