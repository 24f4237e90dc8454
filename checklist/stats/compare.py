"""A run against a stored one: paired, on the same segments, from influences alone."""

from __future__ import annotations

import base64
import zlib
from dataclasses import dataclass

import numpy as np

from shakeproof.results import Bounds, Estimate, Verdict
from shakeproof.stats.bins import binned_influence
from shakeproof.stats.intervals import Interval, expanded
from shakeproof.stats.messages import figure
from shakeproof.stats.observations import Mask, Vector
from shakeproof.stats.studentised import pivots_of, studentised
from shakeproof.stats.verdicts import Judgement, judge
from shakeproof.stats.weights import bootstrap_weights

MAX_INFLUENCE = 64_000_000  # bytes: of 16 million segments


@dataclass(frozen=True, slots=True)
class StoredEstimate:
    """What a run stores of an item: the value, and each segment's influence on it."""

    value: float
    influence: Vector
    segments: int | None = None  # where the influences are those of bins of segments


def pack_influence(influence: Vector) -> str:
    """Write one float32 per segment as compressed base64."""
    if not len(influence):
        return ""
    return base64.b64encode(zlib.compress(influence.astype("<f4").tobytes(), 9)).decode()


def unpack_influence(text: str) -> Vector:
    """Read what `pack_influence` wrote; ValueError if it did not write it."""
    decompressor = zlib.decompressobj()
    try:
        raw = decompressor.decompress(base64.b64decode(text), MAX_INFLUENCE) if text else b""
    except zlib.error as error:
        raise ValueError(str(error)) from None
    if text and not decompressor.eof:
        raise ValueError("influences are incomplete, or more than there can be")
    return np.frombuffer(raw, dtype="<f4").astype(float)


@dataclass(frozen=True, slots=True)
class ItemChange:
    """How an item changed since the stored run; worse is positive."""

    judgement: Judgement  # FAIL is a regression; anything else is none
    estimate: Estimate | None  # None where nothing changed
    improved: bool  # the whole interval is better: the stored estimate may be replaced

    @property
    def regressed(self) -> bool:
        """Return whether the whole interval is worse by more than the tolerance."""
        return self.judgement.verdict is Verdict.FAIL


def worse_direction(bounds: Bounds) -> int:
    """Return which way is worse: 1 (up) for at_most, -1 (down) for at_least, 0 if both ways are."""
    if bounds.low is not None and bounds.high is not None:
        return 0
    return 1 if bounds.high is not None else -1


def compare_estimates(
    old: StoredEstimate,
    new: StoredEstimate,
    *,
    direction: int,
    allowed: float,
    draws: int = 10_000,
    seed: int = 0,
    confidence: float = 0.95,
) -> ItemChange:
    """Judge the change since a stored run; ValueError says why the two cannot be compared.

    `direction` is 1 where larger is worse, -1 where smaller is, 0 where any change is.
    """
    counted = _same_segments(old, new)
    if old.value == new.value and np.array_equal(old.influence[counted], new.influence[counted]):
        unchanged = Judgement(Verdict.PASS, f"unchanged at {figure(new.value)}")
        return ItemChange(unchanged, None, False)
    sign = direction or 1
    change = sign * (new.value - old.value)
    psi = sign * (new.influence - old.influence)[counted]
    interval = _interval(change, psi, draws, (seed, 0), confidence)
    estimate = Estimate(
        value=change,
        low=interval.low,
        high=interval.high,
        confidence=confidence,
        segments=len(psi) if new.segments is None else new.segments,
        method=interval.method,
        draws=draws,
    )
    bounds = Bounds(low=None if direction else -allowed, high=allowed)
    judgement = judge(bounds, estimate, label="worse by" if direction else "changed by")
    return ItemChange(judgement, estimate, bool(direction) and interval.high < 0)


def _interval(
    change: float, psi: Vector, draws: int, seed: tuple[int, ...], confidence: float
) -> Interval:
    """Return the studentised interval of a mean of influences; expanded where none differ."""
    away = binned_influence(psi - psi.mean(), seed)
    n = len(away)
    columns = np.stack([away, away * away], axis=1)
    totals = np.concatenate([w @ columns for w in bootstrap_weights(n, draws, seed)]) / n
    mean, square = totals.T
    errors = np.sqrt(np.maximum(square - mean**2, 0.0) / n)
    pivots = pivots_of(change, change + mean, [errors], [psi])
    if pivots is None:
        return expanded(change + mean, confidence, len(psi))
    return studentised(pivots, confidence)


def _same_segments(old: StoredEstimate, new: StoredEstimate) -> Mask:
    """Mark the segments that count in both runs, which must be the same ones."""
    if len(old.influence) != len(new.influence):
        raise ValueError(
            f"not comparable: {len(old.influence)} segments then, {len(new.influence)} now"
        )
    then, now = np.isfinite(old.influence), np.isfinite(new.influence)
    if not np.array_equal(then, now):
        raise ValueError("not comparable: other segments count now than then")
    if now.sum() < 2:
        raise ValueError("not comparable: fewer than 2 segments")
    return now
