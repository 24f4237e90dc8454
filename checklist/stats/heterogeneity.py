"""How far groups lie apart beyond chance, and what seeds have to do with the variance."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from shakeproof.results import Estimate
from shakeproof.stats.observations import Matrix
from shakeproof.stats.weights import NORMAL


@dataclass(frozen=True, slots=True)
class Heterogeneity:
    """Cochran's Q over groups."""

    q: float
    freedom: int
    p: float

    def __str__(self) -> str:
        return f"Q = {self.q:.1f} with {self.freedom} df, p = {self.p:.2g}"


def half_width_error(found: Estimate) -> float:
    """Read a standard error off an interval; NaN without one."""
    if found.low is None or found.high is None:
        return float("nan")
    return (found.high - found.low) / (2 * NORMAL.inv_cdf((1 + found.confidence) / 2))


def heterogeneity(groups: Sequence[Estimate]) -> Heterogeneity | None:
    """Weigh how far groups lie apart against their errors; None where one has no interval."""
    from scipy.special import chdtrc

    values = np.array([np.nan if one.value is None else one.value for one in groups], dtype=float)
    errors = np.array([half_width_error(one) for one in groups])
    if len(groups) < 2 or not np.isfinite(values + errors).all() or (errors == 0).any():
        return None
    weights = errors**-2
    centre = (weights * values).sum() / weights.sum()
    q = float((weights * (values - centre) ** 2).sum())
    return Heterogeneity(q, len(groups) - 1, float(chdtrc(len(groups) - 1, q)))


def seeds_share(influences: Matrix) -> float:
    """Give the share of a segment's variance that is due to the seed: (seeds, segments).

    Randomness is keyed by segment, so it averages out over segments as well as over seeds.
    """
    psi = influences[:, np.isfinite(influences.sum(axis=0))]
    seeds = len(psi)
    if seeds < 2 or psi.shape[1] < 2:
        return float("nan")
    within = float(psi.var(axis=0, ddof=1).mean())
    between = max(0.0, float(psi.mean(axis=0).var(ddof=1)) - within / seeds)
    return within / (within + between) if within + between > 0 else float("nan")
