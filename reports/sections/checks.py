"""The table of checks: a row of numbers each, and details below it."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from shlex import quote
from typing import NamedTuple

from shakeproof.reports.charts.bars import BarChart, bar_chart, changes_key
from shakeproof.reports.charts.forest import Strip, bounds_strip, strip_range
from shakeproof.reports.estimates import has_common_unit, value_of
from shakeproof.reports.sections.texts import ShownExample, show_example
from shakeproof.reports.wording.format import (
    ABSENT,
    MINUS,
    brief,
    describe_condition,
    few_changed,
    interval,
    number,
    p_value,
)
from shakeproof.reports.wording.names import anchor
from shakeproof.reports.wording.outcomes import SIGNS, Sign, worst_first
from shakeproof.results import (
    Bounds,
    Estimate,
    MissingCount,
    Part,
    Realised,
    Result,
    counted,
    result_distance,
)

MAX_TEXTS = 24  # in the rows of a page; the rest stays in run.json
MAX_CHANGES_CHARTS = 8
TIES = "ties, "  # parts that count ties begin with it
SHELL_SPECIAL = frozenset('$`"\\!')


class IntervalMethod(NamedTuple):
    """How an interval was computed."""

    method: str
    draws: int
    confidence: float

    def __str__(self) -> str:
        return f"{self.confidence:.0%} interval by {self.method}, {counted(self.draws, 'draw')}"


@dataclass(frozen=True, slots=True)
class CheckRow:
    """One check."""

    result: Result
    metric: str  # its name on the page
    sign: Sign
    anchor: str
    condition: str
    warning: str  # if most segments stayed unchanged
    value: float | None
    distance: float | None  # to the bound
    strip: Strip | None
    summary: str
    facts: tuple[tuple[str, str], ...]
    changes: BarChart | None
    changes_link: str  # the address of their chart in another part of the page
    examples: tuple[ShownExample, ...]
    repeat: str  # the command that repeats the check


@dataclass(frozen=True, slots=True)
class RowContents:
    """Which checks have texts and charts in their rows, so that a page stays small."""

    texts: frozenset[str]  # ids of checks
    charts: frozenset[str]  # ids of checks
    charts_elsewhere: frozenset[str]  # addresses of charts in another part of the page
    ranges: Mapping[tuple[str, str], tuple[float, float]]  # of strips, by quantity and unit


def row_contents(results: Sequence[Result], charts_elsewhere: Collection[str]) -> RowContents:
    """Choose the checks whose texts and charts fit on the page, worst first."""
    ranked = sorted(results, key=worst_first)
    room, texts = MAX_TEXTS, []
    for result in ranked:
        room -= len(result.examples)
        if room >= 0 and result.examples:
            texts.append(result.id)
    charts = [
        result.id
        for result in ranked
        if result.changes is not None and changes_key(result) not in charts_elsewhere
    ]
    return RowContents(
        frozenset(texts),
        frozenset(charts[:MAX_CHANGES_CHARTS]),
        frozenset(charts_elsewhere),
        strip_ranges(results),
    )


def strip_ranges(results: Iterable[Result]) -> dict[tuple[str, str], tuple[float, float]]:
    """Return the range of the strips of each quantity that all metrics share the unit of."""
    rows: dict[tuple[str, str], list[tuple[Estimate, Bounds]]] = defaultdict(list)
    for result in results:
        if result.estimate and has_common_unit(result):
            rows[result.quantity, result.unit].append((result.estimate, result.bounds))
    return {key: strip_range(members) for key, members in rows.items()}


def strip_of(result: Result, contents: RowContents) -> Strip | None:
    """Lay out the estimate of a result against its bounds."""
    if result.estimate is None:
        return None
    x_range = contents.ranges.get((result.quantity, result.unit))
    return bounds_strip(result.estimate, result.bounds, SIGNS[result.outcome].slug, x_range)


def check_row(
    result: Result, metric: str, usual: IntervalMethod, contents: RowContents
) -> CheckRow:
    """Make a row of the table of checks; `metric` is the name on the page."""
    sign, distance, changes = SIGNS[result.outcome], result_distance(result), changes_key(result)
    shows_texts = result.id in contents.texts
    return CheckRow(
        result=result,
        metric=metric,
        sign=sign,
        anchor=anchor(result.id),
        condition=describe_condition(result),
        warning=few_changed(result),
        value=value_of(result),
        distance=None if distance is None else distance.value,
        strip=strip_of(result, contents),
        summary=result.message or result.reason or result.statement,
        facts=tuple(facts_of(result, usual)),
        changes=bar_chart(result, metric) if result.id in contents.charts else None,
        changes_link=changes if changes in contents.charts_elsewhere else "",
        examples=tuple(map(show_example, result.examples)) if shows_texts else (),
        repeat=f"pytest {shell_quoted(result.id)}",
    )


def facts_of(result: Result, usual: IntervalMethod) -> Iterator[tuple[str, str]]:
    """Yield what is known about a check beyond its row, as names and texts."""
    if not result.statement.startswith(result.quantity):
        yield "Expected", result.statement
    if result.estimate:
        yield result.quantity, describe_estimate(result.estimate, result, usual)
    ties = [part for part in result.parts if part.name.startswith(TIES) and not part.group]
    parts = [describe_part(part) for part in result.parts if part not in ties]
    adjusted = "" if result.q is None else f", adjusted {p_value(result.q)}"
    texts = {
        "Also measured": "; ".join(parts),
        "Ties": "; ".join(map(describe_ties, ties)),
        "p": "" if result.p is None else f"{p_value(result.p)}{adjusted}",
        "Texts changed": describe_realised(result.realised) if result.realised else "",
        "Left out": describe_missing(result.missing) if result.missing else "",
        "To decide it": result.advice,
        "Reason": result.reason,
        "Seeds": ", ".join(map(str, result.seeds)) if len(result.seeds) > 1 else "",
    }
    yield from ((name, text) for name, text in texts.items() if text)


def describe_missing(missing: MissingCount) -> str:
    """Write how many candidates were left out because a score is missing, and why."""
    reasons = f": {', '.join(missing.reasons)}" if missing.reasons else ""
    return f"{missing.count:,} of {counted(missing.of, 'candidate')} without a score{reasons}"


def describe_part(part: Part) -> str:
    """Write a number that was measured beside the judged one."""
    group = f" {part.group}" if part.group else ""
    level = "" if not part.level else f" at {brief(part.level)}"
    return f"{part.name}{group}{level} {number(part.estimate.value)} {interval(part.estimate)}"


def describe_ties(part: Part) -> str:
    """Write the share of pairs to which the metric gives the same score."""
    value = part.estimate.value
    return f"{ABSENT if value is None else f'{value:.1%}'} {part.name.removeprefix(TIES)}"


def describe_estimate(estimate: Estimate, result: Result, usual: IntervalMethod) -> str:
    """Write an estimate and how it was computed, without what the row or the page already says."""
    numbers = f"{number(estimate.value)} {interval(estimate)}"
    in_message = numbers.replace(MINUS, "-") in result.message
    undefined, method = estimate.undefined_draws, interval_method(estimate)
    parts = [
        "" if in_message else f"{numbers} {result.unit}".rstrip(),
        counted(estimate.segments, "segment"),
        "" if method == usual else str(method),
        f"{counted(undefined, 'draw')} undefined" if undefined else "",
        estimate.note,
    ]
    return ", ".join(filter(None, parts))


def usual_method(results: Iterable[Result]) -> IntervalMethod:
    """Return how most intervals were computed."""
    counts = Counter(interval_method(result.estimate) for result in results if result.estimate)
    return counts.most_common(1)[0][0] if counts else interval_method(Estimate(value=None))


def interval_method(estimate: Estimate) -> IntervalMethod:
    """Return how an interval was computed."""
    return IntervalMethod(estimate.method, estimate.draws, estimate.confidence)


def describe_realised(realised: Realised) -> str:
    """Write what a condition did to the texts."""
    unknown, before = realised.unknown, realised.unknown_before
    clean = "" if before is None else f", {number(before)} in clean texts"
    tokens = "" if unknown is None else f"; {number(unknown)} unknown tokens per segment{clean}"
    return (
        f"{realised.letters:.1%} of letters, {realised.words:.1%} of words, "
        f"{realised.segments:.0%} of segments; {realised.edits:.1%} of characters edited{tokens}"
    )


def shell_quoted(text: str) -> str:
    """Quote an argument so that most shells accept it."""
    return quote(text) if SHELL_SPECIAL & set(text) else f'"{text}"'
