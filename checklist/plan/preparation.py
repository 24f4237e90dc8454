"""The data before anything is checked: copies added, a part set aside for tuning."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

import numpy as np

from shakeproof.data.copies import ADDED, copy_rating, gets_copy
from shakeproof.data.lazy import LazySegments, each, joined
from shakeproof.data.ratings import PLAIN
from shakeproof.data.segments import Candidate, Segment, Stored
from shakeproof.spec.model import Development


def with_copies(segments: Sequence[Segment], every: int) -> Sequence[Segment]:
    """Give every so many inputs a copy of their source as one more candidate.

    `copies.copy_rating` says how a copy is rated: 0, or lower where ratings go below 0.
    """
    lowest = lowest_ratings(candidate for segment in segments for candidate in segment.candidates)
    rating = copy_rating([lowest.pop(PLAIN)]) if PLAIN in lowest else None
    ratings = {aspect: copy_rating([value]) for aspect, value in lowest.items()}

    def copied(position: int, segment: Segment) -> Segment:
        if not gets_copy(position, every):
            return segment
        if segment.source is None:
            raise ValueError(f"segment {segment.id!r} has no source to copy")
        copy = Candidate(segment.source, rating, extra={ADDED: True}, ratings=ratings)
        return _with_candidate(segment, copy)

    return each(segments, copied)


def lowest_ratings(candidates: Iterable[Candidate]) -> dict[str, float]:
    """Return the lowest rating for each aspect, and under `PLAIN` of those about no aspect."""
    lowest: dict[str, float] = {}
    for candidate in candidates:
        plain = {} if candidate.rating is None else {PLAIN: candidate.rating}
        for name, rating in {**plain, **candidate.ratings}.items():
            lowest[name] = min(rating, lowest.get(name, rating))
    return lowest


def _with_candidate(segment: Segment, copy: Candidate) -> Segment:
    # What is stored for the candidates has no text for the copy, so it cannot be replayed.
    kept = {name: texts for name, texts in segment.perturbed.items() if name != "candidates"}
    return replace(segment, candidates=(*segment.candidates, copy), perturbed=kept)


def set_aside(
    segments: Sequence[Segment], development: Development
) -> tuple[Sequence[Segment], Sequence[Segment]]:
    """Cut the first part of the data off: (development part, rest), both in file order."""
    segments = segments if isinstance(segments, LazySegments) else tuple(segments)
    if development.by == "segments":
        cut = int(len(segments) * development.share)
        return segments[:cut], segments[cut:]
    sizes = np.fromiter((len(segment.candidates) for segment in segments), int, len(segments))
    ends = np.cumsum(sizes)
    cut = int(sizes.sum() * development.share)
    at = int(np.searchsorted(ends, cut, side="right"))  # the first segment that ends after the cut
    inside = int(cut - ends[at] + sizes[at]) if at < len(segments) else 0
    if not inside:
        return segments[:at], segments[at:]
    split = segments[at]
    first, second = part_of(split, 0, inside), part_of(split, inside, int(sizes[at]))
    return joined([segments[:at], (first,)]), joined([(second,), segments[at + 1 :]])


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
