"""Missing scores in words: one line for each metric that did not rate every text."""

from __future__ import annotations

from collections.abc import Iterable

from shakeproof.results.values import MetricRecord, MissingCount, Run


def missing_lines(run: Run) -> list[str]:
    """Say of each metric how many scores are missing, over all its conditions, and why."""
    metrics = (metric for checklist in run.checklists for metric in checklist.metrics)
    return [line for metric in metrics if (line := _line(metric))]


def _line(metric: MetricRecord) -> str:
    if not metric.missing:
        return ""
    count, of = (sum(numbers) for numbers in _counts(metric.missing))
    reasons = list(dict.fromkeys(reason for one in metric.missing for reason in one.reasons))
    others = f", and {len(reasons) - 1} other reasons" if len(reasons) > 1 else ""
    shown = f": {reasons[0]}{others}" if reasons else ""
    return f"{metric.name}: {count:,} of {of:,} scores missing ({share(count, of)}){shown}"


def _counts(missing: Iterable[MissingCount]) -> tuple[list[int], list[int]]:
    counts = list(missing)
    return [one.count for one in counts], [one.of for one in counts]


def share(count: int, of: int) -> str:
    """Write a share as a percentage: 1.6 %, and never 0 % for a few of many."""
    percent = 100 * count / of
    return f"{percent:.1f} %" if percent >= 0.1 else "< 0.1 %"
