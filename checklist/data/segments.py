"""Segments: inputs with references, candidates and human judgements."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

# field -> family -> level as written in the file -> one text per text of the field
Stored: TypeAlias = Mapping[str, Mapping[str, Mapping[str, tuple[str, ...]]]]

NOTHING: Mapping[str, Any] = {}  # one for all: a million candidates have no scores of others


def _nothing() -> Mapping[str, Any]:
    return NOTHING


@dataclass(frozen=True, slots=True)
class Candidate:
    """One generated text, with its human ratings and the scores of other programs."""

    text: str
    rating: float | None = None
    systems: tuple[str, ...] = ()
    scores: Mapping[str, float] = field(default_factory=_nothing)
    extra: Mapping[str, Any] = field(default_factory=_nothing)  # other keys of the file
    ratings: Mapping[str, float] = field(default_factory=_nothing)  # by aspect, such as fluency


@dataclass(frozen=True, slots=True)
class Segment:
    """One input with its references, its candidates, and human preferences among them."""

    id: str
    candidates: tuple[Candidate, ...]
    references: tuple[str, ...] = ()
    source: str | None = None
    preferences: tuple[tuple[int, int], ...] = ()  # (better, worse), by position
    perturbed: Stored = field(default_factory=_nothing)
    group: str = ""  # such as the language pair; filled from the checklist's data mapping
    extra: Mapping[str, Any] = field(default_factory=_nothing)  # other keys of the file
    unperturbed: tuple[Candidate, ...] = ()  # the candidates before they were perturbed, if so


@dataclass(frozen=True, slots=True)
class DataSet:
    """Segments in the order of their file, and where they came from."""

    name: str
    segments: Sequence[Segment]  # of a large file: read when they are asked for
    sha256: str
    path: str
    surrogates: int = 0  # texts in which lone surrogates were replaced by U+FFFD
    licence: str = ""  # known of data sets that have a name
    citation: str = ""
