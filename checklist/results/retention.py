"""How the mean over levels is taken of what a metric keeps of its clean correlation."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise


def trapezoid_weights(levels: Sequence[float]) -> list[float]:
    """Return weights of level 0 and these levels whose weighted sum is the curve's mean height."""
    steps = [after - before for before, after in pairwise([0.0, *levels])]
    total = sum(steps)
    sides = zip([*steps, 0.0], [0.0, *steps], strict=True)
    return [(after + before) / 2 / total for after, before in sides]
