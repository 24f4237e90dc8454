"""Segments as the lines of a data file: one JSON object each, read and written."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field
from math import isfinite
from typing import Any, TypeAlias

from shakeproof.data.ratings import NO_ASPECTS
from shakeproof.data.segments import NOTHING, Candidate, Segment, Stored
from shakeproof.validation import shown

SegmentRow: TypeAlias = dict[str, Any]  # a segment as the JSON object of its line

SEGMENT_KEYS = frozenset(
    {"id", "source", "references", "candidates", "preferences", "perturbed", "group"}
)
CANDIDATE_KEYS = frozenset({"text", "rating", "ratings", "systems", "scores"})
LARGEST = 1e60  # rating or score: products of sums of their squares are still finite
PLURALS = {"reference": "references", "candidate": "candidates", "source": "sources"}
LONE_SURROGATE = re.compile("[\ud800-\udfff]")  # pairs became one character when JSON was read
SEPARATORS = {ord(char): f"\\u{ord(char):04x}" for char in "\u0085\u2028\u2029"}


@dataclass(slots=True)
class SegmentReader:
    """Makes a segment of the object on one line, and collects all that is wrong with it."""

    number: int  # of the line
    problems: list[str] = field(default_factory=list)
    surrogates: int = 0  # texts in which lone surrogates were replaced
    segment: Segment | None = None
    key: tuple[str, str] | None = None  # group and id

    def read(self, row: Mapping[str, Any]) -> None:
        """Read the segment and record its problems."""
        candidates = self._candidates(row.get("candidates"))
        references = self._texts(row.get("references"), "references")
        self.segment = Segment(
            id=self._id(row.get("id")),
            candidates=candidates,
            references=references,
            source=self._text(row.get("source"), "source"),
            preferences=self._preferences(row.get("preferences"), len(candidates)),
            perturbed=self._perturbed(row),
            group=self._text(row.get("group"), "group") or "",
            extra=_without(row, SEGMENT_KEYS),
        )
        if self.segment.id:
            self.key = self.segment.group, self.segment.id

    def _id(self, value: object) -> str:
        if isinstance(value, int) and not isinstance(value, bool):
            return str(value)
        if value is None or value == "":
            self.problems.append("the segment has no id")
        return self._text(value, "id") or ""

    def _text(self, value: object, name: str) -> str | None:
        if value is None:
            return None
        if not isinstance(value, str):
            self.problems.append(f"{name} must be text, got {shown(value)}")
            return ""
        if LONE_SURROGATE.search(value):
            self.surrogates += 1
            return LONE_SURROGATE.sub("\ufffd", value)
        return value

    def _list(self, value: object, name: str) -> list[Any]:
        if isinstance(value, list):
            return value
        if value is not None:
            self.problems.append(f"{name} must be a list, got {shown(value)}")
        return []

    def _texts(self, value: object, name: str) -> tuple[str, ...]:
        if value is None:
            return ()
        texts = self._list(value, name)
        if any(text is None for text in texts):
            self.problems.append(f"each of {name} must be text, got nothing")
        return tuple(self._text(text, f"each of {name}") or "" for text in texts)

    def _object(self, value: object, name: str) -> Mapping[str, Any]:
        if isinstance(value, dict):
            return value
        if value is not None:
            self.problems.append(f"{name} must be an object, got {shown(value)}")
        return {}

    def _number(self, value: object, name: str) -> float | None:
        if value is None:
            return None
        if isinstance(value, int | float) and not isinstance(value, bool) and _is_finite(value):
            if abs(value) > LARGEST:
                limits = f"between {-LARGEST:g} and {LARGEST:g}, so that statistics do not overflow"
                self.problems.append(f"{name} must lie {limits}, got {shown(value)}")
            return float(value)
        self.problems.append(f"{name} must be a finite number, got {shown(value)}")
        return None

    def _candidates(self, value: object) -> tuple[Candidate, ...]:
        if value is None:
            self.problems.append("the segment has no candidates; write [] where there are none")
        rows = self._list(value, "candidates")
        return tuple(self._candidate(row, position) for position, row in enumerate(rows))

    def _candidate(self, row: object, position: int) -> Candidate:
        name = f"candidate {position}"
        if not isinstance(row, dict):
            self.problems.append(f'{name} must be an object {{"text": …}}, got {shown(row)}')
            return Candidate("")
        if row.get("text") is None:
            self.problems.append(f"{name} has no text")
        return Candidate(
            text=self._text(row.get("text"), f"text of {name}") or "",
            rating=self._number(row.get("rating"), f"rating of {name}"),
            systems=self._texts(row.get("systems"), f"systems of {name}"),
            scores=self._numbers(row.get("scores"), "score", name),
            ratings=self._ratings(row.get("ratings"), name),
            extra=_without(row, CANDIDATE_KEYS),
        )

    def _numbers(self, value: object, kind: str, candidate: str) -> Mapping[str, float]:
        """Read numbers by name; where one is null there is none."""
        if value is None:
            return NOTHING
        written = self._object(value, f"{kind}s of {candidate}").items()
        numbers = {key: self._number(number, f"{kind} {key!r}") for key, number in written}
        return {key: number for key, number in numbers.items() if number is not None}

    def _ratings(self, value: object, candidate: str) -> Mapping[str, float]:
        ratings = self._numbers(value, "rating", candidate)
        for aspect in ratings:
            if aspect in NO_ASPECTS or not aspect.strip():
                words = ", ".join(NO_ASPECTS)
                problem = f"a rating of {candidate} may not be for {aspect!r}; name the aspect"
                self.problems.append(f"{problem}, by none of the words {words}")
        return ratings

    def _preferences(self, value: object, candidates: int) -> tuple[tuple[int, int], ...]:
        pairs = []
        for pair in self._list(value, "preferences"):
            if not _is_pair(pair):
                problem = f"each of preferences must be [better, worse], got {pair!r}"
            elif not all(0 <= position < candidates for position in pair):
                problem = f"preference {pair} is out of range; there are {candidates} candidates"
            elif pair[0] == pair[1]:
                problem = f"preference {pair} prefers a candidate to itself"
            else:
                pairs.append((pair[0], pair[1]))
                continue
            self.problems.append(problem)
        return tuple(pairs)

    def _perturbed(self, row: Mapping[str, Any]) -> Stored:
        if row.get("perturbed") is None:
            return NOTHING
        perturbed: dict[str, dict[str, dict[str, Any]]] = {}
        for name, families in self._object(row.get("perturbed"), "perturbed").items():
            plural = PLURALS.get(name, name)
            if plural not in PLURALS.values():
                known = ", ".join(PLURALS.values())
                self.problems.append(f"unknown field {name!r} in perturbed; known: {known}")
                continue
            texts = row.get(plural)
            wanted = len(texts) if isinstance(texts, list) else 0
            if plural == "sources":
                wanted = int(row.get("source") is not None)
            perturbed[plural] = {
                family: self._levels(levels, f"perturbed {plural} {family!r}", wanted)
                for family, levels in self._object(families, f"perturbed {name}").items()
            }
        return perturbed

    def _levels(self, value: object, name: str, wanted: int) -> dict[str, tuple[str, ...]]:
        """Read the perturbed texts at each level: as many as the field has texts."""
        levels = {}
        for level, texts in self._object(value, name).items():
            levels[level] = self._texts(texts, f"{name} at {level}")
            if not _is_number(level):
                self.problems.append(f"{name} must have numbers as levels, got {level!r}")
            if len(levels[level]) != wanted:
                problem = f"{name} at {level} must have {wanted} texts, got {len(levels[level])}"
                self.problems.append(problem)
        return levels


def _without(row: Mapping[str, Any], known: frozenset[str]) -> Mapping[str, Any]:
    """Return the other keys of a row, of which there are mostly none."""
    if row.keys() <= known:
        return NOTHING
    return {key: value for key, value in row.items() if key not in known}


def _is_finite(value: float) -> bool:
    try:
        return isfinite(value)
    except OverflowError:  # a whole number above the largest float
        return False


def _is_pair(value: object) -> bool:
    return (
        isinstance(value, list)
        and len(value) == 2
        and all(isinstance(entry, int) and not isinstance(entry, bool) for entry in value)
    )


def _is_number(text: str) -> bool:
    try:
        return isfinite(float(text))
    except ValueError:
        return False


def segment_row(segment: Segment) -> SegmentRow:
    """Return a segment as the object of its line."""
    row = asdict(segment)
    del row["unperturbed"]  # not part of the format
    candidates = [_candidate_row(candidate) for candidate in row["candidates"]]
    return {**row.pop("extra"), **row, "candidates": candidates}


def _candidate_row(candidate: dict[str, Any]) -> dict[str, Any]:
    ratings = candidate.pop("ratings")  # left out if empty: the hashes of older data stay
    return {**candidate.pop("extra"), **candidate, **({"ratings": ratings} if ratings else {})}


def json_lines(rows: Iterable[SegmentRow]) -> str:
    """Write rows as JSON Lines; characters that some programs take for a line end are escaped."""
    return "".join(f"{_line(row)}\n" for row in rows)


def _line(row: SegmentRow) -> str:
    text = json.dumps(row, ensure_ascii=False)
    try:
        text.encode()
    except UnicodeEncodeError:  # lone surrogates; loading replaces and counts them
        return json.dumps(row)
    return text.translate(SEPARATORS)
