"""When the score of a single text breaks an expectation, whatever the mean is."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf

import numpy as np

from shakeproof.results import Bounds
from shakeproof.stats.kinds.scores import Direction, movement
from shakeproof.stats.observations import Vector
from shakeproof.stats.rows import TIE


@dataclass(frozen=True, slots=True)
class TextLimits:
    """The limits within which the score of one text may move.

    A lower limit of 0 or more asks for movement, so a tie breaks it; to any other limit a tie is
    within.
    """

    direction: Direction
    low: float = -inf
    high: float = inf
    spreads: bool = True  # limits are in units of the metric's spread
    tie: float = TIE

    def movement(self, rise: Vector) -> Vector:
        """Return rises of scores as movements in the direction of the expectation."""
        return movement(rise, self.direction)

    def excess(self, rise: Vector, unit: float) -> Vector:
        """Return how far movements lie outside the limits, in raw scores; above 0 is broken."""
        moved = self.movement(rise)
        low = self.low * unit + (self.tie if self.low >= 0 else -self.tie)
        excess = np.maximum(moved - (self.high * unit + self.tie), low - moved)
        return np.where(np.isfinite(moved), excess, -inf)


def limits_from_bounds(direction: Direction, bounds: Bounds, *, spreads: bool) -> TextLimits:
    """Limit one text as the mean is bounded; where the mean must move, any movement is enough."""
    low = -inf if bounds.low is None else min(bounds.low, 0.0)
    high = inf if bounds.high is None else bounds.high
    return TextLimits(direction, low, high, spreads)
