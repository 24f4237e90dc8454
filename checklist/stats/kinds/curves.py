"""What correlation keeps of itself under perturbation."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from shakeproof.stats.kinds.agreement import Agreement, correlation, difference
from shakeproof.stats.kinds.coefficients import Coefficient
from shakeproof.stats.observations import ComparedScores, Mask, Matrix, Observations, Vector
from shakeproof.stats.rows import ratio


def trapezoid(levels: Sequence[float]) -> list[float]:
    """Weigh levels, 0 before them, such that the sum is the mean height of the curve."""
    points = np.array([0.0, *levels])
    steps = np.diff(points)
    weights = (np.append(steps, 0.0) + np.append(0.0, steps)) / 2
    return [float(weight) for weight in weights / points[-1]]


def kept(coefficient: Coefficient, compared: ComparedScores, weights: Sequence[float]) -> Agreement:
    """Weigh the correlations at level 0 and at each level, averaged over seeds."""
    score_keys, shares = [compared.clean], [weights[0]]
    for seeds, weight in zip(compared.perturbed, weights[1:], strict=True):
        score_keys += seeds
        shares += [weight / len(seeds)] * len(seeds)
    anchors = (compared.clean,) * len(score_keys)  # thresholds are the clean ones
    return Agreement(coefficient, tuple(score_keys), tuple(shares), anchors)


def contrast(
    coefficient: Coefficient, compared: ComparedScores, weights: Sequence[float], q: float
) -> Agreement:
    """Take `q` times the clean correlation from what is kept: retention without a division."""
    return difference(
        kept(coefficient, compared, weights), correlation(coefficient, [compared.clean]), share=q
    )


@dataclass(frozen=True, slots=True)
class Retention:
    """What is kept as a share of the clean correlation; undefined where that is not above 0."""

    kept: Agreement  # whose first block is the clean one

    def contributes(self, observed: Observations) -> Mask:
        """Mark the segments with something to compare."""
        return self.kept.contributes(observed)

    def sums(self, observed: Observations) -> Matrix:
        """Sum as the correlations do."""
        return self.kept.sums(observed)

    def value(self, totals: Matrix) -> Vector:
        """Divide."""
        width = totals.shape[-1] // len(self.kept.score_keys)
        clean = self.kept.coefficient.value(totals[..., :width])
        return ratio(self.kept.value(totals), clean)
