"""Segments written out in the checklist itself, instead of the name of a file."""

from __future__ import annotations

import json
from typing import Any, TypeGuard

from shakeproof.data.parsing import Row
from shakeproof.spec.diagnostics import Notebook


def written_out(raw: object) -> TypeGuard[list[dict[str, Any]]]:
    """Tell segments from a name, a path or groups."""
    return isinstance(raw, list) and bool(raw) and all(isinstance(one, dict) for one in raw)


def check_segments(raw: list[dict[str, Any]], notebook: Notebook) -> None:
    """Note what is wrong with segments, each read as a line of a data file is."""
    seen: set[tuple[str, str]] = set()
    for position, one in enumerate(raw):
        row = Row(position + 1)
        row.read(json.loads(json.dumps(one)))
        if row.identity is not None:
            if row.identity in seen:
                row.problems.append(f"id {row.identity[1]!r} stands twice")
            seen.add(row.identity)
        for problem in row.problems:
            notebook.note(("data", position), problem)
