"""Data in the layouts in which the field already has them, as rows of our JSON Lines."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any, TypeAlias

Row: TypeAlias = dict[str, Any]

SEPARATORS = {ord(char): f"\\u{ord(char):04x}" for char in "\u0085\u2028\u2029"}


def json_lines(rows: Iterable[Row]) -> str:
    """Write rows as JSON Lines; characters that some programs take for a line end are escaped."""
    return "".join(f"{_line(row)}\n" for row in rows)


def _line(row: Row) -> str:
    text = json.dumps(row, ensure_ascii=False)
    try:
        text.encode()
    except UnicodeEncodeError:  # lone surrogates; loading replaces and counts them
        return json.dumps(row)
    return text.translate(SEPARATORS)
