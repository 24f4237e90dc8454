"""Verdicts: pass or fail only when the whole interval is on one side of the bounds."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

import numpy as np

from shakeproof.results import Bounds, Estimate, Part, Verdict
from shakeproof.stats.intervals import NORMAL
from shakeproof.stats.messages import Words, count, digits_for, figure, side, straddle, two_digits
from shakeproof.stats.observations import (
    ComparedScores,
    Mask,
    Observations,
    Vector,
)

MIN_SEGMENTS = 30
POWER = 0.8  # decisions in 4 of 5 cases
RARE = 0.1  # share of segments changed below which more segments are no answer
MOST = 10  # times the segments at hand beyond which a number would mean nothing


@dataclass(frozen=True, slots=True)
class Judgement:
    """A verdict with the line that states it."""

    verdict: Verdict
    message: str  # number first
    advice: str = ""  # what would decide it
    p: float | None = None  # of "the expectation holds"


def compare(bounds: Bounds, low: float, high: float) -> Verdict:
    """Say on which side of the bounds the interval lies; the bounds themselves are inside."""
    below = float("-inf") if bounds.low is None else bounds.low
    above = float("inf") if bounds.high is None else bounds.high
    if below <= low and high <= above:
        return Verdict.PASS
    if high < below or low > above:
        return Verdict.FAIL
    return Verdict.INCONCLUSIVE


def judge(
    bounds: Bounds,
    estimate: Estimate,
    *,
    changed_segments: int | Mapping[str, int] | None = None,
    min_segments: int = MIN_SEGMENTS,
    words: Words = Words(),  # noqa: B008 - frozen
    p: float | None = None,
    plan: bool = True,
) -> Judgement:
    """Judge an estimate by its bounds; too few changed segments decide nothing.

    `plan` is off where more segments would not help, as with systems.
    """
    undecidable = why_undecidable(estimate, changed_segments, min_segments, words)
    if undecidable:
        return Judgement(Verdict.INCONCLUSIVE, *undecidable, p=None)
    low, high = ends(estimate)
    verdict, stated = compare(bounds, low, high), words.state(estimate)
    if verdict is not Verdict.INCONCLUSIVE:
        return Judgement(verdict, f"{stated} {side(bounds, low, high)}", p=p)
    advice = segments_needed(bounds, estimate, words.noun) if plan else ""
    rare = _fewest(changed_segments, estimate) < RARE * estimate.segments
    return Judgement(verdict, f"{stated} {straddle(bounds, low, high)}", "" if rare else advice, p)


def ends(estimate: Estimate) -> tuple[float, float]:
    """Give the interval of an estimate that has one."""
    if estimate.low is None or estimate.high is None:
        raise ValueError(f"the estimate has no interval: {estimate.note}")
    return estimate.low, estimate.high


def why_undecidable(
    estimate: Estimate,
    changed: int | Mapping[str, int] | None,
    least: int,
    words: Words,
) -> tuple[str, str] | None:
    """Give message and advice if there is nothing to judge."""
    stated = words.state(estimate)
    if estimate.value is None:
        return f"{stated}: {estimate.note}" if estimate.note else stated, ""
    fewest = min(_fewest(changed, estimate), estimate.segments)
    if fewest < least:
        what = "segments" if changed is None else "changed segments"
        where = _fewest_group(changed)
        return (
            f"{words.state(_bare(estimate))}, but only {count(fewest, what)}{where} at hand",
            f"at least {least} {what} are needed to decide anything",
        )
    if estimate.low is None or estimate.high is None:
        return f"{stated} without an interval: {estimate.note}", ""
    return None


def _bare(estimate: Estimate) -> Estimate:
    return estimate.model_copy(update={"low": None, "high": None})


def _fewest(changed: int | Mapping[str, int] | None, estimate: Estimate) -> int:
    if changed is None:
        return estimate.segments
    return min(changed.values()) if isinstance(changed, Mapping) else changed


def _fewest_group(changed: int | Mapping[str, int] | None) -> str:
    if not isinstance(changed, Mapping) or len(changed) < 2:
        return ""
    return f" in {min(changed, key=lambda name: changed[name])}"


def segments_needed(bounds: Bounds, estimate: Estimate, noun: str) -> str:
    """Say how many segments would decide it in 4 of 5 cases, or nothing if no one can tell."""
    if estimate.value is None or estimate.segments == 0:
        return ""
    low, high = ends(estimate)
    z = NORMAL.inv_cdf((1 + estimate.confidence) / 2)
    se = (high - low) / (2 * z)
    known = [bound for bound in (bounds.low, bounds.high) if bound is not None]
    distance = min((abs(estimate.value - bound) for bound in known), default=0.0)
    if distance == 0:
        return ""
    factor = ((z + NORMAL.inv_cdf(POWER)) * se / distance) ** 2
    if not 1 < factor <= MOST:
        return ""
    total = two_digits(factor * estimate.segments)
    more = two_digits(total - estimate.segments)
    true = figure(estimate.value, digits_for(high - low))
    return (
        f"about {total:,} segments ({more:,} more) would decide it 4 times in 5,"
        f" if {true} is the true {noun}"
    )


def all_of(verdicts: Iterable[Verdict]) -> Verdict:
    """Fail if any fails, pass if all pass (Kleene's logic)."""
    found = set(verdicts)
    if Verdict.FAIL in found:
        return Verdict.FAIL
    return Verdict.INCONCLUSIVE if Verdict.INCONCLUSIVE in found else Verdict.PASS


def negate(verdict: Verdict) -> Verdict:
    """Swap pass and fail."""
    swapped = {Verdict.PASS: Verdict.FAIL, Verdict.FAIL: Verdict.PASS}
    return swapped.get(verdict, verdict)


def any_of(verdicts: Iterable[Verdict]) -> Verdict:
    """Pass if any passes, fail if all fail."""
    return negate(all_of(negate(verdict) for verdict in verdicts))


@dataclass(frozen=True, slots=True)
class Assessment:
    """What the data say about one expectation of one metric."""

    estimate: Estimate
    parts: tuple[Part, ...]
    judgement: Judgement
    influence: Vector  # one per segment, NaN where it is not resampled; empty if undefined


@runtime_checkable
class Exact(Protocol):
    """What a single score can break."""

    def checked(self, compared: ComparedScores, observed: Observations) -> Mask:
        """Mark the rows that it speaks of."""
        ...

    def broken(self, compared: ComparedScores, observed: Observations) -> Mask:
        """Mark the rows that break it."""
        ...


def examine(
    axiom: Exact, compared: ComparedScores, observed: Observations
) -> tuple[Estimate, Judgement]:
    """Count the rows that break an axiom."""
    checked = axiom.checked(compared, observed)
    broken = axiom.broken(compared, observed) & checked
    segments = len(np.unique(observed.candidates.segment[checked]))
    return violations(int(broken.sum()), int(checked.sum()), segments)


def violations(wrong: int, scores: int, segments: int) -> tuple[Estimate, Judgement]:
    """Judge how often an axiom is broken; once is too often."""
    if not scores:
        raise ValueError("nothing to check: no text changed")
    found = Estimate(
        value=float(wrong),
        low=float(wrong),
        high=float(wrong),
        confidence=1.0,
        segments=segments,
        method="exact",
    )
    verdict = Verdict.FAIL if wrong else Verdict.PASS
    return found, Judgement(verdict, f"{count(wrong, 'violation')} in {count(scores, 'score')}")


def disagreements(first: Vector, second: Vector, tolerance: float) -> Mask:
    """Mark what two ratings of the same texts do not agree on; two missing scores agree."""
    alike = np.abs(first - second) <= tolerance
    differ: Mask = ~(alike | (np.isnan(first) & np.isnan(second)))
    return differ
