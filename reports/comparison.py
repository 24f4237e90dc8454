"""Everything that the page about two runs shows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from shakeproof.reports.charts.forest import Strip, centred_strip
from shakeproof.reports.estimates import defined_ends
from shakeproof.reports.sections.header import format_setting, format_time
from shakeproof.reports.wording.format import describe_condition
from shakeproof.reports.wording.names import anchor
from shakeproof.reports.wording.outcomes import SIGNS, Sign
from shakeproof.results import (
    Change,
    ChangeKind,
    ComparedResult,
    Result,
    Run,
    RunComparison,
    counted,
)

TONES = {
    ChangeKind.WORSE: "failed",
    ChangeKind.BETTER: "passed",
    ChangeKind.HIGHER: "known",
    ChangeKind.LOWER: "known",
}
ARROWS = {
    ChangeKind.WORSE: "↘",
    ChangeKind.BETTER: "↗",
    ChangeKind.HIGHER: "↑",
    ChangeKind.LOWER: "↓",
    ChangeKind.UNCHANGED: "=",
}
BASELINE = "a baseline"
REST = (ChangeKind.UNCLEAR, ChangeKind.UNCHANGED, ChangeKind.NOT_COMPARABLE)


@dataclass(frozen=True, slots=True)
class ComparedRow:
    """One check in both runs."""

    compared: ComparedResult
    anchor: str
    condition: str
    tone: str
    arrow: str
    strip: Strip | None
    old_sign: Sign
    new_sign: Sign


@dataclass(frozen=True, slots=True)
class ComparisonPage:
    """Everything the template shows."""

    old_name: str
    new_name: str
    commands: tuple[tuple[str, str], ...]  # old or new, and what repeats it
    headline: str
    compared: tuple[ComparedRow, ...]
    not_comparable: tuple[ComparedRow, ...]
    only_old: tuple[tuple[Result, Sign], ...]
    only_new: tuple[tuple[Result, Sign], ...]
    configuration: tuple[tuple[str, str, str], ...]  # what differs, old, new


def make_comparison_page(comparison: RunComparison) -> ComparisonPage:
    """Lay out a comparison of two runs."""
    reach: dict[str, float] = {}  # of the changes of each quantity, so that its rows share a scale
    for compared in comparison.results:
        estimate, quantity = compared.change.estimate, compared.new.quantity
        ends = [abs(end) for end in defined_ends(estimate)] if estimate else []
        reach[quantity] = max([reach.get(quantity, 0.0), *ends])
    rows = [compared_row(pair, reach[pair.new.quantity]) for pair in comparison.results]
    return ComparisonPage(
        old_name=run_name(comparison.old),
        new_name=run_name(comparison.new),
        commands=tuple(
            (name, run.command)
            for name, run in (("old", comparison.old), ("new", comparison.new))
            if run.command
        ),
        headline=headline(comparison),
        compared=tuple(row for row in rows if row.compared.change.estimate is not None),
        not_comparable=tuple(row for row in rows if row.compared.change.estimate is None),
        only_old=tuple((result, SIGNS[result.outcome]) for result in comparison.only_old),
        only_new=tuple((result, SIGNS[result.outcome]) for result in comparison.only_new),
        configuration=tuple(configuration_changes(comparison.old, comparison.new)),
    )


def run_name(run: Run) -> str:
    """Name a run by its time and version; a baseline has neither."""
    return f"{format_time(run.started)}, shakeproof {run.shakeproof}" if run.started else BASELINE


def compared_row(compared: ComparedResult, reach: float) -> ComparedRow:
    """Make a row from a check that both runs have."""
    change = compared.change
    tone = TONES.get(change.kind, "skipped")
    return ComparedRow(
        compared=compared,
        anchor=anchor(compared.new.id),
        condition=describe_condition(compared.new),
        tone=tone,
        arrow=ARROWS.get(change.kind, "·"),
        strip=centred_strip(change.estimate, 0.0, reach, tone) if change.estimate else None,
        old_sign=SIGNS[compared.old.outcome],
        new_sign=SIGNS[compared.new.outcome],
    )


def headline(comparison: RunComparison) -> str:
    """Sum up what changed."""
    if not comparison.results:
        return "The two runs have no check in common."
    counts = Counter(compared.change.kind for compared in comparison.results)
    changed = [
        f"{counted(counts[kind], 'check')} significantly {kind.value}"
        for kind in TONES
        if counts[kind]
    ]
    rest = [f"{counts[kind]:,} {kind.value}" for kind in REST if counts[kind]]
    start = ", ".join(changed) or "No significant change"
    return f"{start}; {', '.join(rest)}." if rest else f"{start}."


def change_in_numbers(change: Change) -> str:
    """Write a change with its interval, all with their signs."""
    if change.estimate is None or change.estimate.value is None:
        return "no estimate"
    value, low, high = change.estimate.value, change.estimate.low, change.estimate.high
    if low is None or high is None:
        return f"{value:+.3f}, no interval"
    return f"{value:+.3f} [{low:+.3f}, {high:+.3f}]"


def configuration_changes(old: Run, new: Run) -> Iterator[tuple[str, str, str]]:
    """List how versions, settings, checklists and metrics differ; a baseline has only metrics."""
    if old.started and new.started:
        yield from differences("shakeproof", {"": old.shakeproof}, {"": new.shakeproof})
        yield from differences("environment", old.environment, new.environment)
        yield from differences("setting", old.settings, new.settings)
        hashes = ({record.file: record.sha256 for record in run.checklists} for run in (old, new))
        yield from differences("checklist", *hashes)
    yield from differences("signature of", signatures(old), signatures(new))


def differences(
    kind: str, old: Mapping[str, object], new: Mapping[str, object]
) -> Iterator[tuple[str, str, str]]:
    """Yield the entries that differ."""
    for name in dict.fromkeys([*old, *new]):
        if old.get(name) != new.get(name):
            values = format_setting(old.get(name)), format_setting(new.get(name))
            yield f"{kind} {name}".strip(), *values


def signatures(run: Run) -> dict[str, object]:
    """Return the signature of each metric."""
    return {
        f"{metric.name} ({record.file})": metric.signature
        for record in run.checklists
        for metric in record.metrics
    }
