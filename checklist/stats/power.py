"""What the data can detect, before or after anything is scored.

Ranges of standard errors are what lexical metrics showed on Twitter-Para and WMT19 kk-en under
noise; on other data they are guesses.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import sqrt
from typing import TypeAlias

import numpy as np

from shakeproof.stats.intervals import (
    NORMAL,
    USUAL,
    IntervalTraits,
    freedom_of,
    standard_error,
    stretch,
    t_quantile,
)
from shakeproof.stats.observations import Vector
from shakeproof.stats.verdicts import POWER

Range: TypeAlias = tuple[float, float]  # of a standard error, from the smallest to the largest seen

NOISE_FLIPS: Range = (0.05, 0.30)  # share of pairs whose order noise turned
METRIC_FLIPS: Range = (0.10, 0.40)  # share of pairs that two metrics order differently
NOISE_CORRELATION: Range = (0.95, 0.5)  # of clean and perturbed scores
METRIC_CORRELATION: Range = (0.9, 0.3)  # of the scores of two metrics
PAIR_CLUSTERING = 2.0  # variance of a share of pairs, as a multiple of that of independent ones
ROW_CLUSTERING = 3.0
LEVEL_CLUSTERING: Range = (1.5, 3.5)  # the same for a correlation itself
CLEAN, PERTURBED = 0.5, 0.4  # correlations that are usual
HIGH = 0.6  # a correlation that is high
SLICED_PAIRS = 2  # of two slices a pair lies in one about every second time
TAU = 0.7  # the error of tau as a share of Pearson's
# Standard deviations between segments:
SCORES: Range = (0.15, 1.5)  # of changes of scores, in spreads
PENALTIES: Range = (1.5, 3.5)  # of penalties for a copy, in spreads
TEXTS: Range = (0.1, 0.35)  # of shares of texts
WITHIN: Range = (0.3, 0.5)  # of correlations within segments; also of "behaves or not"


def detectable(
    se: float,
    segments: float,
    *,
    confidence: float = 0.95,
    freedom: float | None = None,
    traits: IntervalTraits = USUAL,
) -> float:
    """Return the smallest effect beyond a bound that is found in 4 of 5 cases.

    The interval reaches as far as the studentised one at least. `freedom` is that of the standard
    error, if it is known.
    """
    t = t_quantile(confidence, max(segments - 1, 1) if freedom is None else freedom)
    return (t * stretch(max(segments, 1), traits.stretch) + NORMAL.inv_cdf(POWER)) * se


def detectable_by(
    influence: Vector, *, confidence: float = 0.95, traits: IntervalTraits = USUAL
) -> float:
    """Return the smallest effect that is found in 4 of 5 cases, given known influences."""
    psi = influence[np.isfinite(influence)]
    return detectable(
        influence_se(psi),
        len(psi),
        confidence=confidence,
        freedom=freedom_of(psi),
        traits=traits,
    )


def influence_se(influence: Vector) -> float:
    """Return the standard error that known influences imply."""
    return standard_error(influence[np.isfinite(influence)])


@dataclass(frozen=True, slots=True)
class CorrelationErrors:
    """Guessed standard errors of a correlation, of its drop under noise, and between metrics."""

    level: Range
    drop: Range
    between_metrics: Range
    in_slices: Callable[[int], Range]  # of the correlation in one of so many slices


def errors_over_pairs(pairs: float) -> CorrelationErrors:
    """Guess the errors of a Kendall-like correlation over so many judged pairs."""
    return CorrelationErrors(
        level=pair_level(pairs),
        drop=pair_change(pairs, NOISE_FLIPS),
        between_metrics=pair_change(pairs, METRIC_FLIPS),
        in_slices=lambda slices: pair_level(pairs / slices / SLICED_PAIRS),
    )


def errors_over_rows(rows: float) -> CorrelationErrors:
    """Guess the errors of Pearson's r over so many rated candidates."""
    return CorrelationErrors(
        level=row_level(rows),
        drop=row_change(rows, NOISE_CORRELATION),
        between_metrics=row_change(rows, METRIC_CORRELATION),
        in_slices=lambda slices: row_level(rows / slices),
    )


def pair_change(pairs: float, flips: Range = NOISE_FLIPS) -> Range:
    """Guess the error of a change of a Kendall-like correlation: noise, or another metric."""
    low, high = (2 * sqrt(share * PAIR_CLUSTERING / pairs) for share in flips)
    return low, high


def pair_level(pairs: float) -> Range:
    """Guess the error of a Kendall-like correlation."""
    low, high = (sqrt(clustering / pairs) for clustering in LEVEL_CLUSTERING)
    return low, high


def row_change(rows: float, correlations: Range = NOISE_CORRELATION) -> Range:
    """Guess the error of a change of Pearson's r: noise, or another metric."""
    unexplained = 1 - CLEAN * PERTURBED
    low, high = (sqrt(2 * (1 - r) * ROW_CLUSTERING / rows) * unexplained for r in correlations)
    return low, high


def row_level(rows: float) -> Range:
    """Guess the error of Pearson's r, from a high correlation to none."""
    low, high = (sqrt(clustering / rows) for clustering in LEVEL_CLUSTERING)
    return low * (1 - HIGH**2), high


def mean_over(segments: float, deviation: Range) -> Range:
    """Guess the error of a mean over segments that differ by so much."""
    low, high = (end / sqrt(segments) for end in deviation)
    return low, high


def times(errors: Range, factor: float) -> Range:
    """Scale a range."""
    return errors[0] * factor, errors[1] * factor
