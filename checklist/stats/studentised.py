"""The studentised bootstrap: draws in units of their own standard errors."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import isfinite, sqrt

import numpy as np

from shakeproof.stats.intervals import (
    STUDENTISED,
    Interval,
    freedom_of,
    standard_error,
    stretch,
    t_quantile,
)
from shakeproof.stats.observations import Matrix, Statistic, Vector

STEP = 1e-4  # of a derivative, in standard deviations of the sums


@dataclass(frozen=True, slots=True)
class Pivots:
    """How far draws lie from the value, in units of their own standard errors."""

    error: float  # the standard error of the value
    freedom: float  # degrees of freedom of that error
    pivots: Vector  # (draws,); infinite where a draw has no error
    units: float  # segments, or documents, that were drawn

    def reaches(self, confidence: float) -> tuple[float, float]:
        """Return how far the interval reaches down and up, in units of the value.

        Each end is the wider of the bootstrap's and Student's t, and is stretched.
        """
        outside = (1 - confidence) / 2
        t = t_quantile(confidence, self.freedom)
        down = float(np.quantile(self.pivots, 1 - outside, method="higher"))
        up = -float(np.quantile(self.pivots, outside, method="lower"))
        scale = self.error * stretch(self.units)
        return max(down, t) * scale, max(up, t) * scale


def studentised(value: float, pivots: Pivots, confidence: float) -> Interval | None:
    """Return the interval (Efron 1981); None where too many draws have no error."""
    down, up = pivots.reaches(confidence)
    if not (isfinite(down) and isfinite(up)):
        return None
    return Interval(value - down, value + up, STUDENTISED)


def pivots_of(
    distances: Vector, errors: Sequence[Vector], influences: Sequence[Vector]
) -> Pivots | None:
    """Divide the distances of draws from the mean over groups by their errors.

    None where the value moves in steps, so that draws have no errors, or does not move at all.
    """
    own = np.array([standard_error(psi) for psi in influences])
    drawn = np.sqrt(np.sum(np.square(errors), axis=0)) / len(errors)
    if not own.any() or not drawn.any():
        return None
    return Pivots(
        error=float(np.sqrt((own**2).sum())) / len(own),
        freedom=combined_freedom(own, np.array([freedom_of(psi) for psi in influences])),
        pivots=divide(distances, drawn),
        units=sum(map(len, influences)),
    )


def combined_freedom(errors: Vector, freedoms: Vector) -> float:
    """Return the degrees of freedom of a mean over groups (Welch 1947)."""
    squares = errors**2
    return float(squares.sum() ** 2 / (squares**2 / freedoms).sum())


def divide(distances: Vector, errors: Vector) -> Vector:
    """Divide; a draw without an error lies infinitely far away, unless it is the value itself."""
    far = np.where(distances == 0, 0.0, np.copysign(np.inf, distances))
    return np.divide(distances, errors, out=far, where=errors > 0)


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
