"""Kinds of segments: those of one kind do not differ in anything that checks need of the data."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from heapq import merge
from itertools import islice

from shakeproof.data.segments import Segment

MAX_KEPT = 1_000  # segments of a kind whose texts may be looked at
LANGUAGES = ("language", "source_language")


@dataclass(slots=True)
class Kind:
    """The first segments of a kind, and how many there are of all."""

    count: int = 0
    candidates: int = 0
    rated: int = 0  # candidates with a rating
    preferences: int = 0
    kept: list[tuple[int, Segment]] = field(default_factory=list)  # with their positions

    @property
    def first(self) -> Segment:
        """Return the first segment of the kind."""
        return self.kept[0][1]


def kinds_of(segments: Iterable[Segment], *, first: int = 0) -> list[Kind]:
    """Sort segments by kind, in one pass; kinds are in the order of their first segments.

    `first` is the position of the first segment.
    """
    kinds: dict[Hashable, Kind] = {}
    for position, segment in enumerate(segments, first):
        traits = _traits(segment)
        if (kind := kinds.get(traits)) is None:
            kind = kinds[traits] = Kind()
        kind.count += 1
        kind.candidates += len(segment.candidates)
        kind.rated += sum(candidate.rating is not None for candidate in segment.candidates)
        kind.preferences += len(segment.preferences)
        if kind.count <= MAX_KEPT:
            kind.kept.append((position, segment))
    return list(kinds.values())


def first_segments(kinds: Sequence[Kind]) -> Iterator[Segment]:
    """Yield the first segments of several kinds, in the order of the data."""
    in_order = merge(*(kind.kept for kind in kinds), key=lambda place: place[0])
    return (segment for _, segment in islice(in_order, MAX_KEPT))


def _traits(segment: Segment) -> Hashable:
    extra, candidates = segment.extra, segment.candidates
    return (
        segment.group,
        segment.source is None,
        not segment.references,
        min(len(candidates), 2),  # none, one without rivals, or several
        not segment.preferences,
        any(candidate.rating is not None for candidate in candidates),
        frozenset(name for candidate in candidates for name in candidate.scores),
        tuple((name, value is None) for name, value in extra.items()),
        tuple(repr(extra.get(name)) for name in LANGUAGES) if extra else (),
        tuple(
            (name, family, tuple(levels))
            for name, families in segment.perturbed.items()
            for family, levels in families.items()
        ),
    )
