"""All estimates of a run as comma-separated values."""

from __future__ import annotations

from collections.abc import Iterator
from csv import DictWriter
from io import StringIO

from shakeproof.results import Estimate, Part, Published, Result, Run

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
    "leaning",
    "quantity",
    "unit",
    "coefficient",
    "rating",
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
    "survives_holm",
    "letters",
    "words",
    "segments_changed",
    "edits",
    "unknown",
    "unknown_before",
    "seconds",
    "published",
]
# A text that begins so is a formula to spreadsheets; those of East Asia also take wide signs.
FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "\uff1d", "\uff0b", "\uff0d", "\uff20")
Row = dict[str, str | int | float | None]


def render_csv(run: Run) -> str:
    """Write one row per estimate: each judged one followed by its parts, published ones last."""
    text = StringIO()
    writer = DictWriter(text, COLUMNS, lineterminator="\n")
    writer.writeheader()
    for row in rows_of(run):
        writer.writerow({name: without_formula(value) for name, value in row.items()})
    return text.getvalue()


def rows_of(run: Run) -> Iterator[Row]:
    """Yield a row for each estimate."""
    for result in run.results:
        check = check_columns(result)
        yield check | estimate_columns(result.estimate)
        yield from (check | part_columns(part) for part in result.parts)
    yield from map(published_columns, run.published)


def check_columns(result: Result) -> Row:
    """Return what all rows of a check have in common."""
    columns: Row = {
        "id": result.id,
        "file": result.file,
        "line": result.line,
        "metric": result.metric,
        "check": result.check,
        "expectation": result.expectation,
        "family": result.family,
        "field": result.field,
        "level": result.level,
        "outcome": result.outcome.value,
        "verdict": result.verdict.value if result.verdict else None,
        "leaning": result.leaning.value or None,
        "quantity": result.quantity,
        "unit": result.unit,
        "coefficient": result.coefficient,
        "rating": result.rating,
        "bound_low": result.bounds.low,
        "bound_high": result.bounds.high,
        "p": result.p,
        "q": result.q,
        "survives_holm": result.survives_holm,
        "seconds": result.seconds,
    }
    if result.realised:
        columns |= {
            "letters": result.realised.letters,
            "words": result.realised.words,
            "segments_changed": result.realised.segments,
            "edits": result.realised.edits,
            "unknown": result.realised.unknown,
            "unknown_before": result.realised.unknown_before,
        }
    return columns


def part_columns(part: Part) -> Row:
    """Return the columns of an estimate beside the judged one."""
    named: Row = {"part": part.name, "group": part.group, "part_level": part.level}
    return named | estimate_columns(part.estimate)


def estimate_columns(estimate: Estimate | None) -> Row:
    """Return the columns of an estimate."""
    estimate = estimate or Estimate(value=None)
    return {
        "estimate": estimate.value,
        "low": estimate.low,
        "high": estimate.high,
        "confidence": estimate.confidence,
        "segments": estimate.segments,
        "method": estimate.method,
        "draws": estimate.draws,
        "undefined_draws": estimate.undefined_draws,
    }


def published_columns(published: Published) -> Row:
    """Return the columns of a published number and its measurement."""
    name = f"{published.paper}, {published.table}: {published.row}, {published.column}"
    columns: Row = {"id": published.result, "part": name, "published": published.value}
    return columns | estimate_columns(published.measured)


def without_formula(value: str | float | None) -> str | float | None:
    """Quote a text that a spreadsheet would read as a formula.

    Some programs ignore spaces before a formula. Carriage returns become line feeds, because the
    csv module quotes no cell for the former.
    """
    if not isinstance(value, str):
        return value
    text = value.replace("\r\n", "\n").replace("\r", "\n")
    return f"'{text}" if value.lstrip(" ").startswith(FORMULA) else text
