"""What an item could show, as far as other data tell, while nothing is scored yet."""

from __future__ import annotations

from math import sqrt

import numpy as np

from shakeproof.expectations import Expectation
from shakeproof.expectations.comparisons import BeatsYardsticks, MoreRobustThan
from shakeproof.expectations.copying import CopyPenaltyExpectation
from shakeproof.expectations.correlations import Correlation, Correlational, CorrelationDrop
from shakeproof.expectations.curves import Monotone, Retained
from shakeproof.expectations.scores import Moved
from shakeproof.expectations.shares import (
    PrefersBetter,
    PrefersOriginalExpectation,
    SegmentsBehave,
)
from shakeproof.expectations.slices import CorrelationInSlices
from shakeproof.stats import power
from shakeproof.stats.observations import Candidates
from shakeproof.stats.power import Range, mean_over, times
from shakeproof.stats.rows import rated_pairs, usable_pairs

TAU = 0.7  # what the error of tau is of Pearson's
BOTH_INSIDE = 2  # of two slices a pair lies in one about every second time


def guess(expect: Expectation, candidates: Candidates, changed: int) -> Range | None:
    """Guess the standard error of what is expected; None where nobody can tell.

    `changed` counts the segments whose texts the perturbation changes.
    """
    if isinstance(expect, Correlational):
        return _agreement(expect, candidates)
    if isinstance(expect, PrefersBetter):
        pairs = _pairs(candidates, expect.rating_gap)
        return times(power.pair_level(pairs), 0.5) if pairs else None
    deviation = _deviation(expect)
    return mean_over(changed, deviation) if deviation and changed else None


def _deviation(expect: Expectation) -> Range | None:
    """Say how much segments differ in what is averaged, in the unit of the expectation."""
    if isinstance(expect, Moved | Monotone):
        return power.SCORES if expect.scale == "spread" else None
    if isinstance(expect, CopyPenaltyExpectation):
        return power.PENALTIES if expect.scale == "spread" else None
    if isinstance(expect, PrefersOriginalExpectation):
        return power.TEXTS
    return power.WITHIN if isinstance(expect, SegmentsBehave) else None


def _agreement(expect: Correlational, candidates: Candidates) -> Range | None:
    if expect.by == "segment" and isinstance(expect, Correlation):
        return mean_over(candidates.segments, power.WITHIN)
    if expect.by != "candidate":
        return None
    if expect.kind == "wmt-kendall":
        pairs = _pairs(candidates, expect.rating_gap)
        return _over_pairs(expect, pairs) if pairs else None
    rated = np.isfinite(candidates.rating)
    if not rated.any():
        return None
    if expect.kind == "acc-eq":  # a share of pairs: half the scale of a Kendall-like correlation
        found = _over_pairs(expect, max(1, len(usable_pairs(candidates, rated)[0])))
        return None if found is None else times(found, 0.5)
    found = _over_rows(expect, int(rated.sum()))
    scale = TAU if expect.kind in ("tau-b", "tau-c") else 1.0
    return None if found is None else times(found, scale)


def _pairs(candidates: Candidates, gap: float | None) -> int:
    return len(candidates.pairs) if gap is None else len(rated_pairs(candidates, gap))


def _over_pairs(expect: Correlational, pairs: float) -> Range | None:
    if isinstance(expect, CorrelationInSlices):
        return power.pair_level(pairs / expect.pieces / BOTH_INSIDE)
    if isinstance(expect, Correlation):
        return power.pair_level(pairs)
    if isinstance(expect, BeatsYardsticks):
        return power.pair_change(pairs, power.DISPUTES)
    return _loss(expect, power.pair_change(pairs))


def _over_rows(expect: Correlational, rows: float) -> Range | None:
    if isinstance(expect, CorrelationInSlices):
        return power.row_level(rows / expect.pieces)
    if isinstance(expect, Correlation):
        return power.row_level(rows)
    if isinstance(expect, BeatsYardsticks):
        return power.row_change(rows, power.ALIKENESS)
    return _loss(expect, power.row_change(rows))


def _loss(expect: Correlational, change: Range) -> Range | None:
    """Take the error of a drop for what is lost or kept, and twice its variance for two metrics."""
    if isinstance(expect, MoreRobustThan):
        return times(change, sqrt(2))
    return change if isinstance(expect, CorrelationDrop | Retained) else None
