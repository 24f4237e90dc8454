"""What changed between two runs in Markdown, for a comment on a pull request."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from shakeproof.reports.comparison import ARROWS, TONES, change_in_numbers, headline
from shakeproof.reports.markdown import code, escape, table_head, table_row
from shakeproof.reports.wording.format import describe_condition, number
from shakeproof.reports.wording.outcomes import count_outcomes
from shakeproof.results import ComparedResult, Result, RunComparison, Verdict, counted

MAX_ROWS = 20
VERDICTS = {  # the outcome may differ for the same verdict: a baseline can accept a failure
    Verdict.PASS: "pass",
    Verdict.FAIL: "fail",
    Verdict.INCONCLUSIVE: "undecided",
    None: "none",
}
EXPLANATION = (
    "Each change is the new estimate minus the old one, with its interval, paired by segment. "
    "A regression is worse by more than the tolerance, with the whole interval."
)


def render_comparison_markdown(
    comparison: RunComparison, *, since: str, at_most: int = MAX_ROWS
) -> str:
    """Sum up what changed since another run, the worst first."""
    rows = [pair for pair in comparison.results if is_listed(pair)]
    lines = [
        f"### {escape(headline(comparison))}",
        "",
        f"Compared with {escape(since)}.",
        "",
        *change_table(rows, at_most),
        *other_lines(comparison),
        EXPLANATION,
        "",
    ]
    return "\n".join(lines)


def is_listed(pair: ComparedResult) -> bool:
    """Return whether a check changed significantly, or has another verdict now."""
    comparable = pair.change.estimate is not None
    return comparable and (pair.change.kind in TONES or pair.old.verdict is not pair.new.verdict)


def change_table(rows: Sequence[ComparedResult], at_most: int) -> Iterator[str]:
    """Write a row for each check that changed, and how many more there are."""
    if not rows:
        return
    yield from table_head("change", "metric", "check", "before", "now", "difference", "verdict")
    yield from map(change_row, rows[:at_most])
    yield ""
    if len(rows) > at_most:
        more = counted(len(rows) - at_most, "more check")
        yield from (f"{more} changed; `shakeproof compare` lists them.", "")


def change_row(pair: ComparedResult) -> str:
    """Write one check as a row of a table."""
    change, new = pair.change, pair.new
    word = "**regression**" if change.regressed else change.kind.value
    verdicts = dict.fromkeys(VERDICTS[result.verdict] for result in (pair.old, new))
    return table_row(
        f"{ARROWS.get(change.kind, '·')} {word}",
        code(new.metric),
        escape(f"{new.check}, {describe_condition(new)}"),
        number(_value(pair.old)),
        number(_value(new)),
        escape(change_in_numbers(change)),
        " → ".join(verdicts),
    )


def other_lines(comparison: RunComparison) -> Iterator[str]:
    """List how metrics differ, what cannot be compared, and what only one run has."""
    changes = {
        (pair.new.metric, pair.change.metric_changes): None
        for pair in comparison.results
        if pair.change.metric_changes
    }
    lines = [f"{code(metric)}: {escape(change)}" for metric, change in changes]
    reasons = Counter(pair.change.reason for pair in comparison.results if pair.change.reason)
    for reason, count in reasons.most_common():
        lines.append(f"not comparable: {counted(count, 'check')}, {escape(reason)}")
    if comparison.only_new:
        counts = ", ".join(sign.count(n) for sign, n in count_outcomes(comparison.only_new))
        lines.append(f"new: {counted(len(comparison.only_new), 'check')} ({counts})")
    if comparison.only_old:
        lines.append(f"not in this run: {counted(len(comparison.only_old), 'check')}")
    if lines:
        yield from (f"- {line}" for line in lines)
        yield ""


def _value(result: Result) -> float | None:
    return result.estimate.value if result.estimate else None
