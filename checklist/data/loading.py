"""Data sets from JSON Lines; every problem is reported with the number of its line."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, TypeAlias

from shakeproof.data.json_lines import SegmentReader, json_lines, segment_row
from shakeproof.data.named import NAMED_DATA
from shakeproof.data.segments import DataSet, Segment
from shakeproof.errors import DataErrors, SpecError, hint, one_line
from shakeproof.files import MB, Limit, decode_utf8, read_bytes, shown_path
from shakeproof.validation import shown

# What a registered function may return: the path of a file, or segments, also as rows of a file.
Given: TypeAlias = str | Path | Iterable[Segment | Mapping[str, Any]]

WRITTEN = "written out"  # the name of data that are written in the checklist itself
MAX_REPORTED = 20
MAX_LINE = Limit("SHAKEPROOF_MAX_LINE_MB", 5, "MB")  # a file may have any number of lines
EXAMPLE = '{"id": "1", "references": ["…"], "candidates": [{"text": "…"}]}'


@dataclass(frozen=True, slots=True)
class Provider:
    """A registered function that returns data; a path it returns is relative to `folder`."""

    function: Callable[[], Given]
    folder: Path


DATA: dict[str, Provider] = {}  # registered data sets, by name


def load_data(name_or_path: str, *, folder: Path, name: str = "") -> DataSet:
    """Read a data set by its name, or by a path from `folder`; all problems are raised at once.

    Names are those of NAMED_DATA, and those that were registered.
    """
    if name_or_path in DATA:
        return _call_provider(name_or_path, DATA[name_or_path], name)
    if name_or_path in NAMED_DATA:
        named = NAMED_DATA[name_or_path]
        data = parse_data(named.read(folder), name_or_path, name=name or name_or_path)
        return replace(data, licence=named.licence, citation=named.citation)
    path = folder / Path(name_or_path).expanduser()
    try:
        content = read_bytes(path)
    except SpecError as error:
        bare = "/" not in name_or_path and "." not in name_or_path
        likely = hint(name_or_path, [*NAMED_DATA, *DATA])
        other = f", nor a data set of this name; {likely}" if bare else ""
        raise SpecError(f"{error}{other}") from None
    return parse_data(content, shown_path(path), name=name or path.stem)


def _call_provider(registered: str, provider: Provider, name: str) -> DataSet:
    """Call a function for its data, and read them as if they were in a file."""
    try:
        given = provider.function()
        if isinstance(given, str | Path):
            path = provider.folder / given
            return parse_data(read_bytes(path), shown_path(path), name=name or registered)
        rows = [segment_row(row) if isinstance(row, Segment) else dict(row) for row in given]
        content = json_lines(rows).encode()
    except SpecError:
        raise
    except Exception as error:  # whatever the user's function raises
        reason = one_line(f"{type(error).__name__}: {error}")
        message = f"data set {registered!r} cannot be loaded: {reason}"
        raise DataErrors([message], [f"data set {registered!r}"]) from error
    return parse_data(content, registered, name=name or registered)


def written_data(rows: Iterable[Mapping[str, Any]], file: str) -> DataSet:
    """Make a data set of segments that are written in a checklist."""
    return parse_data(json_lines(map(dict, rows)).encode(), file, name=WRITTEN)


def parse_data(content: bytes, file: str, *, name: str) -> DataSet:
    """Make a data set of the content of a file; only a line feed ends a line."""
    lines = enumerate(decode_utf8(content, file).split("\n"), start=1)
    readers = [_read_line(number, line) for number, line in lines if line.strip(" \t\r")]
    problems = [(reader.number, problem) for reader in readers for problem in reader.problems]
    _raise_problems(sorted([*problems, *_duplicate_ids(readers)]), file)
    segments = tuple(reader.segment for reader in readers if reader.segment is not None)
    if not segments:
        raise SpecError(f"{file}:1: no segments; write one JSON object per line: {EXAMPLE}")
    return DataSet(
        name=name,
        segments=segments,
        sha256=hashlib.sha256(content).hexdigest(),
        path=file,
        surrogates=sum(reader.surrogates for reader in readers),
    )


def _read_line(number: int, line: str) -> SegmentReader:
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


def _duplicate_ids(readers: list[SegmentReader]) -> list[tuple[int, str]]:
    """Return the lines whose id is used before; ids are unique within a group of segments."""
    lines: dict[tuple[str, str], int] = {}
    duplicates = []
    for reader in readers:
        if reader.key is None:
            continue
        first = lines.setdefault(reader.key, reader.number)
        if first != reader.number:
            message = f"duplicate id {reader.key[1]!r}; the first is on line {first}"
            duplicates.append((reader.number, message))
    return duplicates


def _raise_problems(problems: list[tuple[int, str]], file: str) -> None:
    lines = [f"{file}:{number}: {one_line(text)}" for number, text in problems[:MAX_REPORTED]]
    if len(problems) > MAX_REPORTED:
        more = len(problems) - MAX_REPORTED
        lines.append(f"{file}:{problems[MAX_REPORTED][0]}: and {more} more")
    if lines:
        raise DataErrors(lines, [f"{file}:{number}" for number, _ in problems[:MAX_REPORTED]])
