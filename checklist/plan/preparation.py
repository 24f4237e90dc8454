"""The data before anything is checked: copies added, a part set aside for tuning."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import accumulate

from shakeproof.data.copies import ADDED, copy_rating, gets_copy
from shakeproof.data.segments import Candidate, Segment, Stored
from shakeproof.spec.model import Development


def with_copies(segments: Sequence[Segment], every: int) -> tuple[Segment, ...]:
    """Give every so many inputs a copy of their source as one more candidate.

    `copies.copy_rating` says how a copy is rated: 0, or lower where ratings go below 0.
    """
    ratings = (c.rating for segment in segments for c in segment.candidates if c.rating is not None)
    rating = copy_rating(ratings)
    return tuple(
        _with_copy(segment, rating) if gets_copy(position, every) else segment
        for position, segment in enumerate(segments)
    )


def _with_copy(segment: Segment, rating: float) -> Segment:
    if segment.source is None:
        raise ValueError(f"segment {segment.id!r} has no source to copy")
    copy = Candidate(segment.source, rating, extra={ADDED: True})
    # What is stored for the candidates has no text for the copy, so it cannot be replayed.
    kept = {name: texts for name, texts in segment.perturbed.items() if name != "candidates"}
    return replace(segment, candidates=(*segment.candidates, copy), perturbed=kept)


def set_aside(
    segments: Sequence[Segment], development: Development
) -> tuple[tuple[Segment, ...], tuple[Segment, ...]]:
    """Cut the first part of the data off: (development part, rest), both in file order."""
    if development.by == "segments":
        cut = int(len(segments) * development.share)
        return tuple(segments[:cut]), tuple(segments[cut:])
    ends = list(accumulate(len(segment.candidates) for segment in segments))
    cut = int(ends[-1] * development.share) if ends else 0
    first, rest = [], []
    for segment, end in zip(segments, ends, strict=True):
        inside = len(segment.candidates) - max(0, end - cut)
        if inside > 0:
            first.append(part_of(segment, 0, inside))
        if end > cut:
            rest.append(part_of(segment, max(0, inside), len(segment.candidates)))
    return tuple(first), tuple(rest)


def part_of(segment: Segment, start: int, stop: int) -> Segment:
    """Keep some candidates of a segment, and what people said of them alone."""
    if (start, stop) == (0, len(segment.candidates)):
        return segment
    inside = range(start, stop)
    return replace(
        segment,
        candidates=segment.candidates[start:stop],
        preferences=tuple(
            (better - start, worse - start)
            for better, worse in segment.preferences
            if better in inside and worse in inside
        ),
        perturbed=_part_of_stored(segment.perturbed, start, stop),
    )


def _part_of_stored(stored: Stored, start: int, stop: int) -> Stored:
    return {
        name: _cut(families, start, stop) if name == "candidates" else families
        for name, families in stored.items()
    }


def _cut(
    families: Mapping[str, Mapping[str, tuple[str, ...]]], start: int, stop: int
) -> dict[str, dict[str, tuple[str, ...]]]:
    return {
        family: {level: texts[start:stop] for level, texts in levels.items()}
        for family, levels in families.items()
    }
