"""Tests of "no difference" between two metrics, shown with a verdict and never one themselves."""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt
from typing import NamedTuple

import numpy as np

from shakeproof.results import Estimate, Part
from shakeproof.stats.bins import binned
from shakeproof.stats.kinds.agreement import Agreement
from shakeproof.stats.kinds.coefficients import Pearson, rated, standardise
from shakeproof.stats.observations import Observations, ScoreKey
from shakeproof.stats.rows import finite_rows, tie_width
from shakeproof.stats.weights import weighted_sums

STEP = 50


class ComparedPair(NamedTuple):
    """Two correlations whose difference may be 0, such as those of two metrics."""

    name: str
    first: Agreement
    second: Agreement


def difference_parts(
    pairs: Sequence[ComparedPair], observed: Observations, *, draws: int, seed: int
) -> list[Part]:
    """Return p of "no difference" for each pair; it never decides anything."""
    if len(observed.candidates.groups) > 1 or not draws:
        return []  # a mean over groups is not the pooled difference that swapping tests
    p_values: list[tuple[str, str, float | None]] = []
    for name, first, second in pairs:
        if first.coefficient.exact_under_swaps:
            p = permutation_p(first, second, observed, draws=draws, seed=seed)
            p_values.append((name, "permutation", p))
        if _suits_williams(first, observed):
            p = williams_p(first.score_keys[0], second.score_keys[0], observed)
            p_values.append((name, "Williams", p))
    return [
        Part(name=f"p of no difference, {name}", estimate=Estimate(value=p, method=method))
        for name, method, p in p_values
        if p is not None
    ]


def permutation_p(
    first: Agreement, second: Agreement, observed: Observations, *, draws: int, seed: int
) -> float | None:
    """Swap two metrics, or two conditions, segment by segment: two-sided p of "no difference".

    Of many segments, whole bins are swapped, which tests the same.
    It tests exchangeability, so it is only valid for a difference of 0.
    """
    if len(first.score_keys) != len(second.score_keys) or first.weights != second.weights:
        raise ValueError("sides to swap must pair up: as many score vectors, with the same weights")
    both = Agreement(
        first.coefficient,
        (*first.score_keys, *second.score_keys),
        (*first.weights, *second.weights),
    )
    sums = binned(both.sums(observed)[both.contributes(observed)], (seed,))
    left, right = np.hsplit(sums, 2)
    seen = abs(float(first.value(left.sum(axis=0)) - second.value(right.sum(axis=0))))
    if not np.isfinite(seen):
        return None
    rng, beyond = np.random.default_rng(seed), 0
    for start in range(0, draws, STEP):
        flips = rng.integers(0, 2, (min(STEP, draws - start), len(sums))).astype(float)
        swapped = weighted_sums(flips, left - right)
        ours, theirs = right.sum(axis=0) + swapped, left.sum(axis=0) - swapped
        beyond += int((np.abs(first.value(ours) - second.value(theirs)) >= seen - 1e-12).sum())
    return (1 + beyond) / (draws + 1)


def _suits_williams(first: Agreement, observed: Observations) -> bool:
    """Return whether Williams' test applies: Pearson's r, and one candidate per segment."""
    segment = observed.candidates.segment
    one_candidate_each = len(np.unique(segment)) == len(segment)
    pearson = isinstance(first.coefficient, Pearson)
    return pearson and len(first.score_keys) == 1 and one_candidate_each


def williams_p(first: ScoreKey, second: ScoreKey, observed: Observations) -> float | None:
    """Return Williams' two-sided p of two equal correlations with the ratings (Williams 1959).

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
    if n < 4 or any(np.ptp(row) <= tie_width(row) for row in table):
        return None
    a, b, h = (standardise(row, 0.0) for row in table)
    t = williams_t(float((a * h).mean()), float((b * h).mean()), float((a * b).mean()), n)
    return float(2 * stdtr(n - 3, -abs(t)))


def williams_t(r_ah: float, r_bh: float, r_ab: float, n: int) -> float:
    """Return Williams' t of two correlations with h that share it; signs are kept."""
    k = 1 - r_ah**2 - r_bh**2 - r_ab**2 + 2 * r_ah * r_bh * r_ab
    spread = 2 * k * (n - 1) / (n - 3) + (r_ah + r_bh) ** 2 / 4 * (1 - r_ab) ** 3
    return (r_ah - r_bh) * sqrt((n - 1) * (1 + r_ab) / spread) if spread > 0 else 0.0
