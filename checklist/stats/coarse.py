"""Influences in a few hundred bytes, for baselines in a repository: random bins, one byte each.

Two runs are compared by the differences of their bins. The width of the interval is then off by
about 1 / sqrt(2 * MAX_BINS), 4 %, where there are many segments, and what rounding to a byte may
add is counted as chance, so it never makes a change look certain.
"""

from __future__ import annotations

import base64
from dataclasses import dataclass
from hashlib import sha256
from math import hypot, sqrt
from typing import NamedTuple

import numpy as np

from shakeproof.stats.compare import StoredEstimate, unpack_influence
from shakeproof.stats.observations import Ints, Vector

MAX_BINS = 256
LARGEST = 127  # a bin is a signed byte times the step
PREFIX = "bins"


class PackedEstimate(NamedTuple):
    """A value with the influences of its segments as text, whole or coarse."""

    value: float
    influence: str


@dataclass(frozen=True, slots=True)
class CoarseInfluence:
    """Influences of bins of segments, rounded to multiples of a step."""

    segments: int  # in all
    counted: int  # that have an influence
    mask: str  # a hash of which ones do
    step: float
    multiples: Ints

    @property
    def bins(self) -> Vector:
        """Return the influences of the bins."""
        return self.multiples.astype(np.float64) * self.step


def make_coarse(influence: str) -> str:
    """Return stored influences in their coarse form; those that have it, or are empty, stay."""
    if not influence or is_coarse(influence):
        return influence
    coarse = _rounded(unpack_influence(influence))
    content = base64.b64encode(coarse.multiples.astype(np.int8).tobytes()).decode()
    fields = (PREFIX, coarse.segments, coarse.counted, coarse.mask, f"{coarse.step:.6g}", content)
    return ":".join(map(str, fields))


def is_coarse(influence: str) -> bool:
    """Return whether stored influences have the coarse form."""
    return influence.startswith(f"{PREFIX}:")


def read_coarse(influence: str) -> CoarseInfluence:
    """Read what `make_coarse` wrote; ValueError if it did not write it."""
    try:
        _, segments, counted, mask, step, content = influence.split(":")
        multiples = np.frombuffer(base64.b64decode(content, validate=True), np.int8)
        coarse = CoarseInfluence(
            int(segments), int(counted), mask, float(step), multiples.astype(np.int64)
        )
    except ValueError:
        raise ValueError("no influences of bins") from None
    if len(multiples) != min(coarse.counted, MAX_BINS) or not 0 <= coarse.step < np.inf:
        raise ValueError("influences of bins are incomplete")
    return coarse


def paired_estimates(
    old: PackedEstimate, new: PackedEstimate
) -> tuple[StoredEstimate, StoredEstimate]:
    """Return two estimates with influences of the same units; ValueError if they have none.

    The units are the segments. If one estimate is coarse, they are the bins of both.
    """
    if not (is_coarse(old.influence) or is_coarse(new.influence)):
        return (
            StoredEstimate(old.value, unpack_influence(old.influence)),
            StoredEstimate(new.value, unpack_influence(new.influence)),
        )
    coarse_old = read_coarse(make_coarse(old.influence))
    coarse_new = read_coarse(make_coarse(new.influence))
    _check_same_segments(coarse_old, coarse_new)
    bins = coarse_new.bins
    if old.value != new.value or not np.array_equal(coarse_old.bins, bins):
        bins = bins + _rounding_error(coarse_old, coarse_new)
    return (
        StoredEstimate(old.value, coarse_old.bins, coarse_old.counted),
        StoredEstimate(new.value, bins, coarse_new.counted),
    )


def _rounded(influence: Vector) -> CoarseInfluence:
    counts = np.isfinite(influence)
    bins = _gather(influence[counts])
    step = float(f"{np.abs(bins).max(initial=0.0) / LARGEST:.6g}")
    multiples = np.rint(bins / step) if step else np.zeros(len(bins))
    return CoarseInfluence(
        segments=len(influence),
        counted=int(counts.sum()),
        mask=sha256(np.packbits(counts).tobytes()).hexdigest()[:8],
        step=step,
        multiples=np.clip(multiples, -LARGEST, LARGEST).astype(np.int64),
    )


def _gather(influence: Vector) -> Vector:
    """Sum the influences of each bin, scaled so that their mean stays the same."""
    count = len(influence)
    if count <= MAX_BINS:
        return influence
    order = np.argsort(_scrambled(count), kind="stable")
    starts = np.arange(MAX_BINS) * count // MAX_BINS
    sums: Vector = np.add.reduceat(influence[order], starts)
    return sums * (MAX_BINS / count)


def _scrambled(count: int) -> np.ndarray[tuple[int, ...], np.dtype[np.uint64]]:
    """Return a number for each position that looks random (SplitMix64, Steele et al. 2014).

    NumPy's generators may change from version to version, and stored bins may not.
    """
    mixed = (np.arange(1, count + 1, dtype=np.uint64)) * np.uint64(0x9E3779B97F4A7C15)
    mixed = (mixed ^ (mixed >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    mixed = (mixed ^ (mixed >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return mixed ^ (mixed >> np.uint64(31))


def _rounding_error(old: CoarseInfluence, new: CoarseInfluence) -> Vector:
    """Return values that vary as much as the rounding of a difference does, and sum to 0."""
    size = hypot(old.step, new.step) / sqrt(12)
    signs: Vector = np.where(np.arange(len(new.multiples)) % 2, -size, size)
    return signs - np.mean(signs)


def _check_same_segments(old: CoarseInfluence, new: CoarseInfluence) -> None:
    if old.segments != new.segments:
        raise ValueError(f"not comparable: {old.segments} segments then, {new.segments} now")
    if old.mask != new.mask:
        raise ValueError("not comparable: other segments count now than then")
