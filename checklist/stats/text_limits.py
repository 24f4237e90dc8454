"""When the score of a single text breaks an expectation, whatever the mean says."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf

import numpy as np

from shakeproof.results import Bounds
from shakeproof.stats.kinds.scores import Direction
from shakeproof.stats.observations import Vector
from shakeproof.stats.rows import TIE


@dataclass(frozen=True, slots=True)
class Fault:
    """The limits within which the score of one text may move.

    A lower limit of 0 or more asks for movement, so a tie breaks it; to any other limit a tie is
    within.
    """

    direction: Direction
    low: float = -inf
    high: float = inf
    spreads: bool = True  # limits are in units of the metric's spread
    tie: float = TIE

    def moved(self, rise: Vector) -> Vector:
        """Count movement as the expectation does."""
        return {"change": np.abs(rise), "rise": rise, "drop": -rise}[self.direction]

    def beyond(self, rise: Vector, unit: float) -> Vector:
        """Say how far movements lie beyond the limits, in the metric's units; above 0 is broken."""
        moved = self.moved(rise)
        low = self.low * unit + (self.tie if self.low >= 0 else -self.tie)
        over = np.maximum(moved - (self.high * unit + self.tie), low - moved)
        return np.where(np.isfinite(moved), over, -inf)


def fault_within(direction: Direction, bounds: Bounds, *, spreads: bool) -> Fault:
    """Ask of one text what bounds ask of the mean; if they ask for movement, any is enough."""
    low = -inf if bounds.low is None else min(bounds.low, 0.0)
    high = inf if bounds.high is None else bounds.high
    return Fault(direction, low, high, spreads)
