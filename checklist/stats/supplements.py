"""What is shown beside a verdict: groups, seeds, tests of "no difference"."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from shakeproof.results import Estimate, Part
from shakeproof.stats.estimate import Sample, resample
from shakeproof.stats.heterogeneity import heterogeneity, seeds_share
from shakeproof.stats.kinds.agreement import Agreement
from shakeproof.stats.kinds.coefficients import Pearson
from shakeproof.stats.observations import ComparedScores, Observations
from shakeproof.stats.permutation import EXACT_UNDER_SWAPS, permutation_p, williams_p

if TYPE_CHECKING:
    from shakeproof.expectations.base import Expectation


def group_parts(noun: str, sample: Sample) -> list[Part]:
    """Show the groups one by one, and how far they lie apart."""
    parts = [Part(name=noun, group=name, estimate=found) for name, found in sample.groups]
    apart = heterogeneity([found for _, found in sample.groups])
    if apart is not None:
        found = Estimate(value=apart.q, method="Cochran's Q over groups", note=str(apart))
        parts.append(Part(name="heterogeneity", estimate=found))
    return parts


def seed_parts(
    expectation: Expectation, compared: ComparedScores, observed: Observations
) -> list[Part]:
    """Show which share of a segment's variance is due to the seeds, where there are several."""
    seeds = min((len(one) for one in compared.perturbed), default=1)
    if seeds < 2:
        return []
    alone = [
        replace(compared, perturbed=tuple((one[at],) for one in compared.perturbed))
        for at in range(seeds)
    ]
    statistics = [expectation.claims(one)[0].statistic for one in alone]
    influences = [sample.influence for sample in resample(statistics, observed, draws=0)]
    if any(not len(psi) for psi in influences):
        return []
    share = seeds_share(np.stack(influences))
    if not np.isfinite(share):
        return []
    found = Estimate(value=share, method="influence by seed", note=f"{seeds} seeds")
    return [Part(name="variance due to seeds", estimate=found)]


def permutation_parts(
    expectation: Expectation,
    compared: ComparedScores,
    observed: Observations,
    *,
    draws: int,
    seed: int,
) -> list[Part]:
    """Show p of "no difference" for two metrics; it never decides anything."""
    if len(observed.candidates.groups) > 1 or not draws:
        return []  # a mean over groups is not the pooled difference that swapping tests
    parts = []
    for name, first, second in expectation.rivals(compared):
        if isinstance(first.coefficient, EXACT_UNDER_SWAPS):
            p = permutation_p(first, second, observed, draws=draws, seed=seed)
            parts += _p_part(name, "permutation", p)
        if _suits_williams(first, observed):
            p = williams_p(first.score_keys[0], second.score_keys[0], observed)
            parts += _p_part(name, "Williams", p)
    return parts


def _suits_williams(first: Agreement, observed: Observations) -> bool:
    one_candidate_each = len(np.unique(observed.candidates.segment)) == len(
        observed.candidates.segment
    )
    return (
        isinstance(first.coefficient, Pearson) and len(first.score_keys) == 1 and one_candidate_each
    )


def _p_part(name: str, method: str, p: float | None) -> list[Part]:
    if p is None:
        return []
    return [Part(name=f"p of no difference, {name}", estimate=Estimate(value=p, method=method))]
