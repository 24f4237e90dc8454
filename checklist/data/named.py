"""The data sets that every checklist can name, with their licence and citation."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path

SAMPLE = "sample"


@dataclass(frozen=True, slots=True)
class NamedData:
    """A data set with a name; `read` returns it as JSON Lines, for a checklist in a folder."""

    summary: str
    licence: str
    citation: str
    read: Callable[[Path], bytes]


def _read_sample(_folder: Path) -> bytes:
    return (files("shakeproof") / "samples" / "sample.jsonl").read_bytes()


NAMED_DATA = {
    SAMPLE: NamedData(
        summary="Shipped, for trying things out, not for claims",
        licence="Apache-2.0, written and graded by shakeproof",
        citation=(
            "The shakeproof maintainers. shakeproof: robustness checklists for text-generation "
            "metrics"
        ),
        read=_read_sample,
    ),
}
