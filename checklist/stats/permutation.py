"""Tests of "no difference", shown beside a verdict and never one themselves."""

from __future__ import annotations

from math import sqrt

import numpy as np

from shakeproof.stats.kinds.agreement import Agreement
from shakeproof.stats.kinds.coefficients import Pearson, rated, standardise
from shakeproof.stats.kinds.pairs import WmtKendall
from shakeproof.stats.observations import Observations, ScoreKey
from shakeproof.stats.rows import TIE, finite_rows
from shakeproof.stats.weights import weighed

STEP = 50
EXACT_UNDER_SWAPS = (Pearson, WmtKendall)  # the others are linearised at the data as it is


def permutation_p(
    first: Agreement, second: Agreement, observed: Observations, *, draws: int, seed: int
) -> float | None:
    """Swap two metrics, or two conditions, segment by segment: two-sided p of "no difference".

    It tests exchangeability, so it can only speak of a difference of 0.
    """
    if len(first.score_keys) != len(second.score_keys) or first.weights != second.weights:
        raise ValueError("only blocks that pair up can be swapped")
    both = Agreement(
        first.coefficient,
        (*first.score_keys, *second.score_keys),
        (*first.weights, *second.weights),
    )
    sums = both.sums(observed)[both.contributes(observed)]
    one, other = np.hsplit(sums, 2)
    seen = abs(float(first.value(one.sum(axis=0)) - second.value(other.sum(axis=0))))
    if not np.isfinite(seen):
        return None
    rng, beyond = np.random.default_rng(seed), 0
    for start in range(0, draws, STEP):
        flips = rng.integers(0, 2, (min(STEP, draws - start), len(sums))).astype(float)
        swapped = weighed(flips, one - other)
        left, right = other.sum(axis=0) + swapped, one.sum(axis=0) - swapped
        beyond += int((np.abs(first.value(left) - second.value(right)) >= seen - 1e-12).sum())
    return (1 + beyond) / (draws + 1)


def williams_p(first: ScoreKey, second: ScoreKey, observed: Observations) -> float | None:
    """Give Williams' two-sided p of two equal correlations with the ratings (Williams 1959).

    It takes rows for independent, which candidates of one segment are not: those are refused.
    None where a correlation is undefined or fewer than four candidates are rated.
    """
    from scipy.special import stdtr

    candidates = observed.candidates
    rows = finite_rows(observed, first, second) & rated(candidates)
    if len(np.unique(candidates.segment[rows])) < rows.sum():
        raise ValueError(
            "Williams' test takes candidates for independent, but segments have several; "
            "use the bootstrap over segments"
        )
    table = np.stack([observed.scores[first], observed.scores[second], candidates.rating])[:, rows]
    n = table.shape[1]
    if n < 4 or (np.ptp(table, axis=1) <= TIE).any():
        return None
    a, b, h = (standardise(row, 0.0) for row in table)
    t = williams_t(float((a * h).mean()), float((b * h).mean()), float((a * b).mean()), n)
    return float(2 * stdtr(n - 3, -abs(t)))


def williams_t(r_ah: float, r_bh: float, r_ab: float, n: int) -> float:
    """Give Williams' t of two correlations with h that share it; signs are kept."""
    k = 1 - r_ah**2 - r_bh**2 - r_ab**2 + 2 * r_ah * r_bh * r_ab
    spread = 2 * k * (n - 1) / (n - 3) + (r_ah + r_bh) ** 2 / 4 * (1 - r_ab) ** 3
    return (r_ah - r_bh) * sqrt((n - 1) * (1 + r_ab) / spread) if spread > 0 else 0.0
