"""Many checks in one run: how many failures chance alone would bring."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from shakeproof.results import Verdict
from shakeproof.stats.observations import Vector
from shakeproof.stats.verdicts import Judgement

P = float | None  # None: the item has no p-value and is left out


def benjamini_hochberg(p: Sequence[P]) -> list[P]:
    """Give q-values: among failures with q <= 0.05, at most 1 in 20 is due to chance."""
    known, order = _sorted(p)
    m = len(order)
    stepped = known[order] * m / np.arange(1, m + 1)
    return _spread(p, order, np.minimum.accumulate(stepped[::-1])[::-1])


def holm(p: Sequence[P]) -> list[P]:
    """Give p-values after Holm's correction: those of any failure at all being due to chance."""
    known, order = _sorted(p)
    m = len(order)
    return _spread(p, order, np.maximum.accumulate(known[order] * np.arange(m, 0, -1)))


def after_holm(
    judgement: Judgement, adjusted: P, items: int, confidence: float = 0.95
) -> Judgement:
    """Take back a failure that does not survive Holm's correction over the run."""
    if judgement.verdict is not Verdict.FAIL or adjusted is None:
        return judgement
    if adjusted <= (1 - confidence) / 2:
        return judgement
    message = f"{judgement.message}, but not after Holm over {items} items (p {adjusted:.2g})"
    return replace(judgement, verdict=Verdict.INCONCLUSIVE, message=message)


def _sorted(p: Sequence[P]) -> tuple[Vector, list[int]]:
    known = np.array([np.inf if value is None else value for value in p], dtype=float)
    order = [int(at) for at in np.argsort(known, kind="stable") if p[at] is not None]
    return known, order


def _spread(p: Sequence[P], order: Sequence[int], adjusted: Vector) -> list[P]:
    found: list[P] = [None] * len(p)
    for at, value in zip(order, adjusted, strict=True):
        found[at] = min(1.0, float(value))
    return found
