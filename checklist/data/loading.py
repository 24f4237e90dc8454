"""Data sets from JSON Lines: every problem is one line with the number of its line."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any, TypeAlias

from shakeproof.data.imports import json_lines
from shakeproof.data.parsing import SegmentReader, as_row
from shakeproof.data.segments import DataSet, Segment
from shakeproof.errors import SpecError, SpecErrors, hint, one_line
from shakeproof.files import decoded, read_bytes, shown_path
from shakeproof.validation import shown

# What a function may give: the path of a file, or segments, also as a file would write them.
Given: TypeAlias = str | Path | Iterable[Segment | Mapping[str, Any]]

SAMPLE = "sample"
WRITTEN = "written out"  # the name of data that a checklist holds itself
MOST = 20  # problems told at once
EXAMPLE = '{"id": "1", "references": ["…"], "candidates": [{"text": "…"}]}'


@dataclass(frozen=True, slots=True)
class Provider:
    """A function that gives data, and the folder from which it names files."""

    function: Callable[[], Given]
    folder: Path


DATA: dict[str, Provider] = {}  # what is registered, by name


def load_data(name_or_path: str, *, folder: Path, name: str = "") -> DataSet:
    """Read a data set by its name, or by a path from `folder`; all its problems are told at once.

    `sample` is the name of the shipped one; others can be registered.
    """
    if name_or_path in DATA:
        return _provided(name_or_path, DATA[name_or_path], name)
    if name_or_path == SAMPLE:
        place = files("shakeproof") / "samples" / "sample.jsonl"
        return parse_data(place.read_bytes(), "sample.jsonl", name=name or SAMPLE)
    path = folder / Path(name_or_path).expanduser()
    return parse_data(_read(path, name_or_path), shown_path(path), name=name or path.stem)


def _provided(registered: str, provider: Provider, name: str) -> DataSet:
    """Call a function for its data, which are read as if they had stood in a file."""
    try:
        given = provider.function()
        if isinstance(given, str | Path):
            path = provider.folder / given
            return parse_data(read_bytes(path), shown_path(path), name=name or registered)
        rows = [as_row(one) if isinstance(one, Segment) else dict(one) for one in given]
        content = json_lines(rows).encode()
    except SpecError:
        raise
    except Exception as error:  # whatever the user's function raises
        reason = one_line(f"{type(error).__name__}: {error}")
        raise SpecError(f"data set {registered!r} cannot be had: {reason}") from error
    return parse_data(content, registered, name=name or registered)


def written_data(rows: Iterable[Mapping[str, Any]], shown_as: str) -> DataSet:
    """Make a data set of segments that a checklist holds itself."""
    return parse_data(json_lines(map(dict, rows)).encode(), shown_as, name=WRITTEN)


def _read(path: Path, written: str) -> bytes:
    try:
        return read_bytes(path)
    except SpecError as error:
        bare = "/" not in written and "." not in written
        known = f", nor a data set of this name; {hint(written, [SAMPLE, *DATA])}" if bare else ""
        raise SpecError(f"{error}{known}") from None


def parse_data(content: bytes, shown_as: str, *, name: str) -> DataSet:
    """Make a data set of the content of a file; only a line feed ends a line."""
    rows = [
        _row(number, line)
        for number, line in enumerate(decoded(content, shown_as).split("\n"), start=1)
        if line.strip(" \t\r")
    ]
    segments = [row.segment for row in rows if row.segment is not None]
    problems = [(row.number, problem) for row in rows for problem in row.problems]
    _refuse(sorted([*problems, *_repeated(rows)]), shown_as)
    if not segments:
        raise SpecError(f"{shown_as}:1: no segments; write one JSON object per line: {EXAMPLE}")
    sha256 = hashlib.sha256(content).hexdigest()
    return DataSet(name, tuple(segments), sha256, shown_as, sum(row.surrogates for row in rows))


def _row(number: int, line: str) -> SegmentReader:
    row = SegmentReader(number)
    try:
        value = json.loads(line)
    except json.JSONDecodeError as error:
        row.problems.append(f"not JSON: {error.msg.lower()} at column {error.colno}")
        return row
    except (RecursionError, ValueError):  # ValueError: a number of thousands of digits
        row.problems.append("not JSON: nested too deeply or numbers too long")
        return row
    if isinstance(value, dict):
        row.read(value)
    else:
        row.problems.append(f"a segment must be an object, got {shown(value)}; write {EXAMPLE}")
    return row


def _repeated(rows: list[SegmentReader]) -> list[tuple[int, str]]:
    """Find ids that stand twice; a group of segments has each id once."""
    lines: dict[tuple[str, str], int] = {}
    repeated = []
    for row in rows:
        if row.key is None:
            continue
        first = lines.setdefault(row.key, row.number)
        if first != row.number:
            repeated.append((row.number, f"id {row.key[1]!r} stands on line {first} already"))
    return repeated


def _refuse(problems: list[tuple[int, str]], shown_as: str) -> None:
    if not problems:
        return
    lines = [f"{shown_as}:{number}: {one_line(problem)}" for number, problem in problems[:MOST]]
    if len(problems) > MOST:
        lines.append(f"{shown_as}:{problems[MOST][0]}: and {len(problems) - MOST} more")
    raise SpecErrors(lines)
