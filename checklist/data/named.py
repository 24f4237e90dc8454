"""The data sets that every checklist can name, with their licence and citation."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path

from shakeproof.data.captions import CAPTIONS, read_captions
from shakeproof.data.json_lines import json_lines
from shakeproof.data.sets.catalogue import SETS, collections
from shakeproof.data.sets.folder import read_set
from shakeproof.data.sets.records import PublicSet

SAMPLE = "sample"


@dataclass(frozen=True, slots=True)
class NamedData:
    """A data set with a name; `read` returns it as JSON Lines, for a checklist in a folder."""

    summary: str
    licence: str
    citation: str
    read: Callable[[Path], bytes]
    sets: tuple[str, ...] = ()  # the downloaded sets that it is made of


def _read_sample(_folder: Path) -> bytes:
    return (files("shakeproof") / "samples" / "sample.jsonl").read_bytes()


def _read_captions(folder: Path) -> bytes:
    return json_lines(read_captions(folder)).encode()


def _downloaded(record: PublicSet) -> NamedData:
    """Return a data set that `shakeproof data get` brings."""
    return NamedData(
        record.summary,
        record.licence,
        record.citation,
        read=lambda _: read_set(record.name),
        sets=(record.name,),
    )


def _collection(records: Sequence[PublicSet]) -> NamedData:
    """Return several downloaded sets as one, each a group."""

    def read(_folder: Path) -> bytes:
        return b"".join(
            _with_group(read_set(record.name, collection=record.collection), record.group)
            for record in records
        )

    first, names = records[0], tuple(record.name for record in records)
    summary = f"{', '.join(names)} together, each a group"
    return NamedData(summary, first.licence, first.citation, read, names)


def _with_group(content: bytes, group: str) -> bytes:
    """Put the group into each line, which is a JSON object."""
    start = b'{"group": %s, ' % json.dumps(group).encode()
    lines = content.removesuffix(b"\n").split(b"\n")
    return b"".join(start + line.removeprefix(b"{") + b"\n" for line in lines)


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
    **{name: _downloaded(record) for name, record in SETS.items()},
    **{name: _collection(records) for name, records in collections().items()},
}
