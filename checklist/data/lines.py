"""One line of a data file, read as a segment; problems are told with the number of their line."""

from __future__ import annotations

import json

from shakeproof.data.json_lines import SegmentReader
from shakeproof.errors import DataErrors, SpecError, one_line
from shakeproof.files import MB, Limit
from shakeproof.validation import shown

MAX_REPORTED = 20
MAX_LINE = Limit("SHAKEPROOF_MAX_LINE_MB", 5, "MB")  # a file may have any number of lines
EXAMPLE = '{"id": "1", "references": ["…"], "candidates": [{"text": "…"}]}'


def is_blank(line: str) -> bool:
    """Return whether a line has nothing to read."""
    return not line.strip(" \t\r\n")


def read_line(number: int, line: str) -> SegmentReader:
    """Read the segment on a line; the reader has it, and all that is wrong with it."""
    reader = SegmentReader(number)
    if len(line) > MAX_LINE.default * MB and len(line) > MAX_LINE.value() * MB:
        reader.problems.append(str(MAX_LINE.error("the line is too long")))
        return reader
    try:
        row = json.loads(line)
    except json.JSONDecodeError as error:
        reader.problems.append(f"not JSON: {error.msg.lower()} at column {error.colno}")
        return reader
    except (RecursionError, ValueError):  # ValueError: a number of thousands of digits
        reader.problems.append("not JSON: nested too deeply or numbers too long")
        return reader
    if isinstance(row, dict):
        reader.read(row)
    else:
        reader.problems.append(f"a segment must be an object, got {shown(row)}; write {EXAMPLE}")
    return reader


def duplicate_id(identity: str, first: int) -> str:
    """Write that an id is used on an earlier line."""
    return f"duplicate id {identity!r}; the first is on line {first}"


def no_segments(file: str) -> SpecError:
    """Return the error of a file without segments."""
    return SpecError(f"{file}:1: no segments; write one JSON object per line: {EXAMPLE}")


def raise_problems(problems: list[tuple[int, str]], file: str, *, more: int = 0) -> None:
    """Raise the first problems by line, if there are any; `more` are known by their number only."""
    lines = [f"{file}:{number}: {one_line(text)}" for number, text in problems[:MAX_REPORTED]]
    if len(problems) > MAX_REPORTED:
        more += len(problems) - MAX_REPORTED
        lines.append(f"{file}:{problems[MAX_REPORTED][0]}: and {more} more")
    if lines:
        raise DataErrors(lines, [f"{file}:{number}" for number, _ in problems[:MAX_REPORTED]])
