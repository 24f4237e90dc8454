"""A verdict on each metric in a sentence. Names stand in backticks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from shakeproof.reports.wording.failure_sentences import charge, where
from shakeproof.reports.wording.format import SIGNS, Sign, many, number, span, tally
from shakeproof.reports.wording.margins import badness, value, worst
from shakeproof.results import Outcome, Result

FINDINGS = 3  # about one metric
TOLD = ["family", "check", "message", "statement", "reason", "quantity", "coefficient", "unit"]


@dataclass(frozen=True, slots=True)
class MetricVerdict:
    """What the checks say about one metric."""

    metric: str
    sign: Sign
    findings: tuple[str, ...]
    counts: str
    lead: Result | None  # the worst result, of which the first finding tells


def verdict(metric: str, results: Sequence[Result]) -> MetricVerdict:
    """Sum up the results of one metric, by its worst."""
    lead = worst(results)
    if lead is None:
        return MetricVerdict(metric, SIGNS[Outcome.SKIPPED], ("Was not checked.",), "", None)
    findings = tuple(finding(unticked(one), results) for one in leads(lead, results))
    return MetricVerdict(metric, SIGNS[lead.outcome], findings, counts(results), lead)


def leads(lead: Result, results: Sequence[Result]) -> list[Result]:
    """Pick the worst failure of each expectation, or the one result that leads."""
    failed = sorted((r for r in results if r.outcome is Outcome.FAILED), key=badness)
    by_expectation = {result.expectation: result for result in reversed(failed)}
    return sorted(by_expectation.values(), key=badness)[:FINDINGS] or [lead]


def unticked(result: Result) -> Result:
    """Take backticks out of what is told of a result; here they set off names."""
    told = {name: getattr(result, name) for name in TOLD}
    ticked = {name: text.replace("`", "'") for name, text in told.items() if text and "`" in text}
    return result.model_copy(update=ticked) if ticked else result


def finding(lead: Result, results: Sequence[Result]) -> str:
    """Say the one thing a reader should know."""
    if lead.outcome is Outcome.ERROR:
        return f"Could not be judged: {lead.message or 'no reason was given'}."
    if lead.outcome is Outcome.UNEXPECTED_PASS:
        return f"Passes “{lead.check}”{where(lead)}, which is marked as a known failure."
    if lead.outcome in (Outcome.FAILED, Outcome.WARNED):
        return charge(lead)
    if lead.outcome is Outcome.KNOWN_FAILURE:
        return f"Fails only where that is known: {lead.reason or lead.check}."
    if lead.outcome is Outcome.UNDECIDED:
        return f"Nothing speaks against it, but these data leave {open_checks(results)} open."
    return f"Holds up in {all_of(len(results))}{best_evidence(results)}."


def open_checks(results: Sequence[Result]) -> str:
    """Count what is undecided."""
    return many(sum(result.outcome is Outcome.UNDECIDED for result in results), "check")


def all_of(count: int) -> str:
    """Say that none is missing."""
    return "its one check" if count == 1 else f"all {count:,} checks"


def counts(results: Sequence[Result]) -> str:
    """Count what went wrong, as in "3 of 9 checks fail, 1 is undecided"."""
    found = [(sign, n) for sign, n in tally(results) if sign is not SIGNS[Outcome.PASSED]]
    if not found:
        return f"{many(len(results), 'check')}, all passed."
    phrases = [f"{n:,} {said(sign, n)}" for sign, n in found]
    first = f"{found[0][1]:,} of {many(len(results), 'check')} {said(*found[0])}"
    return ", ".join([first, *phrases[1:]]) + "."


def said(sign: Sign, count: int) -> str:
    """Fit a verb to its number."""
    return sign.verb_of_one if count == 1 else sign.verb


def best_evidence(results: Sequence[Result]) -> str:
    """Add the largest drop that was still allowed."""
    drops = [r for r in results if r.expectation == "correlation_drop" and value(r) is not None]
    if not drops:
        return ""
    top = max(drops, key=lambda result: value(result) or 0.0)
    found = f"{number(value(top))} {span(top.estimate)}"
    return f"; its largest drop of correlation is {found}{where(top)}"


def headline(verdicts: Sequence[MetricVerdict]) -> str:
    """Sum up the run in a sentence."""
    bad = [v for v in verdicts if v.sign.rank <= SIGNS[Outcome.WARNED].rank]
    good = [v for v in verdicts if v.sign.slug == "passed"]
    if not verdicts:
        return "No check ran."
    if not bad:
        return quiet(len(verdicts), len(good))
    if len(verdicts) == 1:
        return f"{named(bad[0])} does not hold up."
    hold = "holds" if len(good) == 1 else "hold"
    tail = f"; {listed(good)} {hold} up throughout" if good else ""
    do = "does" if len(bad) == 1 else "do"
    return f"{len(bad)} of {len(verdicts)} metrics {do} not hold up{tail}."


def quiet(total: int, good: int) -> str:
    """Sum up a run in which nothing failed."""
    if good == total:
        return (
            "Every check passed." if total == 1 else f"All {total} metrics hold up in every check."
        )
    return "Nothing failed that was not known, but not every check could be decided or passed."


def listed(verdicts: Sequence[MetricVerdict]) -> str:
    """List metrics by name; of more than three, only their number is worth saying."""
    if len(verdicts) > 3:
        return f"{len(verdicts)}"
    *first, last = map(named, verdicts)
    return f"{', '.join(first)} and {last}" if first else last


def named(verdict: MetricVerdict) -> str:
    """Set the name of a metric off from the words around it."""
    name = verdict.metric.replace("`", "'")
    return f"`{name}`"
