"""The data of a checklist: a name, a path, one for each group, or segments in the file itself."""

from __future__ import annotations

import json
from typing import Any, TypeGuard

from shakeproof.data.json_lines import SegmentReader
from shakeproof.data.named import NAMED_DATA
from shakeproof.spec.diagnostics import Diagnostics
from shakeproof.spec.written import Text, list_of, mapping_of, with_schema
from shakeproof.validation import Trail, shown

TOP: Trail = ("data",)
EXAMPLE = "data: sample, data: file.jsonl or data: {gu-en: a.jsonl, kk-en: b.jsonl}"


def data_type() -> Any:  # noqa: ANN401 - a type
    """Return the type of `data`; what else segments have is checked when they are read."""
    segments = list_of(with_schema(dict[str, Any], required=["id", "candidates"]))
    groups = mapping_of(Text, minProperties=1)
    return with_schema(Text, examples=[*NAMED_DATA]) | groups | segments


def are_segments(value: object) -> TypeGuard[list[dict[str, Any]]]:
    """Return whether the data are segments written in the checklist."""
    return isinstance(value, list) and bool(value) and all(isinstance(row, dict) for row in value)


def read_data(value: object, diagnostics: Diagnostics) -> dict[str, str]:
    """Return the path or name of each group; nothing for segments in the file, only checked."""
    if value is None or value == {}:
        if not diagnostics.is_wrong(TOP):
            diagnostics.add(TOP, f"no data; write {EXAMPLE}", key=True)
        return {}
    if isinstance(value, str) and value.strip():
        return {"": value}
    if are_segments(value):
        _check_segments(value, diagnostics)
        return {}
    if not isinstance(value, dict):
        message = f"data must be a name, a path or a mapping of groups, got {shown(value)}"
        diagnostics.add(TOP, f"{message}; write {EXAMPLE}")
        return {}
    for group, path in value.items():
        diagnostics.check_name("group", group, (*TOP, group), key=True)
        if not isinstance(path, str) or not path.strip():
            message = f"group {group!r} must be a path, got {shown(path)}"
            diagnostics.add((*TOP, group), message)
    return {group: str(path) for group, path in value.items()}


def _check_segments(rows: list[dict[str, Any]], diagnostics: Diagnostics) -> None:
    """Check segments like the lines of a data file."""
    ids: set[tuple[str, str]] = set()
    for position, row in enumerate(rows):
        reader = SegmentReader(position + 1)
        reader.read(json.loads(json.dumps(row)))
        if reader.key is not None:
            if reader.key in ids:
                reader.problems.append(f"id {reader.key[1]!r} is used twice")
            ids.add(reader.key)
        for problem in reader.problems:
            diagnostics.add((*TOP, position), problem)
