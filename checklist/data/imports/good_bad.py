"""Pairs of a good and a bad text: segments with two candidates and one preference."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from shakeproof.data.imports.tables import Cells, Layout, read_number, table_cells
from shakeproof.data.json_lines import SegmentRow
from shakeproof.errors import SpecError
from shakeproof.files import shown_path
from shakeproof.validation import shown

COLUMNS = ("good", "bad", "reference", "source", "id", "group")
SCORE = re.compile("(?P<metric>.+)-(?P<side>good|bad)")
# The names of columns in ACES (Amrhein et al. 2022) and in other sets of this kind.
OTHER_NAMES = {
    "good": ("good-translation", "correct"),
    "bad": ("incorrect-translation", "incorrect"),
    "group": ("phenomena", "phenomenon", "category"),
    "id": ("ID",),
}


def pair_row(
    identity: str,
    texts: tuple[str, str],
    better: int,
    **keys: Any,  # noqa: ANN401 - JSON values
) -> SegmentRow:
    """Return a segment with two candidates; equal texts are not preferred to each other."""
    return {
        "id": identity,
        **keys,
        "candidates": [{"text": text} for text in texts],
        "preferences": [] if texts[0] == texts[1] else [[better, 1 - better]],
    }


def position_of_better(label: object, where: str) -> int:
    """Return the position of the better text of two, which the file counts from 1."""
    if label not in (1, 2) or isinstance(label, bool):
        raise SpecError(f"{where}: label must be 1 or 2, got {shown(label)}")
    return int(str(label)) - 1


def read_good_bad(
    path: Path, layout: Layout, names: Mapping[str, str] | None = None
) -> list[SegmentRow]:
    """Read a table with a good and a bad text in each row; the phenomenon is the group.

    Columns `METRIC-good` and `METRIC-bad` are stored scores; other columns are kept as keys.
    """
    rows = []
    cells_of_rows = table_cells(
        path,
        layout,
        names or {},
        known=COLUMNS,
        required=("good", "bad"),
        other_names=OTHER_NAMES,
    )
    for position, (number, cells) in enumerate(cells_of_rows, start=1):
        rows.append(_row(cells, position, f"{shown_path(path)}:{number}"))
    return rows


def _row(cells: Cells, position: int, where: str) -> SegmentRow:
    others = {key: cell for key, cell in cells.items() if key not in COLUMNS and cell}
    scores = {key: others.pop(key) for key in list(others) if SCORE.fullmatch(key)}
    keys = {key: cells[key] for key in ("group", "source") if cells.get(key)}
    row = pair_row(
        cells.get("id") or str(position),
        (cells["good"], cells["bad"]),
        0,
        **others,
        **keys,
        **_languages(others.get("langpair", "")),
        references=[cells["reference"]] if cells.get("reference") else [],
    )
    for key, score in scores.items():
        match = SCORE.fullmatch(key)
        if match:
            candidate = row["candidates"][match["side"] == "bad"]
            value = read_number(score, f"{where}: {key}")
            candidate.setdefault("scores", {})[match["metric"]] = value
    return row


def _languages(pair: str) -> dict[str, str]:
    """Return the languages of a pair such as en-de."""
    source, _, target = pair.partition("-")
    return {"language": target, "source_language": source} if source and target else {}
