"""The studentised bootstrap: draws in units of their own standard errors."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt, tanh

import numpy as np

from shakeproof.stats.intervals import (
    STRETCH,
    STUDENTISED,
    Interval,
    freedom_of,
    standard_error,
    stretch,
    t_quantile,
)
from shakeproof.stats.observations import Matrix, Statistic, Vector

NEARLY_ONE = 1 - 1e-9
LEAST_ERROR = 0.25  # of a draw, as a share of the value's: few segments may differ from the rest
STEP = 1e-4  # of a derivative, in standard deviations of the sums


@dataclass(frozen=True, slots=True)
class Pivots:
    """How far draws lie from the value, in units of their own standard errors.

    Correlations are compared on the scale of their inverse hyperbolic tangent (Fisher 1921), on
    which errors hardly depend on the value; the ends of the interval are turned back.
    """

    value: float
    error: float  # the standard error of the value, on the scale of the pivots
    freedom: float  # degrees of freedom of that error
    pivots: Vector  # (draws,)
    units: float  # segments, or documents, that were drawn
    correlation: bool = False
    stretch: float = STRETCH

    def distance(self, bound: float) -> float:
        """Return how far the value lies from a bound, in units of its stretched error."""
        away = abs(self._scaled(self.value) - self._scaled(bound))
        return away / (self.error * stretch(self.units, self.stretch))

    def ends(self, confidence: float) -> tuple[float, float]:
        """Return the ends of the interval."""
        down, up = self._reaches(confidence)
        ends = self._scaled(self.value) - down, self._scaled(self.value) + up
        low, high = (tanh(end) for end in ends) if self.correlation else ends
        return low, high

    def _scaled(self, value: float) -> float:
        return float(fisher(np.array(value))) if self.correlation else value

    def _reaches(self, confidence: float) -> tuple[float, float]:
        """Return how far the interval reaches down and up.

        Each end is the wider of the bootstrap's and Student's t, and is stretched.
        """
        outside = (1 - confidence) / 2
        low, high = np.quantile(self.pivots, [outside, 1 - outside])
        t = t_quantile(confidence, self.freedom)
        scale = self.error * stretch(self.units, self.stretch)
        return max(float(high), t) * scale, max(-float(low), t) * scale


def studentised(pivots: Pivots, confidence: float) -> Interval:
    """Return the interval (Efron 1981)."""
    low, high = pivots.ends(confidence)
    return Interval(low, high, STUDENTISED)


def pivots_of(
    value: float,
    draws: Vector,
    errors: Sequence[Vector],
    influences: Sequence[Vector],
    *,
    correlation: bool = False,
    stretch: float = STRETCH,
) -> Pivots | None:
    """Divide the distances of draws from the mean over groups by their errors.

    None where the value moves in steps, so that draws have no errors, or does not move at all.
    """
    own = np.array([standard_error(psi) for psi in influences])
    drawn = np.sqrt(np.sum(np.square(errors), axis=0)) / len(errors)
    if not own.any() or not drawn.any():
        return None
    error, distances = float(np.sqrt((own**2).sum())) / len(own), draws - value
    drawn = np.maximum(drawn, LEAST_ERROR * error)
    if correlation:
        distances = fisher(draws) - fisher(np.array(value))
        error, drawn = error / float(slope(np.array(value))), drawn / slope(draws)
    return Pivots(
        value=value,
        error=error,
        freedom=combined_freedom(own, np.array([freedom_of(psi) for psi in influences])),
        pivots=distances / drawn,
        units=sum(map(len, influences)),
        correlation=correlation,
        stretch=stretch,
    )


def fisher(correlations: Vector) -> Vector:
    """Return inverse hyperbolic tangents, finite ones also of -1 and 1."""
    inside: Vector = np.arctanh(np.clip(correlations, -NEARLY_ONE, NEARLY_ONE))
    return inside


def slope(correlations: Vector) -> Vector:
    """Return by how much a correlation changes with its inverse hyperbolic tangent."""
    inside: Vector = 1 - np.clip(correlations, -NEARLY_ONE, NEARLY_ONE) ** 2
    return inside


def combined_freedom(errors: Vector, freedoms: Vector) -> float:
    """Return the degrees of freedom of a mean over groups (Welch 1947)."""
    squares = errors**2
    return float(squares.sum() ** 2 / (squares**2 / freedoms).sum())


def error_columns(sums: Matrix, influence: Vector) -> Matrix:
    """Return what the standard error of a draw takes from each unit: (units, 2 + k)."""
    psi = centred(influence)[:, None]
    return np.hstack([psi, psi * psi, psi * sums])


def centred(influence: Vector) -> Vector:
    """Subtract the mean; influences that are undefined become 0."""
    psi = np.nan_to_num(influence)
    away: Vector = psi - psi.mean()
    return away


def drawn_errors(statistic: Statistic, totals: Matrix, columns: Matrix, units: int) -> Vector:
    """Return the standard error within each draw, from its totals and its error columns.

    Influences change from draw to draw. Their part along the influences in the whole data is a
    derivative of the value, in the direction of the covariances of influence and sums; the rest
    is of a smaller order. So one derivative replaces the influences of all units in all draws.
    """
    mean, squares = columns[:, 0] / units, columns[:, 1]
    variance = squares / units - mean**2
    covariance = columns[:, 2:] - mean[:, None] * totals
    deviation = np.sqrt(np.maximum(variance, 0.0))
    typical = float(np.median(deviation))
    if not typical > 0:
        return np.zeros(len(totals))
    step = STEP / typical
    forward, backward = (statistic.value(totals + end * covariance) for end in (step, -step))
    slope = np.abs(forward - backward) / (2 * step)
    errors = np.divide(slope, deviation, out=np.zeros(len(slope)), where=deviation > 0)
    scaled: Vector = np.nan_to_num(errors) / sqrt(units)
    return scaled
