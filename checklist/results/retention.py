"""How much of its clean correlation a metric keeps under perturbation."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from shakeproof.results.values import Estimate


def retention(clean: Estimate, perturbed: Estimate) -> float | None:
    """Return the share of the clean correlation that is kept.

    It is undefined unless the whole interval of the clean correlation lies above 0.
    """
    if clean.low is None or clean.low <= 0 or not clean.value or perturbed.value is None:
        return None
    return perturbed.value / clean.value


def retention_area(curve: Sequence[tuple[float, float | None]]) -> float | None:
    """Return the mean retention over the levels, by trapezoids; a curve has (level, retention).

    It is undefined for fewer than two levels, and where one retention is undefined.
    """
    defined = [(level, share) for level, share in curve if share is not None]
    if len(defined) < 2 or len(defined) < len(curve):
        return None
    area = sum((b[0] - a[0]) * (a[1] + b[1]) / 2 for a, b in pairwise(defined))
    return area / (defined[-1][0] - defined[0][0])
