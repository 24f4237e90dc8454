"""Spaces between all characters, with which Shen et al. 2022 score Chinese."""

from __future__ import annotations

from dataclasses import replace
from hashlib import sha256

from shakeproof.data.segments import DataSet
from shakeproof.studies.parascore import SPACE, is_spaced


def has_spaces(data: DataSet) -> bool:
    """Return whether texts have spaces between all characters."""
    texts = [text for segment in data.segments for text in segment.references if len(text) > 1]
    return any(is_spaced(text) for text in texts)


def with_spaces(data: DataSet) -> DataSet:
    """Put spaces between the characters of all texts."""
    segments = (
        replace(
            segment,
            source=None if segment.source is None else SPACE.join(segment.source),
            references=tuple(map(SPACE.join, segment.references)),
            candidates=tuple(replace(c, text=SPACE.join(c.text)) for c in segment.candidates),
        )
        for segment in data.segments
    )
    other = sha256(f"with spaces: {data.sha256}".encode()).hexdigest()
    return replace(data, segments=tuple(segments), sha256=other)
