"""A verdict on each metric, and sums over checks, in sentences. Names stand in backticks."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from shakeproof.reports.estimates import value_of
from shakeproof.reports.wording.failure_sentences import describe_failure, under_condition
from shakeproof.reports.wording.format import bound_in_words, interval, number
from shakeproof.reports.wording.names import MetricKey, group_by_metric, metric_key
from shakeproof.reports.wording.outcomes import (
    SIGNS,
    Sign,
    count_leanings,
    count_outcomes,
    worst_first,
    worst_of,
)
from shakeproof.results import Bounds, Outcome, Result, counted

MAX_FINDINGS = 3  # about one metric
MAX_NAMES = 4  # in a list
TEXT_FIELDS = [
    "family",
    "check",
    "message",
    "statement",
    "reason",
    "quantity",
    "coefficient",
    "unit",
]


@dataclass(frozen=True, slots=True)
class MetricVerdict:
    """What the checks of one metric found."""

    metric: str  # its name on the page
    sign: Sign
    findings: tuple[str, ...]
    counts: str
    worst: Result | None  # the first finding is about it


def metric_verdicts(
    results: Sequence[Result], labels: Mapping[MetricKey, str]
) -> tuple[MetricVerdict, ...]:
    """Sum up each metric, in order of appearance."""
    by_metric = group_by_metric(results, labels)
    return tuple(metric_verdict(metric, members) for metric, members in by_metric.items())


def metric_verdict(metric: str, results: Sequence[Result]) -> MetricVerdict:
    """Sum up the results of one metric, by its worst."""
    worst = worst_of(results)
    findings = [
        describe_finding(without_backticks(result), results)
        for result in findings_of(worst, results)
    ]
    return MetricVerdict(
        metric=metric,
        sign=SIGNS[worst.outcome if worst else Outcome.SKIPPED],
        findings=tuple(findings) or ("Was not checked.",),
        counts=describe_counts(results) if worst else "",
        worst=worst,
    )


def findings_of(worst: Result | None, results: Sequence[Result]) -> list[Result]:
    """Pick the worst failure of each expectation; without failures, the worst result."""
    failed = sorted((r for r in results if r.outcome is Outcome.FAILED), key=worst_first)
    by_expectation = {result.expectation: result for result in reversed(failed)}
    chosen = sorted(by_expectation.values(), key=worst_first)[:MAX_FINDINGS]
    return chosen or ([worst] if worst else [])


def without_backticks(result: Result) -> Result:
    """Replace backticks in the texts of a result; in sentences they mark names."""
    texts = {name: getattr(result, name) for name in TEXT_FIELDS}
    changes = {name: text.replace("`", "'") for name, text in texts.items() if text and "`" in text}
    return result.model_copy(update=changes) if changes else result


def describe_finding(result: Result, results: Sequence[Result]) -> str:
    """Write the one thing that a reader should know about a metric's worst result."""
    match result.outcome:
        case Outcome.ERROR:
            return f"Could not be judged: {result.message or 'no reason was given'}."
        case Outcome.UNEXPECTED_PASS:
            condition = under_condition(result)
            return f"Passes “{result.check}”{condition}, which is marked as a known failure."
        case Outcome.FAILED | Outcome.WARNED:
            return describe_failure(result)
        case Outcome.KNOWN_FAILURE:
            return f"Only known failures: {result.reason or result.check}."
        case Outcome.UNDECIDED:
            return f"No failures; {need_more_data(results)}."
    passed = sum(result.outcome is Outcome.PASSED for result in results)
    checks = "its only check" if passed == 1 else f"all {passed:,} checks that were run"
    return f"Passed {checks}{largest_drop(results)}."


def need_more_data(results: Sequence[Result]) -> str:
    """Count the undecided checks, and those that lean to one side."""
    if len(results) == 1:
        return "its only check needs more data"
    undecided = sum(result.outcome is Outcome.UNDECIDED for result in results)
    verb = "needs" if undecided == 1 else "need"
    leanings = count_leanings(results)
    text = f"{undecided:,} of {len(results):,} checks {verb} more data"
    return f"{text} ({leanings})" if leanings else text


def describe_counts(results: Sequence[Result]) -> str:
    """Count the outcomes, as in "17 checks: 2 failed, 1 undecided, 14 passed"."""
    checks, counts = counted(len(results), "check"), count_outcomes(results)
    if [sign for sign, _ in counts] == [SIGNS[Outcome.PASSED]]:
        return f"{checks}, all passed."
    return f"{checks}: {', '.join(sign.count(number) for sign, number in counts)}."


def largest_drop(results: Sequence[Result]) -> str:
    """Write the largest correlation drop that was still allowed."""
    drops = [r for r in results if r.expectation == "correlation_drop" and value_of(r) is not None]
    if not drops:
        return ""
    largest = max(drops, key=lambda result: value_of(result) or 0.0)
    drop = f"{number(value_of(largest))} {interval(largest.estimate)}"
    return f"; largest correlation drop {drop}{under_condition(largest)}"


def describe_checks(
    subject: str, results: Sequence[Result], labels: Mapping[MetricKey, str]
) -> str:
    """Count what became of some checks, and give the number of the worst."""
    return f"{subject}: {describe_outcomes(results)}{worst_number(results, labels)}."


def describe_outcomes(results: Sequence[Result]) -> str:
    """Count outcomes, failures first, as in "2 of 3 checks failed, 1 undecided"."""
    counts, total = dict(count_outcomes(results)), counted(len(results), "check")
    failed, passed = SIGNS[Outcome.FAILED], SIGNS[Outcome.PASSED]
    if len(counts) == 1:
        (sign,) = counts
        share = "the only check" if len(results) == 1 else f"all {total}"
        are = "" if sign in (failed, passed) else "is " if len(results) == 1 else "are "
        return f"{share} {are}{sign.words(len(results))}"
    first = failed if failed in counts else passed
    rest = [sign.count(n) for sign, n in counts.items() if sign not in (failed, passed)]
    return ", ".join([f"{counts.get(first, 0):,} of {total} {first.word}", *rest])


def worst_number(results: Sequence[Result], labels: Mapping[MetricKey, str]) -> str:
    """Give the number of the worst check, with its metric and its bound."""
    worst = min(results, key=worst_first)
    if value_of(worst) is None:
        return ""
    metric = quote_name(labels[metric_key(worst)])
    condition = under_condition(worst) if len({(r.family, r.level) for r in results}) > 1 else ""
    bound = "" if worst.bounds == Bounds() else f", {bound_in_words(worst.bounds)}"
    value = f"{number(value_of(worst), 2)} {interval(worst.estimate, 2)} {worst.unit}"
    rank = "closest to its bound: " if worst.outcome is Outcome.PASSED else "worst: "
    subject = f"{rank if len(results) > 1 else ''}{metric}{condition}"
    return f"; {subject}, {worst.quantity} {value.rstrip()}{bound}"


def list_names(names: Iterable[str]) -> str:
    """List names; of many, the first and how many more."""
    every = list(names)
    if len(every) > MAX_NAMES:
        every = [*every[: MAX_NAMES - 1], f"{len(every) - MAX_NAMES + 1} more"]
    *first, last = every
    return f"{', '.join(first)} and {last}" if first else last


def quote_name(name: str) -> str:
    """Mark a name within a sentence."""
    return f"`{name.replace('`', chr(39))}`"
