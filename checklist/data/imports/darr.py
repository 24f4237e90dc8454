"""Preferences of the WMT metrics tasks: direct assessment turned into relative rank (DARR)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from io import BytesIO
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

from shakeproof.data.imports.limits import MAX_VALUES, limit_sizes, limit_values, text_lines
from shakeproof.data.json_lines import SegmentRow
from shakeproof.errors import SpecError, hint
from shakeproof.files import Limit, read_bytes, shown_path
from shakeproof.validation import shown

MAX_FILE = Limit("SHAKEPROOF_MAX_DARR_MB", 40, "MB")  # a year of all language pairs has 30
JUDGEMENT = 5  # values that a line counts as
SEGMENT = re.compile("[0-9]{1,9}")
COLUMNS = 5  # LP DATA SID BETTER WORSE, separated by any white space


class Judgement(NamedTuple):
    """One line: for a segment, the output of one system is better than that of another."""

    test_set: str
    segment: int  # counted from 1
    better: str
    worse: str


def read_darr(
    path: Path, pair: str, *, outputs: Path, references: Path, sources: Path | None = None
) -> list[SegmentRow]:
    """Read the preferences of a language pair with the texts they are about.

    Systems with the same output for a segment share a candidate, and pairs count as often as
    they occur; a pair of equal outputs is left out.
    """
    judgements = list(islice(_judgements(path, pair), MAX_VALUES.value() // JUDGEMENT + 1))
    limit_values([JUDGEMENT * len(judgements)], shown_path(path))
    systems = {
        name: judgement.test_set
        for judgement in judgements
        for name in (judgement.better, judgement.worse)
    }
    files = {name: _output(outputs, name, data, pair) for name, data in systems.items()}
    limit_sizes(files.values(), shown_path(outputs))
    texts = {name: text_lines(path) for name, path in files.items()}
    lines = text_lines(references)
    inputs = text_lines(sources) if sources is not None else None
    _check_lengths({**texts, "the references": lines, "the sources": inputs or lines})
    rows = [_row(at, reference, inputs) for at, reference in enumerate(lines)]
    for judgement in judgements:
        if not 1 <= judgement.segment <= len(rows):
            raise SpecError(f"{shown_path(path)}: no segment {judgement.segment} in {pair}")
        _add(rows[judgement.segment - 1], judgement, texts)
    return rows


def _judgements(path: Path, pair: str) -> Iterator[Judgement]:
    pairs = set()
    content = BytesIO(read_bytes(path, megabytes=MAX_FILE))
    for number, line in enumerate(content, start=1):
        cells = line.decode("utf-8-sig", "replace").split()
        if number == 1 and "BETTER" in cells:
            continue  # the header, which lacks a name in one year
        if len(cells) != COLUMNS or not SEGMENT.fullmatch(cells[2]):
            wrong = shown(" ".join(cells))
            raise SpecError(
                f"{shown_path(path)}:{number}: must be LP DATA SID BETTER WORSE, got {wrong}"
            )
        pairs.add(cells[0])
        if cells[0] == pair:
            yield Judgement(cells[1], int(cells[2]), cells[3], cells[4])
    if pair not in pairs:
        raise SpecError(f"{shown_path(path)}: no preferences for {pair!r}; {hint(pair, pairs)}")


def _output(folder: Path, system: str, test_set: str, pair: str) -> Path:
    names = (f"{test_set}.{system}.{pair}", f"{test_set}.{system}", f"{system}.txt", system)
    for name in names:
        if (folder / name).is_file():
            return folder / name
    raise SpecError(f"{shown_path(folder)}: no output of {system!r}, such as {names[0]}")


def _check_lengths(texts: dict[str, list[str]]) -> None:
    wanted = len(texts["the references"])
    for name, lines in texts.items():
        if len(lines) != wanted:
            raise SpecError(f"{name}: {len(lines)} lines, but the references have {wanted}")


def _row(at: int, reference: str, inputs: list[str] | None) -> dict[str, Any]:
    row: dict[str, Any] = {"id": str(at + 1)}
    if inputs is not None:
        row["source"] = inputs[at]
    return {**row, "references": [reference], "candidates": [], "preferences": []}


def _add(row: dict[str, Any], judgement: Judgement, texts: dict[str, list[str]]) -> None:
    at = judgement.segment - 1
    better, worse = (
        _position(row["candidates"], texts[system][at], system)
        for system in (judgement.better, judgement.worse)
    )
    if better != worse:
        row["preferences"].append([better, worse])


def _position(candidates: list[dict[str, Any]], text: str, system: str) -> int:
    """Return the position of the candidate with this text, with `system` added; make it if new."""
    for position, candidate in enumerate(candidates):
        if candidate["text"] == text:
            if system not in candidate["systems"]:
                candidate["systems"].append(system)
            return position
    candidates.append({"text": text, "systems": [system]})
    return len(candidates) - 1
