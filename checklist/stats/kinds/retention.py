"""Retention: the share of the clean correlation that is kept under perturbation."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from shakeproof.stats.intervals import IntervalTraits
from shakeproof.stats.kinds.agreement import Agreement, correlation, difference
from shakeproof.stats.kinds.coefficients import Coefficient
from shakeproof.stats.observations import ComparedScores, Mask, Matrix, Observations, Vector
from shakeproof.stats.rows import ratio


def weighted_correlation(
    coefficient: Coefficient, compared: ComparedScores, weights: Sequence[float]
) -> Agreement:
    """Sum the correlations at level 0 and at each level, averaged over seeds, by `weights`.

    Thresholds are those of the clean scores.
    """
    score_keys, shares = [compared.clean], [weights[0]]
    for seeds, weight in zip(compared.perturbed, weights[1:], strict=True):
        score_keys += seeds
        shares += [weight / len(seeds)] * len(seeds)
    anchors = (compared.clean,) * len(score_keys)
    return Agreement(coefficient, tuple(score_keys), tuple(shares), anchors)


def retention_contrast(
    coefficient: Coefficient, compared: ComparedScores, weights: Sequence[float], q: float
) -> Agreement:
    """Subtract `q` times the clean correlation from what is kept: retention without a division."""
    return difference(
        weighted_correlation(coefficient, compared, weights),
        correlation(coefficient, [compared.clean]),
        share=q,
    )


@dataclass(frozen=True, slots=True)
class Retention:
    """What is kept as a share of the clean correlation; undefined where that is not above 0."""

    kept: Agreement  # whose first score vector is the clean one

    @property
    def interval_traits(self) -> IntervalTraits:
        """Predict new data where correlations do."""
        return IntervalTraits(predicts=self.kept.coefficient.interval_traits.predicts)

    def contributes(self, observed: Observations) -> Mask:
        return self.kept.contributes(observed)

    def sums(self, observed: Observations) -> Matrix:
        return self.kept.sums(observed)

    def value(self, totals: Matrix) -> Vector:
        width = totals.shape[-1] // len(self.kept.score_keys)
        clean = self.kept.coefficient.value(totals[..., :width])
        return ratio(self.kept.value(totals), clean)
