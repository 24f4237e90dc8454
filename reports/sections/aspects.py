"""Agreement with people aspect by aspect, such as coherence and fluency side by side."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from shakeproof.reports.wording.format import describe_condition
from shakeproof.reports.wording.names import MetricKey, anchor, group_by_metric, sources
from shakeproof.reports.wording.outcomes import SIGNS, Sign
from shakeproof.results import Estimate, Result

NO_ASPECT = "rating"  # the column of ratings about no aspect


@dataclass(frozen=True, slots=True)
class AspectCell:
    """What a metric reached for an aspect."""

    sign: Sign
    estimate: Estimate | None
    anchor: str


@dataclass(frozen=True, slots=True)
class AspectTable:
    """One check under one condition: metrics as rows, aspects as columns."""

    check: str
    condition: str
    statement: str  # what is expected of each aspect
    source: str  # the checklist, "" if there is only one
    aspects: tuple[str, ...]
    rows: tuple[tuple[str, tuple[AspectCell | None, ...]], ...]  # by metric


def aspect_tables(
    results: Sequence[Result], labels: Mapping[MetricKey, str]
) -> tuple[AspectTable, ...]:
    """Put the aspects of each check side by side, where it has several."""
    by_check: dict[tuple[str, str, str], list[Result]] = {}
    for result in results:
        key = result.file, result.check, describe_condition(result)
        by_check.setdefault(key, []).append(result)
    names = sources(result.file for result in results)
    return tuple(
        aspect_table(members, labels, names[members[0].file])
        for members in by_check.values()
        if len({result.rating for result in members}) > 1
    )


def aspect_table(
    results: Sequence[Result], labels: Mapping[MetricKey, str], source: str
) -> AspectTable:
    """Lay out the results of one check under one condition."""
    aspects = tuple(dict.fromkeys(result.rating or NO_ASPECT for result in results))
    rows = []
    for metric, members in group_by_metric(results, labels).items():
        cells = {result.rating or NO_ASPECT: aspect_cell(result) for result in members}
        rows.append((metric, tuple(cells.get(aspect) for aspect in aspects)))
    first = results[0]
    return AspectTable(
        check=first.check,
        condition=describe_condition(first),
        statement=first.statement.removesuffix(f"; rating: {first.rating}"),
        source=source,
        aspects=aspects,
        rows=tuple(rows),
    )


def aspect_cell(result: Result) -> AspectCell:
    """Show the estimate of a result, and its outcome."""
    return AspectCell(SIGNS[result.outcome], result.estimate, anchor(result.id))
