"""Which metrics prefer a copied input to paraphrases, in a sentence."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from shakeproof.reports.estimates import part_estimate, value_of
from shakeproof.reports.wording.format import bound_in_words, interval, number
from shakeproof.reports.wording.names import MetricKey, metric_key
from shakeproof.reports.wording.sentences import MAX_NAMES, describe_checks, list_names, quote_name
from shakeproof.results import Outcome, PartName, Result

SUBJECT = "Copied inputs"


def describe_copying(results: Sequence[Result], labels: Mapping[MetricKey, str]) -> str:
    """Say which metrics score a copied input above the best paraphrases, and which do not."""
    ranked = sorted(
        (result for result in results if value_of(result) is not None),
        key=lambda result: value_of(result) or 0.0,
    )
    if not ranked:
        return describe_checks(SUBJECT, results, labels)
    preferring = [result for result in ranked if prefers_copy(result)]
    rest = [result for result in ranked if not prefers_copy(result)]
    if not preferring:
        return describe_none(ranked, labels)
    who = who_of(preferring, labels, f" of {len(ranked):,} metrics")
    return f"{who} {describe_preferring(preferring, labels)}{describe_rest(rest, labels)}."


def describe_none(ranked: Sequence[Result], labels: Mapping[MetricKey, str]) -> str:
    """Say that no metric prefers the copy, with the lowest penalty."""
    name, lowest = metric_name(ranked[0], labels), f"{penalty(ranked[0])}{required(ranked[0])}"
    clearly = "clearly " if any(may_prefer_copy(result) for result in ranked) else ""
    if len(ranked) == 1:
        return (
            f"{name} does not {clearly}score a copied input above the best paraphrases: penalty "
            f"{lowest}."
        )
    return (
        f"None of {len(ranked):,} metrics {clearly}scores a copied input above the best "
        f"paraphrases; the lowest penalty is that of {name}: {lowest}."
    )


def prefers_copy(result: Result) -> bool:
    """Return whether the whole interval says that the copy scores higher."""
    estimate = result.estimate
    if estimate is None or estimate.value is None:
        return False
    return (estimate.value if estimate.high is None else estimate.high) < 0


def may_prefer_copy(result: Result) -> bool:
    """Return whether a part of the interval says that the copy scores higher."""
    estimate = result.estimate
    return estimate is not None and (estimate.low or 0.0) < 0


def describe_preferring(results: Sequence[Result], labels: Mapping[MetricKey, str]) -> str:
    """Say that metrics prefer the copy, with the numbers of the one that does so most."""
    worst = results[0]
    wins = part_estimate(worst, PartName.COPY_WINS)
    share = "" if wins is None else f"for {wins.value:.0%} of inputs, "
    one = len(results) == 1
    who = "" if one else f"{metric_name(worst, labels)} "
    verb = "scores" if one else "score"
    return (
        f"{verb} a copied input above the best paraphrases ({who}{share}penalty {penalty(worst)})"
    )


def describe_rest(results: Sequence[Result], labels: Mapping[MetricKey, str]) -> str:
    """Name the metrics that do not, or that may."""
    unclear = [result for result in results if may_prefer_copy(result)]
    clear = [result for result in results if result not in unclear]
    parts = []
    if clear:
        names = who_of(clear, labels)
        verb = "does" if len(clear) == 1 else "do"
        lowest, word = clear[0], "penalty" if len(clear) == 1 else "lowest penalty"
        parts.append(f"{names} {verb} not ({word} {penalty(lowest)}{required(lowest)})")
    if unclear:
        parts.append(f"for {who_of(unclear, labels)} that is not certain")
    return "".join(f"; {part}" for part in parts)


def who_of(results: Sequence[Result], labels: Mapping[MetricKey, str], of_all: str = "") -> str:
    """List the metrics of some results; many are counted, `of_all` being what they are part of."""
    names = list(dict.fromkeys(metric_name(result, labels) for result in results))
    return list_names(names) if len(names) <= MAX_NAMES else f"{len(names):,}{of_all}"


def metric_name(result: Result, labels: Mapping[MetricKey, str]) -> str:
    """Name the metric of a result."""
    return quote_name(labels[metric_key(result)])


def penalty(result: Result) -> str:
    """Write what a copy costs, with its unit and interval."""
    return f"{number(value_of(result), 2)} {interval(result.estimate, 2)} {result.unit}".strip()


def required(result: Result) -> str:
    """Add the bound of a check that did not pass."""
    if result.outcome is Outcome.PASSED:
        return ""
    return f", {bound_in_words(result.bounds)}"
