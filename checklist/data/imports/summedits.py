"""SummEdits (Laban et al. 2023): edited summaries, consistent with their document or not."""

from __future__ import annotations

from pathlib import Path

from shakeproof.data.imports.json_files import Entry, check_entries, json_files, read_json
from shakeproof.data.json_lines import SegmentRow
from shakeproof.errors import SpecError
from shakeproof.files import shown_path
from shakeproof.validation import shown

TEXTS = ("id", "doc", "summary", "original_summary")
PREFIX = "summedits_"  # of the names of the files; the rest is the domain


def read_summedits(path: Path) -> list[SegmentRow]:
    """Read the files of a folder, or one; the domain is the group, the rating 1 if consistent."""
    rows = []
    for file in json_files(path, f"{PREFIX}*.json"):
        documents: dict[str, int] = {}
        for entry in check_entries(read_json(file), file, TEXTS):
            document = documents.setdefault(entry["doc"], len(documents) + 1)
            rows.append(_row(entry, file, document))
    return rows


def _row(entry: Entry, file: Path, document: int) -> SegmentRow:
    label = entry.get("label")
    if label not in (0, 1) or isinstance(label, bool):
        where = f"{shown_path(file)}: label of {entry['id']!r}"
        raise SpecError(f"{where} must be 0 or 1, got {shown(label)}")
    domain = file.stem.removeprefix(PREFIX)
    return {
        "id": entry["id"],
        "group": domain,
        "document": f"{domain}-{document}",
        "language": "en",
        "edit_types": entry.get("edit_types") or [],
        "source": entry["doc"],
        "references": [entry["original_summary"]],
        "candidates": [{"text": entry["summary"], "rating": float(label)}],
    }
