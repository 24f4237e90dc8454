"""Metrics ranked by their agreement with people, in clusters of significance as WMT prints them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from shakeproof.results import Bounds, Estimate
from shakeproof.stats.estimate import resample
from shakeproof.stats.intervals import STUDENTISED
from shakeproof.stats.kinds.agreement import Agreement, difference
from shakeproof.stats.observations import Matrix, Observations
from shakeproof.stats.pvalues import p_value
from shakeproof.stats.verdicts import MIN_SEGMENTS

SIGNIFICANT = 0.05  # of p, as in WMT


@dataclass(frozen=True, slots=True)
class RankedMetric:
    """A metric with its rank, and the metrics that it is significantly better than."""

    name: str
    rank: int
    estimate: Estimate
    better_than: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class DrawSettings:
    """How the differences between metrics are resampled."""

    draws: int = 10_000
    seed: int = 0
    confidence: float = 0.95
    method: str = STUDENTISED


def significance_ranks(p_values: Matrix, significant: float = SIGNIFICANT) -> list[int]:
    """Return the rank of each metric from p of "metric i is not better than metric j", i < j.

    Metrics are in order, the best one first. A metric that is significantly worse than any metric
    of the current rank begins the next rank.
    """
    ranks: list[int] = []
    start = 0
    for number in range(len(p_values)):
        if (p_values[start:number, number] <= significant).any():
            start = number
        ranks.append(ranks[-1] + (start == number) if ranks else 1)
    return ranks


def rank_metrics(
    agreements: Mapping[str, Agreement],
    observed: Observations,
    settings: DrawSettings = DrawSettings(),  # noqa: B008 - it does not change
    significant: float = SIGNIFICANT,
) -> list[RankedMetric]:
    """Rank metrics by their agreement with people; those without a number are left out."""
    estimates = {
        name: _sample(agreement, observed, settings)[0] for name, agreement in agreements.items()
    }
    order = sorted(
        (name for name, found in estimates.items() if found.value is not None),
        key=lambda name: (-(estimates[name].value or 0.0), name),
    )
    p_values = _p_values([agreements[name] for name in order], observed, settings)
    ranks = significance_ranks(p_values, significant)
    return [
        RankedMetric(
            name,
            ranks[number],
            estimates[name],
            tuple(
                order[other]
                for other in range(number + 1, len(order))
                if p_values[number, other] <= significant
            ),
        )
        for number, name in enumerate(order)
    ]


def _p_values(
    agreements: Sequence[Agreement], observed: Observations, settings: DrawSettings
) -> Matrix:
    """Test whether each metric is better than those after it; 1 where there is no interval."""
    p_values = np.ones((len(agreements), len(agreements)))
    for first, second in combinations(range(len(agreements)), 2):
        ahead = difference(agreements[first], agreements[second])
        p = _sample(ahead, observed, settings)[1]
        p_values[first, second] = 1.0 if p is None else p
    return p_values


def _sample(
    statistic: Agreement, observed: Observations, settings: DrawSettings
) -> tuple[Estimate, float | None]:
    """Estimate a statistic, with p of "it is not above 0"."""
    (sample,) = resample(
        [statistic],
        observed,
        draws=settings.draws,
        seed=settings.seed,
        confidence=settings.confidence,
        floor=MIN_SEGMENTS,
        method=settings.method,
    )
    return sample.estimate, p_value(Bounds(high=0.0), sample)
