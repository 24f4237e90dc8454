"""Data that are already in memory: pandas frames, Hugging Face data sets, lists of mappings.

Libraries are recognised by the methods of their objects, so none of them is imported.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from itertools import chain
from math import isnan
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import Any, TypeAlias
from weakref import finalize

from shakeproof.data.imports.tables import CANDIDATE, RATINGS, segments_of_rows
from shakeproof.data.json_lines import SegmentRow, json_lines
from shakeproof.data.large_files import IN_MEMORY, read_large_file
from shakeproof.data.loading import parse_data
from shakeproof.data.segments import DataSet
from shakeproof.errors import DataErrors, SpecError, cut, one_line
from shakeproof.files import MB, shown_path
from shakeproof.validation import shown

Table: TypeAlias = Any  # a frame, a data set of Hugging Face, or rows as mappings

CANDIDATES = "candidates"
REFERENCES = "references"
MISSING = ("NAType", "NaTType")  # of pandas
LAYOUTS = (
    f"a table has a column {CANDIDATES!r} (a row for each segment, as in a data file) "
    f"or {CANDIDATE!r} (a row for each candidate)"
)


def table_data(table: Table, name: str) -> DataSet:
    """Make a data set of a table; all problems are raised at once, with the numbers of their rows.

    What is too large to be kept as segments is written to a temporary file and read in blocks.
    """
    file = f"data[{name!r}]"
    unit, rows = segment_rows(table, file)
    lines = (json_lines([row]).encode() for row in rows)
    read: list[bytes] = []
    size, most = 0, IN_MEMORY.value() * MB
    for line in lines:
        read.append(line)
        size += len(line)
        if size > most:
            return _on_disk(chain(read, lines), name, f"{file}, {unit}")
    with _row_numbers(file, f"{file}, {unit}"):
        return parse_data(b"".join(read), file, name=name)


def segment_rows(table: Table, file: str) -> tuple[str, Iterator[SegmentRow]]:
    """Return the segments of a table as in a data file, and what is counted: rows or segments."""
    rows = _rows(table, file)
    first = next(rows, None)
    if first is None:
        raise SpecError(f"{file}: the table has no rows")
    rows = chain([first], rows)
    if CANDIDATES in first:
        return "row", map(_without_missing, rows)
    if CANDIDATE in first:
        cells = ((f"{file}, row {n}", _cells(row)) for n, row in enumerate(rows, start=1))
        return "segment", iter(segments_of_rows(cells))
    there = cut(", ".join(map(str, first))) or "none"
    raise SpecError(f"{file}: {LAYOUTS}; columns are: {there}")


def _rows(table: Table, file: str) -> Iterator[SegmentRow]:
    """Yield the rows of a table with plain values."""
    for number, row in enumerate(_mappings(table, file), start=1):
        if not isinstance(row, Mapping):
            raise SpecError(f"{file}, row {number}: a row must be a mapping, got {shown(row)}")
        try:
            values = {str(name): _plain(cell) for name, cell in row.items()}
        except (TypeError, RecursionError) as error:
            message = f"{file}, row {number}: cannot be read: {one_line(str(error))}"
            raise DataErrors([message], [f"{file}, row {number}"]) from None
        yield values


def _mappings(table: Table, file: str) -> Iterator[object]:
    if hasattr(table, "itertuples") and hasattr(table, "columns"):  # pandas
        columns = list(map(str, table.columns))
        yield from (
            dict(zip(columns, cells, strict=True))
            for cells in table.itertuples(index=False, name=None)
        )
    elif hasattr(table, "iter_rows"):  # polars
        yield from table.iter_rows(named=True)
    elif isinstance(table, Mapping):  # the splits of a Hugging Face data set
        splits = ", ".join(map(repr, table))
        raise SpecError(f"{file}: a mapping is no table; pass one of its values: {splits}")
    elif isinstance(table, Iterable) and not isinstance(table, str | bytes):
        yield from table
    else:
        raise SpecError(f"{file}: {LAYOUTS}, got {type(table).__name__}")


def _plain(value: Any) -> Any:  # noqa: ANN401 - whatever a cell has
    """Return a value as JSON has it; keys without a value are left out, as in a data file."""
    if value is None or isinstance(value, str | bool | int):
        return value
    if isinstance(value, float):
        return None if isnan(value) else float(value)
    if isinstance(value, Mapping):
        return _without_missing({str(key): _plain(entry) for key, entry in value.items()})
    if isinstance(value, list | tuple):
        return [_plain(entry) for entry in value]
    if type(value).__name__ in MISSING:
        return None
    if hasattr(value, "tolist"):  # arrays and numbers of NumPy
        return _plain(value.tolist())
    if hasattr(value, "isoformat"):  # dates
        return value.isoformat()
    raise TypeError(f"{type(value).__name__} is neither a text nor a number, list or mapping")


def _without_missing(row: SegmentRow) -> SegmentRow:
    return {key: value for key, value in row.items() if value is not None}


def _cells(row: SegmentRow) -> dict[str, str]:
    """Return a row as the cells of a CSV file, which has the same columns."""
    references = row.pop(REFERENCES, None) or ()
    texts = [references] if isinstance(references, str) else references
    row |= {f"reference_{number}": text for number, text in enumerate(texts, start=2)}
    if isinstance(row.get("ratings"), Mapping):
        row |= {f"{RATINGS}{aspect}": rating for aspect, rating in row.pop("ratings").items()}
    cells = {**_without_missing(row), CANDIDATE: row[CANDIDATE] or ""}
    return {
        name: cell if isinstance(cell, str) else json.dumps(cell) for name, cell in cells.items()
    }


def _on_disk(lines: Iterable[bytes], name: str, places: str) -> DataSet:
    """Write a data set to a temporary file, which is deleted when nobody uses it any more."""
    with NamedTemporaryFile(prefix="shakeproof-", suffix=".jsonl", delete=False) as stream:
        path = Path(stream.name)
        try:
            stream.writelines(lines)
            stream.flush()
            with _row_numbers(shown_path(path), places):
                data_set = read_large_file(path, name=name)
        except BaseException:
            path.unlink(missing_ok=True)
            raise
    finalize(data_set.segments, path.unlink, missing_ok=True)
    return data_set


@contextmanager
def _row_numbers(file: str, places: str) -> Iterator[None]:
    """Name rows of a table in messages that name lines of a file."""

    def renamed(text: str) -> str:
        text = re.sub(rf"^{re.escape(file)}:(\d+)", lambda found: f"{places} {found[1]}", text)
        return text.replace("the first is on line ", "the first is number ")

    try:
        yield
    except DataErrors as errors:
        where = (line.partition(": ")[0] for line in errors.lines)
        raise DataErrors(map(renamed, errors.lines), map(renamed, where)) from None
