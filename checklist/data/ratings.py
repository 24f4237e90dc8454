"""Ratings of a candidate: one for all, one for each aspect, or the mean over the aspects."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from shakeproof.data.segments import Candidate, Segment

PLAIN = "rating"  # the rating that is about no aspect
MEAN = "mean"
EACH = "each"
NO_ASPECTS = (PLAIN, MEAN, EACH)  # what a checklist may write in the place of an aspect


def is_rated(candidate: Candidate) -> bool:
    """Return whether people rated a candidate, for an aspect or for none."""
    return candidate.rating is not None or bool(candidate.ratings)


def aspects_of(segments: Iterable[Segment]) -> tuple[str, ...]:
    """Return the aspects that candidates were rated for, in the order of the data."""
    names = (
        aspect
        for segment in segments
        for candidate in segment.candidates
        for aspect in candidate.ratings
    )
    return tuple(dict.fromkeys(names))


def rating_of(candidate: Candidate, rating: str, aspects: Collection[str]) -> float | None:
    """Return a rating of a candidate; it has a mean if it was rated for all the aspects."""
    if rating == PLAIN:
        return candidate.rating
    if rating != MEAN:
        return candidate.ratings.get(rating)
    if not aspects or any(aspect not in candidate.ratings for aspect in aspects):
        return None
    return sum(candidate.ratings[aspect] for aspect in aspects) / len(aspects)
