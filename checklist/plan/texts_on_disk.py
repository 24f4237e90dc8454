"""New texts of segments that do not fit in memory, kept in a temporary file without a name."""

from __future__ import annotations

import marshal
from array import array
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from os import SEEK_END
from tempfile import TemporaryFile, gettempdir
from typing import TypeAlias, cast, overload

from shakeproof.data.lazy import BLOCK, LazySegments
from shakeproof.data.segments import Segment
from shakeproof.errors import SpecError
from shakeproof.files import reason_of

Texts: TypeAlias = tuple[str, ...]  # the new texts of a field of one segment


class _File:
    """A temporary file; it is deleted when nobody uses it any more, also if the process dies."""

    def __init__(self) -> None:
        with _errors_of_disk():
            self._stream = TemporaryFile(prefix="shakeproof-")  # noqa: SIM115  # closed below

    def __del__(self) -> None:
        if hasattr(self, "_stream"):
            self._stream.close()

    def append(self, texts: Sequence[Texts]) -> int:
        """Write texts; return the byte at which they begin."""
        with _errors_of_disk():
            start = self._stream.seek(0, SEEK_END)
            self._stream.write(marshal.dumps(list(texts)))
        return start

    def read(self, start: int) -> Sequence[Texts]:
        """Read the texts that begin at a byte."""
        with _errors_of_disk():
            self._stream.seek(start)
            return cast(Sequence[Texts], marshal.load(self._stream))


class TextsOnDisk(Sequence[Texts]):
    """The texts of one condition, written block by block; the block read last is kept."""

    def __init__(self, file: _File) -> None:
        self._file = file  # also that of other conditions
        self._length = 0
        self._starts = array("Q")  # the byte at which each block begins
        self._number = -1  # of the block that is kept
        self._block: Sequence[Texts] = ()

    def append(self, texts: Sequence[Texts]) -> None:
        """Write the next block."""
        self._starts.append(self._file.append(texts))
        self._length += len(texts)

    def __len__(self) -> int:
        return self._length

    @overload
    def __getitem__(self, index: int) -> Texts: ...

    @overload
    def __getitem__(self, index: slice) -> list[Texts]: ...

    def __getitem__(self, index: int | slice) -> Texts | list[Texts]:
        if isinstance(index, slice):
            return [self[position] for position in range(*index.indices(self._length))]
        number, offset = divmod(range(self._length)[index], BLOCK)
        if number != self._number:
            self._number, self._block = number, self._file.read(self._starts[number])
        return self._block[offset]


def texts_on_disk(
    segments: LazySegments,
    texts_of: Callable[[int, Sequence[Segment]], Sequence[Sequence[Texts]]],
) -> list[TextsOnDisk]:
    """Write the texts of all segments; `texts_of` returns those of a block, by condition."""
    file = _File()
    columns: list[TextsOnDisk] = []
    for start in range(0, max(1, len(segments)), BLOCK):
        block = segments.between(start, min(start + BLOCK, len(segments)))
        new = texts_of(start, block)
        columns = columns or [TextsOnDisk(file) for _ in new]
        for column, texts in zip(columns, new, strict=True):
            column.append(texts)
    return columns


@contextmanager
def _errors_of_disk() -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise SpecError(
            f"perturbed texts cannot be kept in {gettempdir()}: {reason_of(error)}; "
            "set TMPDIR to a folder with more room"
        ) from None
