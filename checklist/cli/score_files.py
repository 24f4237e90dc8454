"""Scores of single candidates as a file: JSON Lines or CSV."""

from __future__ import annotations

import csv
import json
from argparse import ArgumentTypeError
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

from shakeproof.files import open_for_writing

if TYPE_CHECKING:
    from shakeproof.scoring.score_rows import ScoreRow

BETWEEN_SYSTEMS = ";"  # in one cell of a CSV file


def scores_path(text: str) -> Path:
    """Read the name of a file for scores; its ending is its layout."""
    path = Path(text)
    if path.suffix not in WRITERS:
        raise ArgumentTypeError(f"{text!r} must end in {' or '.join(WRITERS)}")
    return path


def write_scores(path: Path, rows: Iterable[ScoreRow]) -> None:
    """Write rows one by one; a file that is not complete is not left behind."""
    with open_for_writing(path) as stream:
        WRITERS[path.suffix](stream, rows)


def _write_json_lines(stream: TextIO, rows: Iterable[ScoreRow]) -> None:
    for row in rows:
        stream.write(f"{json.dumps(row._asdict())}\n")


def _write_csv(stream: TextIO, rows: Iterable[ScoreRow]) -> None:
    from shakeproof.reports.csv import without_formula
    from shakeproof.scoring.score_rows import ScoreRow

    writer = csv.DictWriter(stream, ScoreRow._fields, lineterminator="\n")
    writer.writeheader()
    for row in rows:
        cells = {**row._asdict(), "systems": BETWEEN_SYSTEMS.join(row.systems)}
        writer.writerow({name: without_formula(cell) for name, cell in cells.items()})


WRITERS: dict[str, Callable[[TextIO, Iterable[ScoreRow]], None]] = {
    ".jsonl": _write_json_lines,
    ".csv": _write_csv,
}
