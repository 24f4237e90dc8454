"""What correlation keeps of itself under perturbation."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from shakeproof.stats.frame import Cell, Mask, Matrix, Observations, Vector
from shakeproof.stats.kinds.agreement import Agreement, correlation, difference
from shakeproof.stats.kinds.coefficients import Coefficient
from shakeproof.stats.rows import ratio


def trapezoid(levels: Sequence[float]) -> list[float]:
    """Weigh levels, 0 before them, such that the sum is the mean height of the curve."""
    points = np.array([0.0, *levels])
    steps = np.diff(points)
    weights = (np.append(steps, 0.0) + np.append(0.0, steps)) / 2
    return [float(weight) for weight in weights / points[-1]]


def kept(coefficient: Coefficient, cell: Cell, weights: Sequence[float]) -> Agreement:
    """Weigh the correlations at level 0 and at each level, averaged over seeds."""
    blocks, shares = [cell.clean], [weights[0]]
    for seeds, weight in zip(cell.perturbed, weights[1:], strict=True):
        blocks += seeds
        shares += [weight / len(seeds)] * len(seeds)
    anchors = (cell.clean,) * len(blocks)  # thresholds are the clean ones
    return Agreement(coefficient, tuple(blocks), tuple(shares), anchors)


def contrast(coefficient: Coefficient, cell: Cell, weights: Sequence[float], q: float) -> Agreement:
    """Take `q` times the clean correlation from what is kept: retention without a division."""
    return difference(
        kept(coefficient, cell, weights), correlation(coefficient, [cell.clean]), share=q
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
        width = totals.shape[-1] // len(self.kept.blocks)
        clean = self.kept.coefficient.value(totals[..., :width])
        return ratio(self.kept.value(totals), clean)
