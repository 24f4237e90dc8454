"""Which way an undecided check leans, and how that is said for each expectation."""

from __future__ import annotations

from shakeproof.results.distance import distance_to_bound
from shakeproof.results.names import Leaning
from shakeproof.results.values import Bounds

ABOVE = {  # what is wrong if the estimate is above its upper bound, by expectation
    "correlation_drop": "too sensitive",
    "no_worse_than_baseline": "worse than before",
    "position_preference": "prefers what comes first",
    "score_change": "too sensitive",
    "score_drop": "too sensitive",
    "score_rise": "too sensitive",
    "stable": "too noisy",
}
BELOW = {  # the same for the lower bound
    "beats_yardsticks": "no better than the simple metrics",
    "copy_penalty": "too small a penalty",
    "correlation": "too little agreement with people",
    "correlation_in_slices": "too little agreement with people",
    "monotone": "not monotone",
    "more_robust_than": "not more robust",
    "position_consistency": "too dependent on the order",
    "position_preference": "prefers what comes second",
    "retention": "too sensitive",
    "retention_area": "too sensitive",
    "score_change": "not sensitive enough",
    "score_drop": "not sensitive enough",
    "score_rise": "not sensitive enough",
}


def leaning_of(value: float, bounds: Bounds) -> Leaning:
    """Return which way an undecided check leans; an estimate at its bound is inside."""
    distance = distance_to_bound(value, bounds)
    if distance is None:
        return Leaning.NONE
    return Leaning.FAILS if distance.value < 0 else Leaning.PASSES


def describe_leaning(leaning: Leaning, expectation: str, value: float, bounds: Bounds) -> str:
    """Write a leaning in words of the expectation: probably fine, probably too sensitive."""
    if leaning is not Leaning.FAILS:
        return "probably fine" if leaning is Leaning.PASSES else ""
    problems = ABOVE if _moves_too_far(value, bounds) else BELOW
    return f"probably {problems[expectation]}" if expectation in problems else leaning


def _moves_too_far(value: float, bounds: Bounds) -> bool:
    """Return whether the upper bound is the one in question, or a bound around 0."""
    if bounds.low is None or bounds.high is None:
        return bounds.low is None
    return value > bounds.high or bounds.low == -bounds.high
