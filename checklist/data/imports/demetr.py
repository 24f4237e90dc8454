"""DEMETR (Karpinska et al. 2022): translations into English with one error each."""

from __future__ import annotations

from pathlib import Path

from shakeproof.data.imports.good_bad import pair_row
from shakeproof.data.imports.json_files import Entry, check_entries, json_files, read_json
from shakeproof.data.json_lines import SegmentRow

TEXTS = ("src_sent", "eng_sent", "mt_sent", "pert_sent", "pert_name", "lang_tag", "severity")
REFERENCE = "base_id35_reference"  # the reference itself, which is better than the translation
LANGUAGES = {
    "chinese_simple": "zh",
    "czech": "cs",
    "french": "fr",
    "german": "de",
    "hindi": "hi",
    "italian": "it",
    "japanese": "ja",
    "polish": "pl",
    "russian": "ru",
    "spanish": "es",
}


def read_demetr(path: Path) -> list[SegmentRow]:
    """Read the files of a folder, or one; the category of the error is the group.

    Where an error could not be put into a sentence (`pert_check` is false), nothing is preferred.
    """
    return [
        _row(entry)
        for file in json_files(path)
        for entry in check_entries(read_json(file), file, TEXTS)
    ]


def _row(entry: Entry) -> SegmentRow:
    row = pair_row(
        str(entry.get("id")),
        (entry["mt_sent"], entry["pert_sent"]),
        1 if entry["pert_name"] == REFERENCE else 0,
        group=entry["pert_name"],
        severity=entry["severity"],
        language="en",
        source_language=LANGUAGES.get(entry["lang_tag"], entry["lang_tag"]),
        source=entry["src_sent"],
        references=[entry["eng_sent"]],
    )
    return row if entry.get("pert_check", True) else {**row, "preferences": []}
