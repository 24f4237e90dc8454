"""All estimates of a run as comma-separated values."""

from __future__ import annotations

from collections.abc import Iterator
from csv import writer
from io import StringIO

from shakeproof.results import Estimate, Published, Result, Run

COLUMNS = [
    "id",
    "file",
    "line",
    "metric",
    "check",
    "expectation",
    "family",
    "field",
    "level",
    "outcome",
    "verdict",
    "quantity",
    "unit",
    "coefficient",
    "part",
    "group",
    "part_level",
    "estimate",
    "low",
    "high",
    "confidence",
    "segments",
    "method",
    "draws",
    "undefined_draws",
    "bound_low",
    "bound_high",
    "p",
    "q",
    "letters",
    "words",
    "segments_changed",
    "edits",
    "unknown",
    "unknown_before",
    "seconds",
    "published",
]
FORMULA = ("=", "+", "-", "@", "\t", "\r")  # by which spreadsheets know one
Cell = str | int | float | None


def render_csv(run: Run) -> str:
    """Write one line per estimate: the judged ones with those beside them, then published ones."""
    text = StringIO()
    lines = writer(text, lineterminator="\n")
    lines.writerow(COLUMNS)
    lines.writerows([guarded(value) for value in line] for line in estimates(run))
    return text.getvalue()


def estimates(run: Run) -> Iterator[list[Cell]]:
    """List the estimates of all results."""
    for result in run.results:
        yield line(result, result.estimate or Estimate(value=None), "", "", None)
        for part in result.parts:
            yield line(result, part.estimate, part.name, part.group, part.level)
    yield from map(published, run.published)


def line(
    result: Result, estimate: Estimate, part: str, group: str, level: float | None
) -> list[Cell]:
    """Write one estimate."""
    done = result.realised
    check: list[Cell] = [result.id, result.file, result.line, result.metric, result.check]
    check += [result.expectation, result.family, result.field, result.level]
    check += [result.outcome.value, result.verdict.value if result.verdict else None]
    about: list[Cell] = [result.quantity, result.unit, result.coefficient, part, group, level]
    found: list[Cell] = [estimate.value, estimate.low, estimate.high, estimate.confidence]
    found += [estimate.segments, estimate.method, estimate.draws, estimate.undefined_draws]
    judged: list[Cell] = [result.bounds.low, result.bounds.high, result.p, result.q]
    severity: list[Cell] = [None] * 6
    if done:
        severity = [done.letters, done.words, done.segments, done.edits]
        severity += [done.unknown, done.unknown_before]
    return [*check, *about, *found, *judged, *severity, result.seconds, None]


def published(one: Published) -> list[Cell]:
    """Write what was measured for a published number, which stands last."""
    estimate = one.measured or Estimate(value=None)
    name = f"{one.paper}, {one.table}: {one.row}, {one.column}"
    known: dict[str, Cell] = {
        "id": one.result,
        "part": name,
        "estimate": estimate.value,
        "low": estimate.low,
        "high": estimate.high,
        "confidence": estimate.confidence,
        "segments": estimate.segments,
        "method": estimate.method,
        "draws": estimate.draws,
        "undefined_draws": estimate.undefined_draws,
        "published": one.value,
    }
    return [known.get(column) for column in COLUMNS]


def guarded(value: Cell) -> Cell:
    """Keep a text from being read as a formula."""
    return f"'{value}" if isinstance(value, str) and value.startswith(FORMULA) else value
