"""The data sets that every checklist can name, with their licence and citation."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path

from shakeproof.data.captions import CAPTIONS, read_captions
from shakeproof.data.json_lines import json_lines

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


def _read_captions(folder: Path) -> bytes:
    return json_lines(read_captions(folder)).encode()


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
    CAPTIONS: NamedData(
        summary="Pairs of English captions, rated 0 to 5 by people, out of the STS Benchmark",
        licence="CC BY-SA 4.0",
        citation=(
            "Cer, Diab, Agirre, Lopez-Gazpio and Specia (2017). SemEval-2017 Task 1: Semantic "
            "Textual Similarity Multilingual and Crosslingual Focused Evaluation. "
            "doi:10.18653/v1/S17-2001"
        ),
        read=_read_captions,
    ),
}
