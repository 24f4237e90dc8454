"""One line of a data file: a segment, or all that is wrong with it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from math import isfinite
from typing import Any

from shakeproof.data.segments import Candidate, Segment
from shakeproof.validation import shown

SEGMENT = frozenset(
    {"id", "source", "references", "candidates", "preferences", "perturbed", "group"}
)
CANDIDATE = frozenset({"text", "rating", "systems", "scores"})
PLURALS = {"reference": "references", "candidate": "candidates", "source": "sources"}
LONE = re.compile("[\ud800-\udfff]")  # pairs became one character when the JSON was read


@dataclass(slots=True)
class SegmentReader:
    """A line that is being read: what came of it, and what is wrong with it."""

    number: int
    problems: list[str] = field(default_factory=list)
    surrogates: int = 0  # texts in which lone ones were replaced
    segment: Segment | None = None
    key: tuple[str, str] | None = None  # group and id

    def read(self, value: Mapping[str, Any]) -> None:
        """Make a segment of an object, noting every problem on the way."""
        candidates = self._candidates(value.get("candidates"))
        references = self._texts(value.get("references"), "references")
        self.segment = Segment(
            id=self._id(value.get("id")),
            candidates=candidates,
            references=references,
            source=self._text(value.get("source"), "source"),
            preferences=self._preferences(value.get("preferences"), len(candidates)),
            perturbed=self._perturbed(value.get("perturbed"), value),
            group=self._text(value.get("group"), "group") or "",
            extra=_extra(value, SEGMENT),
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
        if LONE.search(value):
            self.surrogates += 1
            return LONE.sub("\ufffd", value)
        return value

    def _list(self, value: object, name: str) -> list[Any]:
        if isinstance(value, list):
            return value
        if value is not None:
            self.problems.append(f"{name} must be a list, got {shown(value)}")
        return []

    def _texts(self, value: object, name: str) -> tuple[str, ...]:
        listed = self._list(value, name)
        if any(one is None for one in listed):
            self.problems.append(f"each of {name} must be text, got nothing")
        return tuple(self._text(one, f"each of {name}") or "" for one in listed)

    def _object(self, value: object, name: str) -> Mapping[str, Any]:
        if isinstance(value, dict):
            return value
        if value is not None:
            self.problems.append(f"{name} must be an object, got {shown(value)}")
        return {}

    def _number(self, value: object, name: str) -> float | None:
        if value is None:
            return None
        if isinstance(value, int | float) and not isinstance(value, bool) and _finite(value):
            return float(value)
        self.problems.append(f"{name} must be a finite number, got {shown(value)}")
        return None

    def _candidates(self, value: object) -> tuple[Candidate, ...]:
        if value is None:
            self.problems.append("the segment has no candidates; write [] where there are none")
        listed = self._list(value, "candidates")
        return tuple(self._candidate(one, i) for i, one in enumerate(listed))

    def _candidate(self, value: object, position: int) -> Candidate:
        name = f"candidate {position}"
        if value is None or not isinstance(value, dict):
            self.problems.append(f'{name} must be an object {{"text": …}}, got {shown(value)}')
            return Candidate("")
        if value.get("text") is None:
            self.problems.append(f"{name} has no text")
        scores = self._object(value.get("scores"), f"scores of {name}")
        numbers = {key: self._number(one, f"score {key!r}") for key, one in scores.items()}
        return Candidate(
            text=self._text(value.get("text"), f"text of {name}") or "",
            rating=self._number(value.get("rating"), f"rating of {name}"),
            systems=self._texts(value.get("systems"), f"systems of {name}"),
            scores={key: number for key, number in numbers.items() if number is not None},
            extra=_extra(value, CANDIDATE),
        )

    def _preferences(self, value: object, candidates: int) -> tuple[tuple[int, int], ...]:
        pairs = []
        for one in self._list(value, "preferences"):
            if not _is_pair(one):
                said = f"each of preferences must be [better, worse], got {one!r}"
            elif not all(0 <= position < candidates for position in one):
                said = f"preference {one} is out of range; there are {candidates} candidates"
            elif one[0] == one[1]:
                said = f"preference {one} prefers a candidate to itself"
            else:
                pairs.append((one[0], one[1]))
                continue
            self.problems.append(said)
        return tuple(pairs)

    def _perturbed(
        self, value: object, around: Mapping[str, Any]
    ) -> dict[str, dict[str, dict[str, tuple[str, ...]]]]:
        read: dict[str, dict[str, dict[str, tuple[str, ...]]]] = {}
        for name, families in self._object(value, "perturbed").items():
            plural = PLURALS.get(name, name)
            if plural not in PLURALS.values():
                known = ", ".join(PLURALS.values())
                self.problems.append(f"unknown field {name!r} in perturbed; known: {known}")
                continue
            read[plural] = {
                family: self._levels(levels, f"perturbed {plural} {family!r}", plural, around)
                for family, levels in self._object(families, f"perturbed {name}").items()
            }
        return read

    def _levels(
        self, value: object, name: str, plural: str, around: Mapping[str, Any]
    ) -> dict[str, tuple[str, ...]]:
        read = {}
        wanted = _count(plural, around)
        for level, texts in self._object(value, name).items():
            read[level] = self._texts(texts, f"{name} at {level}")
            if not _is_number(level):
                self.problems.append(f"{name} must have numbers as levels, got {level!r}")
            if len(read[level]) != wanted:
                said = f"{name} at {level} must have {wanted} texts, got {len(read[level])}"
                self.problems.append(said)
        return read


def _finite(value: float) -> bool:
    try:
        return isfinite(value)
    except OverflowError:  # a whole number beyond all floats
        return False


def _is_pair(value: object) -> bool:
    return (
        isinstance(value, list)
        and len(value) == 2
        and all(isinstance(one, int) and not isinstance(one, bool) for one in value)
    )


def _is_number(text: str) -> bool:
    try:
        return isfinite(float(text))
    except ValueError:
        return False


def _count(plural: str, around: Mapping[str, Any]) -> int:
    if plural == "sources":
        return int(around.get("source") is not None)
    texts = around.get(plural)
    return len(texts) if isinstance(texts, list) else 0


def _extra(value: Mapping[str, Any], known: frozenset[str]) -> dict[str, Any]:
    """Keep the keys that we do not know."""
    return {key: one for key, one in value.items() if key not in known}


def as_row(segment: Segment) -> dict[str, Any]:
    """Write a segment as its line of a file."""
    row = _flat(asdict(segment))
    return {**row, "candidates": [_flat(one) for one in row["candidates"]]}


def _flat(row: dict[str, Any]) -> dict[str, Any]:
    return {**row.pop("extra"), **row}
