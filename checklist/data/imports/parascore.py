"""Pickles of the ParaScore release, read without running any code in them."""

from __future__ import annotations

import io
import pickle
from pathlib import Path
from typing import Any

from shakeproof.data.copies import copy_rating, gets_copy
from shakeproof.data.json_lines import SegmentRow
from shakeproof.errors import SpecError
from shakeproof.files import read_bytes, shown_path
from shakeproof.validation import shown

REFERENCES = "source-reference.pickle"  # {source: [reference, …]}
CANDIDATES = "source-candidate.pickle"  # {source: [(candidate, rating), …]}
BLANK = " "


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
    content = read_bytes(path)
    try:
        return PlainUnpickler(io.BytesIO(content)).load()
    except Exception as error:
        raise SpecError(f"{shown_path(path)}: cannot be read as a pickle: {error}") from None


def read_release(folder: Path, *, extend: bool = False, spaced: bool = False) -> list[SegmentRow]:
    """Read a data set of the release.

    `extend` adds copies of the input, as `data.copies` says; `spaced` puts blanks between all
    characters, as the release does before it scores Chinese (BQ-Para), so that words are
    characters.
    """
    references = _mapping(folder / REFERENCES)
    candidates = _mapping(folder / CANDIDATES)
    rated = {}
    for source in references:
        if source not in candidates:
            raise SpecError(
                f"{shown_path(folder / CANDIDATES)}: no candidates for input {source!r}"
            )
        rated[source] = [_candidate(one, folder) for one in candidates[source]]
    rating = copy_rating(one["rating"] for listed in rated.values() for one in listed)
    rows = []
    for position, (source, listed) in enumerate(rated.items()):
        row = {
            "id": str(position + 1),
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


def _mapping(path: Path) -> dict[str, Any]:
    value = read_pickle(path)
    if not isinstance(value, dict) or not all(isinstance(texts, list) for texts in value.values()):
        raise SpecError(f"{shown_path(path)}: must be a mapping from inputs to lists")
    return value


def _candidate(pair: Any, folder: Path) -> dict[str, Any]:  # noqa: ANN401 - from a pickle
    try:
        text, rating = pair
        return {"text": text, "rating": float(rating)}
    except (TypeError, ValueError):
        message = f"each candidate must be a text and a rating, got {shown(pair)}"
        raise SpecError(f"{shown_path(folder / CANDIDATES)}: {message}") from None
