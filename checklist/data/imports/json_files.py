"""JSON files of published data sets: lists of objects, checked before they are used."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any, TypeAlias

from shakeproof.data.imports.limits import ROW, limit_values
from shakeproof.errors import SpecError, hint
from shakeproof.files import Limit, decode_utf8, read_bytes, shown_path
from shakeproof.validation import shown

MAX_JSON = Limit("SHAKEPROOF_MAX_JSON_MB", 20, "MB")
Entry: TypeAlias = dict[str, Any]  # an object of the file


def read_json(path: Path) -> Any:  # noqa: ANN401 - whatever the file holds
    """Read a JSON file; very many values are refused before they fill the memory."""
    content = read_bytes(path, megabytes=MAX_JSON)
    containers = content.count(b"{") + content.count(b"[")
    limit_values([ROW * containers + content.count(b",")], shown_path(path))
    try:
        return json.loads(decode_utf8(content, shown_path(path)))
    except (ValueError, RecursionError) as error:
        raise SpecError(f"{shown_path(path)}: not valid JSON: {error}") from None


def check_entries(value: object, path: Path, texts: Sequence[str]) -> list[Entry]:
    """Return the entries if the value is a list of objects that have these texts."""
    if not isinstance(value, list):
        raise SpecError(f"{shown_path(path)}: must be a list of objects, got {shown(value)}")
    for number, entry in enumerate(value, start=1):
        where = f"{shown_path(path)}: entry {number}"
        if not isinstance(entry, dict):
            raise SpecError(f"{where} must be an object, got {shown(entry)}")
        for key in texts:
            if key not in entry:
                raise SpecError(f"{where} has no {key!r}; {hint(key, entry)}")
            if not isinstance(entry[key], str):
                raise SpecError(f"{where}: {key} must be text, got {shown(entry[key])}")
    return value


def json_files(path: Path, pattern: str = "*.json") -> list[Path]:
    """Return the file itself, or the JSON files of a folder in the order of their names."""
    if not path.is_dir():
        return [path]
    files = sorted(path.glob(pattern))
    if not files:
        raise SpecError(f"{shown_path(path)}: no files {pattern} in this folder")
    return files
