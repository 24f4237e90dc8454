"""Data files that do not fit in memory: checked line by line once, then read again in blocks."""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from hashlib import sha256
from itertools import count
from pathlib import Path
from stat import S_ISREG
from typing import BinaryIO, TypeAlias

import numpy as np
from numpy.typing import NDArray

from shakeproof.data.json_lines import SegmentReader
from shakeproof.data.lazy import LazySegments
from shakeproof.data.lines import (
    MAX_LINE,
    MAX_REPORTED,
    duplicate_id,
    is_blank,
    no_segments,
    raise_problems,
    read_line,
)
from shakeproof.data.segments import DataSet, Segment
from shakeproof.errors import SpecError
from shakeproof.files import MB, Limit, decode_utf8, reason_of, shown_path

Part: TypeAlias = tuple[int, int]  # the K-th of N equal parts, K from 1

WHOLE: Part = (1, 1)
BYTE_ORDER_MARK = b"\xef\xbb\xbf"
CHUNK = 1 << 20  # bytes read at once to count lines
MAX_BYTES = 4  # of a character in UTF-8
# Files up to this size are read into memory.
IN_MEMORY = Limit("SHAKEPROOF_IN_MEMORY_MB", 64, "MB")


def is_large(path: Path) -> bool:
    """Return whether a file is too large to be read into memory."""
    try:
        state = path.stat()
    except (OSError, ValueError):  # reading it says why
        return False
    return S_ISREG(state.st_mode) and state.st_size > IN_MEMORY.value() * MB


def read_large_file(path: Path, *, name: str, part: Part = WHOLE) -> DataSet:
    """Check every line of a file, or of a part of it, and return its segments without texts.

    A segment is read again whenever it is asked for. Ids are compared within the part only.
    """
    file = LargeFile(path, _state(path))
    lines = file.scan(part)
    return DataSet(
        name=name,
        segments=file.segments(lines),
        sha256=lines.sha256,
        path=shown_path(path),
        surrogates=lines.surrogates,
    )


@dataclass(slots=True)
class Lines:
    """Where the segments of a file are, and what is wrong with them."""

    first: int  # the byte at which the first line begins
    starts: array[int] = field(default_factory=lambda: array("Q"))  # the byte of each segment
    numbers: array[int] = field(default_factory=lambda: array("Q"))  # of the lines, from 0
    hashes: array[int] = field(default_factory=lambda: array("q"))  # of group and id
    problems: list[tuple[int, str]] = field(default_factory=list)  # the first ones, by line
    more: int = 0  # further problems
    surrogates: int = 0
    sha256: str = ""
    end: int = 0  # the byte after the last line

    def add(self, start: int, reader: SegmentReader) -> None:
        """Note where a segment is; its texts are not kept."""
        room = max(0, MAX_REPORTED + 1 - len(self.problems))
        self.problems += [(reader.number, problem) for problem in reader.problems[:room]]
        self.more += len(reader.problems[room:])
        if reader.segment is not None:
            self.surrogates += reader.surrogates
            self.starts.append(start)
            self.numbers.append(reader.number)
            self.hashes.append(hash(reader.key) if reader.key else -len(self.starts))


@dataclass(frozen=True, slots=True)
class LargeFile:
    """A file that must stay as it was when it was checked."""

    path: Path
    state: tuple[int, int]  # its size, and when it was changed

    def scan(self, part: Part) -> Lines:
        """Read all lines of a part once; raise what is wrong with them."""
        with self._open() as stream:
            lines = Lines(_first_byte(stream, self.state[0], part))
            digest, end = sha256(), self.state[0] * part[0] // part[1]
            for number, start, raw in _raw_lines(stream, end):
                digest.update(raw)
                lines.end = start + len(raw)
                text = self._decoded(raw, lines, number)
                if not is_blank(text):
                    lines.add(start, read_line(number, text))
        lines.sha256 = digest.hexdigest()
        self._raise_problems(lines)
        return lines

    def segments(self, lines: Lines) -> LazySegments:
        """Return the segments, which are read when they are asked for."""
        starts = np.append(np.array(lines.starts, np.uint64), np.uint64(lines.end))
        return LazySegments(len(lines.starts), lambda start, stop: self._read(starts, start, stop))

    def _read(self, starts: NDArray[np.uint64], start: int, stop: int) -> list[Segment]:
        """Read the segments between two positions again."""
        if start >= stop:
            return []
        first, end = int(starts[start]), int(starts[stop])
        with self._open() as stream:
            stream.seek(first)
            content = stream.read(end - first)
        texts = decode_utf8(content, shown_path(self.path)).split("\n")
        readers = (read_line(0, text) for text in texts if not is_blank(text))
        return [reader.segment for reader in readers if reader.segment is not None]

    @contextmanager
    def _open(self) -> Iterator[BinaryIO]:
        """Open the file; if it changed since it was checked, positions and problems are others."""
        try:
            with self.path.open("rb") as stream:
                yield stream
        except OSError as error:
            raise SpecError(
                f"{shown_path(self.path)}: cannot be read: {reason_of(error)}"
            ) from None
        if _state(self.path) != self.state:
            raise SpecError(f"{shown_path(self.path)}: the file changed during the run; run again")

    def _decoded(self, raw: bytes, lines: Lines, number: int) -> str:
        try:
            return (raw if lines.first or number else raw.removeprefix(BYTE_ORDER_MARK)).decode()
        except UnicodeDecodeError:
            before = self._lines_before(lines.first) + number
            return decode_utf8(raw, shown_path(self.path), lines_before=before)  # raises

    def _raise_problems(self, lines: Lines) -> None:
        """Raise what is wrong, with the numbers that the lines have in the whole file."""
        file, duplicates = shown_path(self.path), self._duplicates(lines)
        if not (lines.problems or len(duplicates)):
            if not lines.starts:
                raise no_segments(file)
            return
        before = self._lines_before(lines.first) + 1
        problems = [(before + number, text) for number, text in lines.problems]
        more = lines.more + len(duplicates[MAX_REPORTED + 1 :])
        for first, second in duplicates[: MAX_REPORTED + 1].tolist():
            one, other = (self._key(lines, position) for position in (first, second))
            if one == other:  # and not only their hashes
                text = duplicate_id(one[1], before + lines.numbers[first])
                problems.append((before + lines.numbers[second], text))
        raise_problems(sorted(problems), file, more=more)

    def _duplicates(self, lines: Lines) -> NDArray[np.int64]:
        """Return the segments whose id has the hash of an earlier one: rows (first, later)."""
        hashes = np.frombuffer(lines.hashes, np.int64) if lines.hashes else np.empty(0, np.int64)
        order = np.argsort(hashes, kind="stable")
        new = np.diff(hashes[order], prepend=hashes[order][:1] - 1) != 0
        first = order[np.flatnonzero(new)][np.cumsum(new) - 1] if len(order) else order
        pairs = np.stack([first, order], axis=1)[~new]
        ordered: NDArray[np.int64] = pairs[np.argsort(pairs[:, 1])]
        return ordered

    def _key(self, lines: Lines, position: int) -> tuple[str, str]:
        (segment,) = self.segments(lines).between(position, position + 1)
        return segment.group, segment.id

    def _lines_before(self, first: int) -> int:
        """Count the lines before a byte, without reading what they say."""
        count = 0
        with self._open() as stream:
            while first > 0 and (content := stream.read(min(CHUNK, first))):
                count += content.count(b"\n")
                first -= len(content)
        return count


def _state(path: Path) -> tuple[int, int]:
    try:
        state = path.stat()
    except OSError as error:
        raise SpecError(f"{shown_path(path)}: cannot be read: {reason_of(error)}") from None
    return state.st_size, state.st_mtime_ns


def _first_byte(stream: BinaryIO, size: int, part: Part) -> int:
    """Go to the first line that begins in a part of the file."""
    first = size * (part[0] - 1) // part[1]
    if first:
        stream.seek(first - 1)
        while not (content := stream.readline(CHUNK)).endswith(b"\n") and content:
            pass
    return stream.tell()


def _raw_lines(stream: BinaryIO, end: int) -> Iterator[tuple[int, int, bytes]]:
    """Yield the lines that begin before a byte: number from 0, first byte, content.

    No more of a line is read than is needed to say that it is too long.
    """
    start, most = stream.tell(), MAX_LINE.value() * MB * MAX_BYTES + MAX_BYTES
    for number in count():
        if start >= end or not (raw := stream.readline(most)):
            return
        yield number, start, raw
        start += len(raw)
        while not raw.endswith(b"\n") and (raw := stream.readline(CHUNK)):
            start += len(raw)
