"""A verdict on each metric and a headline for the run. Names stand in backticks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from shakeproof.reports.estimates import value_of
from shakeproof.reports.wording.failure_sentences import describe_failure, under_condition
from shakeproof.reports.wording.format import interval, number
from shakeproof.reports.wording.names import MetricKey, group_by_metric
from shakeproof.reports.wording.outcomes import SIGNS, Sign, count_outcomes, worst_first, worst_of
from shakeproof.results import Outcome, Result, counted

MAX_FINDINGS = 3  # about one metric
MAX_NAMES = 3  # of metrics in the headline; of more, only the number is given
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
    results: tuple[Result, ...]

    @property
    def passed(self) -> bool:
        """Return whether every check that was run has passed."""
        return self.sign is SIGNS[Outcome.PASSED]


def metric_verdicts(
    results: Sequence[Result], labels: Mapping[MetricKey, str]
) -> tuple[MetricVerdict, ...]:
    """Sum up each metric, in order of appearance."""
    by_metric = group_by_metric(results)
    return tuple(metric_verdict(labels[key], members) for key, members in by_metric.items())


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
        results=tuple(results),
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
            return f"Only expected failures: {result.reason or result.check}."
        case Outcome.UNDECIDED:
            return f"No failures; {need_more_data(results)}."
    passed = sum(result.outcome is Outcome.PASSED for result in results)
    checks = "its only check" if passed == 1 else f"all {passed:,} checks that were run"
    return f"Passed {checks}{largest_drop(results)}."


def need_more_data(results: Sequence[Result]) -> str:
    """Count the undecided checks."""
    if len(results) == 1:
        return "its only check needs more data"
    undecided = sum(result.outcome is Outcome.UNDECIDED for result in results)
    verb = "needs" if undecided == 1 else "need"
    return f"{undecided:,} of {len(results):,} checks {verb} more data"


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


def headline(verdicts: Sequence[MetricVerdict]) -> str:
    """Sum up the run in a sentence."""
    if not verdicts:
        return "No check ran."
    bad = [v for v in verdicts if v.sign.rank <= SIGNS[Outcome.WARNED].rank]
    good = [v for v in verdicts if v.passed]
    if not bad:
        return no_failure_headline(verdicts, good)
    only_failures = all(v.sign is SIGNS[Outcome.FAILED] for v in bad)
    problem = "failed at least one check" if only_failures else "had failures, errors or warnings"
    if len(verdicts) == 1:
        return f"{name_in_backticks(bad[0])} {problem}."
    passed = f"; {list_metrics(good)} passed every check that was run" if good else ""
    scope = f" ({describe_scope(good, verdicts)})" if good else ""
    return f"{len(bad)} of {len(verdicts)} metrics {problem}{passed}{scope}."


def no_failure_headline(verdicts: Sequence[MetricVerdict], good: Sequence[MetricVerdict]) -> str:
    """Sum up a run in which nothing failed that was not known to."""
    if len(good) == len(verdicts):
        if len(verdicts) == 1:
            return "Every check passed."
        return f"All {len(verdicts)} metrics passed every check that was run."
    results = [result for verdict in verdicts for result in verdict.results]
    counts = Counter(result.outcome for result in results)
    expected, undecided = counts[Outcome.KNOWN_FAILURE], counts[Outcome.UNDECIDED]
    open_checks = f"{undecided:,} of {counted(len(results), 'check')} undecided"
    parts = [
        "No new failures" if expected else "No failures",
        SIGNS[Outcome.KNOWN_FAILURE].count(expected) if expected else "",
        open_checks if undecided else "",
        f"{counts[Outcome.SKIPPED]:,} skipped" if counts[Outcome.SKIPPED] else "",
    ]
    return f"{'; '.join(filter(None, parts))}."


def describe_scope(good: Sequence[MetricVerdict], verdicts: Sequence[MetricVerdict]) -> str:
    """Count the checks that metrics passed, and name what was tested on other metrics only."""
    results = [result for verdict in good for result in verdict.results]
    number = sum(result.outcome is Outcome.PASSED for result in results)
    tested = {kind for verdict in verdicts for kind in kinds_tested(verdict.results)}
    missing = {kind for verdict in good for kind in tested - kinds_tested(verdict.results)}
    for_all = " for all of them" if len(good) > 1 else ""
    untested = [f"{kind} was not tested{for_all}" for kind in sorted(missing)]
    return "; ".join([f"{number:,}", *untested])


def kinds_tested(results: Iterable[Result]) -> set[str]:
    """Return which of noise and copying was tested."""
    ran = [result for result in results if result.outcome is not Outcome.SKIPPED]
    copying = {"copying" for result in ran if result.expectation == "copy_penalty"}
    noise = {"noise" for r in ran if r.family is not None and r.expectation != "copy_penalty"}
    return copying | noise


def list_metrics(verdicts: Sequence[MetricVerdict]) -> str:
    """List metrics by name, or count them if there are many."""
    if len(verdicts) > MAX_NAMES:
        return f"{len(verdicts)}"
    *first, last = map(name_in_backticks, verdicts)
    return f"{', '.join(first)} and {last}" if first else last


def name_in_backticks(verdict: MetricVerdict) -> str:
    """Mark the name of a metric within a sentence."""
    name = verdict.metric.replace("`", "'")
    return f"`{name}`"
