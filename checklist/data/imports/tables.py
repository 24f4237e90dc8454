"""CSV and TSV with named columns, one candidate per row."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal, TypeAlias

from shakeproof.data.imports.limits import MAX_FILE, MAX_VALUES, ROW
from shakeproof.data.json_lines import SegmentRow
from shakeproof.errors import SpecError, cut, hint
from shakeproof.files import read_text, shown_path

Layout: TypeAlias = Literal["csv", "tsv"]
Cells: TypeAlias = dict[str, str]

REFERENCE = re.compile(r"reference(_\d+)?")
RATINGS = "ratings."  # followed by an aspect: the column of its ratings
CANDIDATE = "candidate"
COLUMNS = (CANDIDATE, "reference", "source", "id", "rating", "system", "group")
HEADER = re.compile(r'(?:"[^"]*"|[^"\r\n])*')  # a name in quotes may hold separators and line ends
MAX_HEADER = 100_000  # characters that are searched for separators
QUOTED = re.compile(r'"[^"]*"')
DECIMAL_COMMA = re.compile(r"[+-]?\d+,\d+")
OTHER_LAYOUTS: Mapping[Layout, tuple[tuple[str, str, Layout], ...]] = {
    "csv": (("\t", "tabs", "tsv"),),
    "tsv": ((",", "commas", "csv"), (";", "semicolons", "csv")),
}


def read_table(
    path: Path, layout: Layout, names: Mapping[str, str] | None = None
) -> list[SegmentRow]:
    """Read a table; `names` maps our names of columns to those of the table.

    Columns `reference`, `reference_2`, … are references of one segment, `ratings.fluency` and
    such are ratings by aspect. Rows belong to one segment if they share the id or, without an id
    column, source and references.
    """
    rows = table_cells(path, layout, names or {})
    return segments_of_rows((f"{shown_path(path)}:{number}", cells) for number, cells in rows)


def segments_of_rows(rows: Iterable[tuple[str, Cells]]) -> list[SegmentRow]:
    """Return the segments of rows with a candidate each; a row comes with its place in messages."""
    segments: dict[tuple[str, ...], dict[str, Any]] = {}
    for place, cells in rows:
        references = [cell for key, cell in cells.items() if REFERENCE.fullmatch(key) and cell]
        known = (cells["id"],) if cells.get("id") else (cells.get("source", ""), *references)
        key = (cells.get("group", ""), *known)
        if key not in segments:
            segments[key] = _segment(cells, references, position=len(segments) + 1)
        segments[key]["candidates"].append(_candidate(cells, place))
    return list(segments.values())


def table_cells(
    path: Path,
    layout: Layout,
    names: Mapping[str, str],
    *,
    known: Sequence[str] = COLUMNS,
    required: Sequence[str] = ("candidate",),
    other_names: Mapping[str, Sequence[str]] | None = None,
) -> Iterator[tuple[int, Cells]]:
    """Yield the number of the line and the cells of each row, by our names of columns.

    `known` are our names, of which the `required` ones must be there; where one is absent, the
    first of its `other_names` that is there is taken.
    """
    text = read_text(path, megabytes=MAX_FILE)
    reader = csv.reader(
        io.StringIO(text, newline=""),
        delimiter="\t" if layout == "tsv" else _csv_delimiter(text),
        quoting=csv.QUOTE_NONE if layout == "tsv" else csv.QUOTE_MINIMAL,
        strict=True,
    )
    try:
        columns = next(reader, [])
        names = {**_other_names(columns, names, other_names or {}), **names}
        header = _header(columns, names, layout, shown_path(path), known, required)
        values, most = 0, MAX_VALUES.value()
        for cells in reader:
            if cells:
                number = reader.line_num
                values += max(len(cells), ROW)
                if values > most:
                    raise MAX_VALUES.error(shown_path(path))
                yield number, _cells(header, cells, f"{shown_path(path)}:{number}")
    except csv.Error as error:
        raise SpecError(f"{shown_path(path)}:{reader.line_num}: broken table: {error}") from None


def _csv_delimiter(text: str) -> str:
    """Return the semicolon if only semicolons separate the names of the columns, else the comma.

    Spreadsheets write semicolons where the comma is the decimal sign.
    """
    header = HEADER.match(text[:MAX_HEADER])
    names = QUOTED.sub("", header[0]) if header else ""
    return ";" if ";" in names and "," not in names else ","


def _other_names(
    columns: Sequence[str], names: Mapping[str, str], other_names: Mapping[str, Sequence[str]]
) -> dict[str, str]:
    """Return the columns that have another name of ours, unless the user says which to take."""
    absent = [ours for ours in other_names if ours not in columns and ours not in names]
    return {
        ours: next(name for name in other_names[ours] if name in columns)
        for ours in absent
        if any(name in columns for name in other_names[ours])
    }


def _header(
    columns: list[str],
    names: Mapping[str, str],
    layout: Layout,
    shown: str,
    known: Sequence[str],
    required: Sequence[str],
) -> list[str]:
    for ours, theirs in names.items():
        if theirs not in columns:
            advice = _other_layout(columns, layout) or f"; {hint(theirs, columns)}"
            raise SpecError(f"{shown}:1: no column {theirs!r}{advice}")
        if not (ours in known or _is_numbered_or_aspect(ours)):
            raise SpecError(f"{shown}: unknown column {ours!r}; {hint(ours, known)}")
    renamed = {theirs: ours for ours, theirs in names.items()}
    header = [renamed.get(column, column) for column in columns]
    for column in required:
        if column not in header:
            there = cut(", ".join(columns)) or "none"
            advice = _other_layout(columns, layout) or (
                f"; say --column {column}=NAME; columns are: {there}"
            )
            raise SpecError(f"{shown}:1: no column {column!r}{advice}")
    return header


def _other_layout(columns: list[str], layout: Layout) -> str:
    """Return which layout to use instead, if the one column looks like a header of another."""
    for separator, name, other in OTHER_LAYOUTS[layout] if len(columns) == 1 else ():
        if separator in columns[0]:
            found = f"the header is one column, with {name} in it"
            return f": {found}; use shakeproof import {other}"
    return ""


def _ours(column: str) -> bool:
    return column in COLUMNS or _is_numbered_or_aspect(column)


def _is_numbered_or_aspect(column: str) -> bool:
    """Return whether a column has a reference, or the ratings of an aspect."""
    return REFERENCE.fullmatch(column) is not None or column.startswith(RATINGS)


def _cells(header: list[str], cells: list[str], shown: str) -> Cells:
    if len(cells) != len(header):
        raise SpecError(f"{shown}: {len(cells)} cells, but the header has {len(header)}")
    return dict(zip(header, cells, strict=True))


def _segment(cells: Cells, references: list[str], *, position: int) -> dict[str, Any]:
    row: dict[str, Any] = {"id": cells.get("id") or str(position)}
    for key in ("group", "source"):
        if cells.get(key):
            row[key] = cells[key]
    return {**row, "references": references, "candidates": []}


def _candidate(cells: Cells, shown: str) -> dict[str, Any]:
    row: dict[str, Any] = {"text": cells["candidate"]}
    if rating := cells.get("rating"):
        row["rating"] = _rating(rating, f"{shown}: rating")
    ratings = {
        column.removeprefix(RATINGS): _rating(cell, f"{shown}: {column}")
        for column, cell in cells.items()
        if column.startswith(RATINGS) and cell
    }
    if ratings:
        row["ratings"] = ratings
    if cells.get("system"):
        row["systems"] = [cells["system"]]
    return {**row, **{key: cell for key, cell in cells.items() if not _ours(key)}}


def _rating(text: str, where: str) -> float:
    """Read a rating; spreadsheets may write it with a decimal comma, which is a mistake."""
    if DECIMAL_COMMA.fullmatch(text):
        advice = f"write a decimal point, as in {text.replace(',', '.')}"
        raise SpecError(f"{where} must be a number, got {text!r}; {advice}")
    return read_number(text, where)


def read_number(text: str, where: str) -> float:
    """Read a number; `where` begins the message if it is none."""
    try:
        return float(text)
    except ValueError:
        raise SpecError(f"{where} must be a number, got {text!r}") from None
