"""Numbers about a data set, with intervals and verdicts."""

from shakeproof.stats.observations import (
    Candidates,
    ComparedScores,
    Matrix,
    Observations,
    ScoreKey,
    Statistic,
    Vector,
)

__all__ = [
    "Candidates",
    "ComparedScores",
    "Matrix",
    "Observations",
    "ScoreKey",
    "Statistic",
    "Vector",
]
