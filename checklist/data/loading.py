"""Data sets from JSON Lines; every problem is reported with the number of its line."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, TypeAlias

from shakeproof.data.json_lines import SegmentReader, json_lines, segment_row
from shakeproof.data.large_files import WHOLE, Part, is_large, read_large_file
from shakeproof.data.lines import duplicate_id, is_blank, no_segments, raise_problems, read_line
from shakeproof.data.named import NAMED_DATA
from shakeproof.data.segments import DataSet, Segment
from shakeproof.errors import DataErrors, SpecError, one_line, suggestion
from shakeproof.files import decode_utf8, expand_home, read_bytes, shown_path
from shakeproof.metrics.files import is_there

# What a registered function may return: the path of a file, or segments, also as rows of a file.
Given: TypeAlias = str | Path | Iterable[Segment | Mapping[str, Any]]

WRITTEN = "written out"  # the name of data that are written in the checklist itself


@dataclass(frozen=True, slots=True)
class Provider:
    """A registered function that returns data; a path it returns is relative to `folder`."""

    function: Callable[[], Given]
    folder: Path


LIST = "shakeproof list data and shakeproof data list show the names"
DATA: dict[str, Provider] = {}  # registered data sets, by name


def load_data(name_or_path: str, *, folder: Path, name: str = "", part: Part = WHOLE) -> DataSet:
    """Read a data set by its name, or by a path from `folder`; all problems are raised at once.

    Names are those of NAMED_DATA, and those that were registered. Of a large file only `part` is
    read.
    """
    if name_or_path in DATA:
        return _call_provider(name_or_path, DATA[name_or_path], name)
    if name_or_path in NAMED_DATA:
        named = NAMED_DATA[name_or_path]
        data = parse_data(named.read(folder), name_or_path, name=name or name_or_path)
        return replace(data, licence=named.licence, citation=named.citation)
    path = folder / expand_home(name_or_path)
    try:
        return read_file(path, name=name or path.stem, part=part)
    except DataErrors:
        raise
    except SpecError as error:
        if is_there(path):
            raise
        bare = "/" not in name_or_path and "." not in name_or_path
        likely = suggestion(name_or_path, sorted([*NAMED_DATA, *DATA])) or LIST
        other = f", nor a data set of this name; {likely}" if bare else ""
        raise SpecError(f"{error}{other}") from None


def is_data_name(name_or_path: str) -> bool:
    """Return whether data have a name: one of NAMED_DATA, or one that was registered."""
    return name_or_path in DATA or name_or_path in NAMED_DATA


def is_large_data(name_or_path: str, *, folder: Path) -> bool:
    """Return whether data are a file that is too large to be read into memory."""
    return not is_data_name(name_or_path) and is_large(folder / expand_home(name_or_path))


def read_file(path: Path, *, name: str, part: Part = WHOLE) -> DataSet:
    """Read a data set from a file; a large one is not kept in memory."""
    if is_large(path):
        return read_large_file(path, name=name, part=part)
    return parse_data(read_bytes(path), shown_path(path), name=name)


def _call_provider(registered: str, provider: Provider, name: str) -> DataSet:
    """Call a function for its data, and read them as if they were in a file."""
    try:
        given = provider.function()
        if isinstance(given, str | Path):
            return read_file(provider.folder / given, name=name or registered)
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
    readers = [read_line(number, line) for number, line in lines if not is_blank(line)]
    problems = [(reader.number, problem) for reader in readers for problem in reader.problems]
    raise_problems(sorted([*problems, *_duplicate_ids(readers)]), file)
    segments = tuple(reader.segment for reader in readers if reader.segment is not None)
    if not segments:
        raise no_segments(file)
    return DataSet(
        name=name,
        segments=segments,
        sha256=hashlib.sha256(content).hexdigest(),
        path=file,
        surrogates=sum(reader.surrogates for reader in readers),
    )


def _duplicate_ids(readers: list[SegmentReader]) -> list[tuple[int, str]]:
    """Return the lines whose id is used before; ids are unique within a group of segments."""
    lines: dict[tuple[str, str], int] = {}
    duplicates = []
    for reader in readers:
        if reader.key is None:
            continue
        first = lines.setdefault(reader.key, reader.number)
        if first != reader.number:
            duplicates.append((reader.number, duplicate_id(reader.key[1], first)))
    return duplicates
