"""What the data can detect, before or after anything is scored."""

from __future__ import annotations

from math import sqrt

import numpy as np

from shakeproof.stats.frame import Vector
from shakeproof.stats.verdicts import POWER
from shakeproof.stats.weights import NORMAL

FLIPS = (0.05, 0.30)  # share of pairs whose order noise turned, as seen on WMT data
KINSHIP = (0.95, 0.5)  # correlation of clean and perturbed scores, as seen
PAIR_CLUSTERING = 2.0
ROW_CLUSTERING = 3.0


def detectable(se: float, confidence: float = 0.95) -> float:
    """Give the smallest effect beyond a bound that is found in 4 of 5 cases."""
    return (NORMAL.inv_cdf((1 + confidence) / 2) + NORMAL.inv_cdf(POWER)) * se


def influence_se(influence: Vector) -> float:
    """Give the standard error that known influences imply."""
    psi = influence[np.isfinite(influence)]
    return float(psi.std(ddof=1) / sqrt(len(psi)))


def guess_pairs(pairs: int, confidence: float = 0.95) -> tuple[float, float]:
    """Guess the range of the smallest detectable Kendall-like drop from the number of pairs."""
    low, high = (2 * sqrt(flips * PAIR_CLUSTERING / pairs) for flips in FLIPS)
    return detectable(low, confidence), detectable(high, confidence)


def guess_rows(
    rows: int, clean: float = 0.5, perturbed: float = 0.4, confidence: float = 0.95
) -> tuple[float, float]:
    """Guess the range of the smallest detectable drop of Pearson's r from the number of ratings."""
    unexplained = 1 - clean * perturbed
    low, high = (
        sqrt(2 * (1 - kinship) * ROW_CLUSTERING / rows) * unexplained for kinship in KINSHIP
    )
    return detectable(low, confidence), detectable(high, confidence)
