"""A run against a stored one: paired, on the same segments, from influences alone."""

from __future__ import annotations

import base64
import zlib
from dataclasses import dataclass

import numpy as np

from shakeproof.results import Bounds, Estimate, Verdict
from shakeproof.stats.bootstrap import weights
from shakeproof.stats.intervals import EXPANDED, expanded
from shakeproof.stats.messages import Words, figure
from shakeproof.stats.observations import Vector
from shakeproof.stats.verdicts import Judgement, judge

CORRELATION_TOLERANCE = 0.005
SPREAD_TOLERANCE = 0.05


@dataclass(frozen=True, slots=True)
class Remembered:
    """What is kept of an item: its estimate and each segment's influence on it."""

    value: float
    influence: Vector


@dataclass(frozen=True, slots=True)
class Change:
    """How an item moved since the baseline, harm counted as positive."""

    judgement: Judgement  # FAIL is a regression; anything else is none
    estimate: Estimate | None  # None where nothing moved
    improved: bool  # the whole interval is better: the ratchet may move

    @property
    def regressed(self) -> bool:
        """Say whether the whole interval is worse by more than the tolerance."""
        return self.judgement.verdict is Verdict.FAIL


def harmful(bounds: Bounds) -> int:
    """Say which way is worse: up for at_most, down for at_least, 0 if both ways are."""
    if bounds.low is not None and bounds.high is not None:
        return 0
    return 1 if bounds.high is not None else -1


def tolerance(unit: str) -> float:
    """Give the change that is overlooked by default."""
    return SPREAD_TOLERANCE if unit == "spreads" else CORRELATION_TOLERANCE


def compare_runs(
    old: Remembered,
    new: Remembered,
    *,
    direction: int,
    allowed: float,
    draws: int = 10_000,
    seed: int = 0,
    confidence: float = 0.95,
) -> Change:
    """Judge the change since a stored run; a raise says why the two cannot be compared.

    `direction` is 1 where larger is worse, -1 where smaller is, 0 where any change is.
    """
    counted = _same_segments(old, new)
    if old.value == new.value and np.array_equal(old.influence[counted], new.influence[counted]):
        return Change(Judgement(Verdict.PASS, f"unchanged at {figure(new.value)}"), None, False)
    sign = direction or 1
    change = sign * (new.value - old.value)
    psi = sign * (new.influence - old.influence)[counted]
    n = len(psi)
    drawn = np.concatenate([change + w @ psi / n for w in weights(n, draws, (seed, 0))])
    interval = expanded(drawn, confidence, n)
    found = Estimate(
        value=change,
        low=interval.low,
        high=interval.high,
        confidence=confidence,
        segments=n,
        method=EXPANDED,
        draws=draws,
    )
    bounds = Bounds(low=None if direction else -allowed, high=allowed)
    words = Words("worse by" if direction else "changed by")
    return Change(judge(bounds, found, words=words), found, bool(direction) and interval.high < 0)


def _same_segments(old: Remembered, new: Remembered) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
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


def packed(influence: Vector) -> str:
    """Write one float32 per segment compactly."""
    if not len(influence):
        return ""
    return base64.b64encode(zlib.compress(influence.astype("<f4").tobytes(), 9)).decode()


def unpacked(text: str) -> Vector:
    """Read what `packed` wrote."""
    raw = zlib.decompress(base64.b64decode(text)) if text else b""
    return np.frombuffer(raw, dtype="<f4").astype(float)
