"""Verdicts: pass or fail only when the whole interval is on one side of the bounds."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from math import sqrt

import numpy as np

from shakeproof.results import (
    Bounds,
    Estimate,
    Leaning,
    Part,
    Verdict,
    counted,
    distance_to_bound,
    leaning_of,
)
from shakeproof.stats.intervals import NORMAL, RULE_OF_THREE, standard_error_of
from shakeproof.stats.messages import (
    describe_deciding_limits,
    describe_estimate,
    describe_limits,
    describe_side,
    digits_for,
    figure,
    two_digits,
)
from shakeproof.stats.observations import Mask, Vector
from shakeproof.stats.rows import tie_width

MIN_SEGMENTS = 30
POWER = 0.8  # decisions in 4 of 5 cases
RARE = 0.1  # share of segments changed below which more segments do not help
MAX_FACTOR = 20  # times the segments at hand; a larger number would mean nothing


@dataclass(frozen=True, slots=True)
class Judgement:
    """A verdict with the line that states it."""

    verdict: Verdict
    message: str  # number first
    advice: str = ""  # what would decide it
    p: float | None = None  # of "the expectation holds"
    leaning: Leaning = Leaning.NONE  # of an undecided one


@dataclass(frozen=True, slots=True)
class Assessment:
    """The estimate, parts and verdict of one expectation of one metric."""

    estimate: Estimate
    parts: tuple[Part, ...]
    judgement: Judgement
    influence: Vector  # one per segment, NaN where it is not resampled; empty if undefined
    quantity: str = ""  # of the claim that decides, where claims differ in that
    bounds: Bounds | None = None  # likewise


def compare(bounds: Bounds, low: float, high: float) -> Verdict:
    """Return on which side of the bounds the interval lies; the bounds themselves are inside."""
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
    label: str = "value",
    unit: str = "",
    p: float | None = None,
    more_segments_help: bool = True,
) -> Judgement:
    """Judge an estimate by its bounds; too few changed segments, by group, decide nothing."""
    stated = describe_estimate(estimate, label, unit)
    if estimate.value is None:
        message = f"{stated}: {estimate.note}" if estimate.note else stated
        return Judgement(Verdict.INCONCLUSIVE, message)
    changed = _fewest_changed(changed_segments, estimate)
    if min(changed, estimate.segments) < min_segments:
        return _too_few(estimate, changed_segments, min_segments, label, unit)
    if estimate.low is None or estimate.high is None:
        return Judgement(Verdict.INCONCLUSIVE, f"{stated} without an interval: {estimate.note}")
    verdict = compare(bounds, estimate.low, estimate.high)
    if verdict is not Verdict.INCONCLUSIVE:
        side = describe_side(bounds, estimate.low, estimate.high)
        return Judgement(verdict, f"{stated} {side}", p=p)
    helpful = more_segments_help and changed >= RARE * estimate.segments
    needed = segments_needed(bounds, estimate, label) if helpful else ""
    without_condition = needed.partition(", if ")[0]  # the advice has all of it
    limits = describe_deciding_limits(bounds, estimate.low, estimate.high)
    return Judgement(
        verdict,
        "; ".join(filter(None, [f"{stated}, {describe_limits(bounds)}", without_condition])),
        "; ".join(filter(None, [limits, needed])),
        p,
        leaning_of(estimate.value, bounds),
    )


def _fewest_changed(changed: int | Mapping[str, int] | None, estimate: Estimate) -> int:
    if changed is None:
        return estimate.segments
    return min(changed.values()) if isinstance(changed, Mapping) else changed


def _too_few(
    estimate: Estimate,
    changed: int | Mapping[str, int] | None,
    min_segments: int,
    label: str,
    unit: str,
) -> Judgement:
    """Return that there are too few segments, and in which group; the interval is not shown."""
    noun = "segment" if changed is None else "changed segment"
    group = ""
    if isinstance(changed, Mapping) and len(changed) > 1:
        group = f" in {min(changed, key=lambda name: changed[name])}"
    fewest = min(_fewest_changed(changed, estimate), estimate.segments)
    bare = estimate.model_copy(update={"low": None, "high": None})
    return Judgement(
        Verdict.INCONCLUSIVE,
        f"{describe_estimate(bare, label, unit)}, but only {counted(fewest, noun)}{group} at hand",
        f"at least {min_segments} {noun}s are needed to decide anything",
    )


def segments_needed(bounds: Bounds, estimate: Estimate, label: str) -> str:
    """Return how many segments would decide it in 4 of 5 cases; "" where that is unknown.

    The true value may lie a standard error nearer to the bound or further from it. Where it could
    then lie at the bound, or so near that no usual number is enough, only the fewest are named.
    """
    if estimate.value is None or estimate.low is None or estimate.high is None:
        return ""
    distance, se = distance_to_bound(estimate.value, bounds), standard_error_of(estimate)
    if distance is None or se == 0 or estimate.segments == 0:
        return ""
    n, half = estimate.segments, (estimate.high - estimate.low) / 2
    if estimate.method == RULE_OF_THREE:  # its width is divided by n, not by the root of n
        fewest = two_digits(n * half / max(abs(distance.value), half / MAX_FACTOR))
        return f"at least {fewest:,} segments are needed to decide it"
    reach = half + NORMAL.inv_cdf(POWER) * se
    nearest, furthest = abs(distance.value) - se, abs(distance.value) + se
    fewest = max(n, two_digits(n * (reach / furthest) ** 2))
    if nearest <= 0 or reach / nearest > sqrt(MAX_FACTOR):
        return f"at least {fewest:,} segments are needed to decide it 4 times in 5"
    most = two_digits(n * (reach / nearest) ** 2)
    digits = digits_for(estimate.high - estimate.low)
    low, high = (figure(estimate.value + side, digits) for side in (-se, se))
    return (
        f"{fewest:,} to {most:,} segments would decide it 4 times in 5,"
        f" if the true {label} is {low} to {high}"
    )


def all_of(verdicts: Iterable[Verdict]) -> Verdict:
    """Fail if any fails, pass if all pass (Kleene's logic)."""
    distinct = set(verdicts)
    if Verdict.FAIL in distinct:
        return Verdict.FAIL
    return Verdict.INCONCLUSIVE if Verdict.INCONCLUSIVE in distinct else Verdict.PASS


def negate(verdict: Verdict) -> Verdict:
    """Swap pass and fail."""
    swapped = {Verdict.PASS: Verdict.FAIL, Verdict.FAIL: Verdict.PASS}
    return swapped.get(verdict, verdict)


def any_of(verdicts: Iterable[Verdict]) -> Verdict:
    """Pass if any passes, fail if all fail."""
    return negate(all_of(negate(verdict) for verdict in verdicts))


def violations(wrong: int, scores: int, segments: int) -> tuple[Estimate, Judgement]:
    """Judge how often single scores break an axiom: once fails it, and nothing is undecided."""
    if not scores:
        raise ValueError("nothing to check: no text changed")
    estimate = Estimate(
        value=float(wrong),
        low=float(wrong),
        high=float(wrong),
        confidence=1.0,
        segments=segments,
        method="exact",
    )
    message = f"{counted(wrong, 'violation')} in {counted(scores, 'score')}"
    return estimate, Judgement(Verdict.FAIL if wrong else Verdict.PASS, message)


def disagreements(first: Vector, second: Vector, tolerance: float) -> Mask:
    """Mark where two ratings of the same texts differ; two missing scores agree."""
    alike = np.abs(first - second) <= tie_width(first, tolerance)
    differ: Mask = ~(alike | (np.isnan(first) & np.isnan(second)))
    return differ
