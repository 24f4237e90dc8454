"""Pickles of the ParaScore release, read without running any code in them."""

from __future__ import annotations

import io
import pickle
import pickletools
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from shakeproof.data.copies import copy_rating, gets_copy
from shakeproof.data.imports.limits import MAX_FILE, MAX_VALUES, ROW, limit_values
from shakeproof.data.json_lines import SegmentRow
from shakeproof.errors import SpecError
from shakeproof.files import read_bytes, shown_path
from shakeproof.validation import shown

REFERENCES = "source-reference.pickle"  # {source: (reference, rating)}, or a list of texts
CANDIDATES = "source-candidate.pickle"  # {source: [(candidate, rating), …]}
BLANK = " "
PUT = ("PUT", "BINPUT", "LONG_BINPUT", "MEMOIZE")
GET = ("GET", "BINGET", "LONG_BINGET")
UNUSUAL = ("DUP", "POP", "POP_MARK")  # Python writes none of them for plain values
CHARACTERS = 10  # of a text that count as a value


class PlainUnpickler(pickle.Unpickler):
    """Builds nothing but plain containers and values: it never looks up a class."""

    def find_class(self, module: str, name: str) -> Any:  # noqa: ANN401 - as pickle has it
        """Refuse every class and function."""
        raise pickle.UnpicklingError(f"names {module}.{name}; only plain containers are read")

    def persistent_load(self, pid: object) -> Any:  # noqa: ANN401 - as pickle has it
        """Refuse references to objects outside the pickle."""
        raise pickle.UnpicklingError("refers to other files; only plain containers are read")


def read_pickle(path: Path) -> Any:  # noqa: ANN401 - whatever plain value it holds
    """Read a pickle that holds nothing but plain containers."""
    content = read_bytes(path, megabytes=MAX_FILE)
    try:
        _check_operations(content, shown_path(path))
        return PlainUnpickler(io.BytesIO(content)).load()
    except SpecError:
        raise
    except Exception as error:
        raise SpecError(f"{shown_path(path)}: cannot be read as a pickle: {error}") from None


def _check_operations(content: bytes, shown: str) -> None:
    """Refuse what would take much more memory or time than the pickle is long.

    These are very many containers; numbers of values that are far apart; and tuples that hold one
    tuple twice, again and again, whose hash takes for ever.
    """
    most = MAX_VALUES.value()
    memo: dict[Any, str] = {}  # the operation that made each numbered value
    before = ""
    for count, (operation, argument, _) in enumerate(pickletools.genops(content)):
        name = operation.name
        if count > most:
            raise MAX_VALUES.error(shown)
        if name in UNUSUAL or (name in GET and memo.get(argument, "").startswith("TUPLE")):
            raise pickle.UnpicklingError("repeats a tuple; only plain containers are read")
        if name in PUT:
            index = len(memo) if argument is None else argument
            memo[index] = before
            if index > count:
                raise pickle.UnpicklingError("numbers its values in an unusual way")
        else:
            before = name


def read_release(folder: Path, *, extend: bool = False, spaced: bool = False) -> list[SegmentRow]:
    """Read a data set of the release.

    `extend` adds copies of the input, as `data.copies` says; `spaced` puts blanks between all
    characters, as the release does before it scores Chinese (BQ-Para), so that words are
    characters.
    """
    references = {
        source: [value[0]] if isinstance(value, tuple) and value else value
        for source, value in _mapping(folder / REFERENCES, (list, tuple)).items()
    }
    candidates = _mapping(folder / CANDIDATES)
    limit_values(_sizes(references, candidates), shown_path(folder))
    rated = {}
    for source in references:
        if source not in candidates:
            raise SpecError(
                f"{shown_path(folder / CANDIDATES)}: no candidates for input {source!r}"
            )
        for reference in references[source]:
            _check_text(reference, folder / REFERENCES)
        rated[source] = [_candidate(one, folder) for one in candidates[source]]
    rating = copy_rating(one["rating"] for listed in rated.values() for one in listed)
    rows = []
    for position, (source, listed) in enumerate(rated.items()):
        row = {
            "id": str(position),
            "source": source,
            "references": list(references[source]),
            "candidates": listed,
        }
        if extend and gets_copy(position):
            row["candidates"] = [*listed, {"text": source, "rating": rating}]
        rows.append(_spaced(row) if spaced else row)
    return rows


def _spaced(row: SegmentRow) -> SegmentRow:
    """Put spaces between the characters of all texts; loading refuses what is not a text."""

    def spaced(value: Any) -> Any:  # noqa: ANN401 - from a pickle
        return " ".join(value) if isinstance(value, str) else value

    return {
        **row,
        "source": spaced(row["source"]),
        "references": [spaced(text) for text in row["references"]],
        "candidates": [
            {**candidate, "text": spaced(candidate["text"])} for candidate in row["candidates"]
        ],
    }


def _sizes(*mappings: Mapping[str, list[Any]]) -> Iterator[int]:
    """Yield what each text counts as; a pickle may hold a text once and name it often."""
    for mapping in mappings:
        for listed in mapping.values():
            for entry in listed:
                texts = entry if isinstance(entry, tuple) else (entry,)
                characters = sum(len(text) for text in texts if isinstance(text, str))
                yield ROW + characters // CHARACTERS


def _mapping(path: Path, kinds: tuple[type, ...] = (list,)) -> dict[str, Any]:
    value = read_pickle(path)
    if not isinstance(value, dict) or not all(isinstance(texts, kinds) for texts in value.values()):
        raise SpecError(f"{shown_path(path)}: must be a mapping from inputs to lists")
    for source in value:
        _check_text(source, path)
    return value


def _check_text(value: object, path: Path) -> None:
    if not isinstance(value, str):
        raise SpecError(f"{shown_path(path)}: must hold texts, got {shown(value)}")


def _candidate(pair: Any, folder: Path) -> dict[str, Any]:  # noqa: ANN401 - from a pickle
    try:
        text, rating = pair
        _check_text(text, folder / CANDIDATES)
        return {"text": text, "rating": float(rating)}
    except (TypeError, ValueError, OverflowError):
        message = f"each candidate must be a text and a rating, got {shown(pair)}"
        raise SpecError(f"{shown_path(folder / CANDIDATES)}: {message}") from None
