"""How far groups lie apart beyond chance, and which share of the variance is due to seeds."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from shakeproof.results import Estimate, Part
from shakeproof.stats.estimate import Sample, resample
from shakeproof.stats.intervals import standard_error_of
from shakeproof.stats.observations import ComparedScores, Matrix, Observations, Statistic


@dataclass(frozen=True, slots=True)
class Heterogeneity:
    """Cochran's Q over groups."""

    q: float
    freedom: int
    p: float

    def __str__(self) -> str:
        return f"Q = {self.q:.1f} with {self.freedom} df, p = {self.p:.2g}"


def heterogeneity(groups: Sequence[Estimate]) -> Heterogeneity | None:
    """Compare the distances between groups with their errors; None where one has no interval."""
    from scipy.special import chdtrc

    values = np.array(
        [np.nan if group.value is None else group.value for group in groups], dtype=float
    )
    errors = np.array([standard_error_of(group) for group in groups])
    if len(groups) < 2 or not np.isfinite(values + errors).all() or (errors == 0).any():
        return None
    weights = errors**-2
    centre = (weights * values).sum() / weights.sum()
    q = float((weights * (values - centre) ** 2).sum())
    return Heterogeneity(q, len(groups) - 1, float(chdtrc(len(groups) - 1, q)))


def group_parts(label: str, sample: Sample) -> list[Part]:
    """Return the estimate of each group, where there are several, and how far they lie apart."""
    parts = [Part(name=label, group=name, estimate=estimate) for name, estimate in sample.groups]
    apart = heterogeneity([estimate for _, estimate in sample.groups])
    if apart is not None:
        q = Estimate(value=apart.q, method="Cochran's Q over groups", note=str(apart))
        parts.append(Part(name="heterogeneity", estimate=q))
    return parts


def seeds_share(influences: Matrix) -> float:
    """Return the share of a segment's variance that is due to the seed: (seeds, segments).

    Randomness is keyed by segment, so it averages out over segments as well as over seeds.
    """
    psi = influences[:, np.isfinite(influences.sum(axis=0))]
    seeds = len(psi)
    if seeds < 2 or psi.shape[1] < 2:
        return float("nan")
    within = float(psi.var(axis=0, ddof=1).mean())
    between = max(0.0, float(psi.mean(axis=0).var(ddof=1)) - within / seeds)
    return within / (within + between) if within + between > 0 else float("nan")


def seed_parts(
    statistic_of: Callable[[ComparedScores], Statistic],
    compared: ComparedScores,
    observed: Observations,
) -> list[Part]:
    """Return the share of a segment's variance that is due to seeds, where there are several."""
    seeds = min((len(score_keys) for score_keys in compared.perturbed), default=1)
    if seeds < 2:
        return []
    statistics = [
        statistic_of(
            replace(compared, perturbed=tuple((keys[seed],) for keys in compared.perturbed))
        )
        for seed in range(seeds)
    ]
    influences = [sample.influence for sample in resample(statistics, observed, draws=0)]
    if any(not len(psi) for psi in influences):
        return []
    share = seeds_share(np.stack(influences))
    if not np.isfinite(share):
        return []
    estimate = Estimate(value=share, method="influence by seed", note=f"{seeds} seeds")
    return [Part(name="variance due to seeds", estimate=estimate)]
