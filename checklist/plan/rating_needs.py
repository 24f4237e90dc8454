"""Whether the data have the ratings that checks choose: of an aspect, of each, or their mean."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from shakeproof.data.ratings import EACH, MEAN, PLAIN, rating_of
from shakeproof.data.segments import Segment
from shakeproof.errors import hint
from shakeproof.plan.kinds import Kind, aspects_in, groups_of
from shakeproof.spec.model import Check
from shakeproof.spec.written import name_problem


def has_ratings(segment: Segment, rating: str, aspects: Collection[str]) -> bool:
    """Return whether a candidate of a segment has this rating."""
    return any(rating_of(one, rating, aspects) is not None for one in segment.candidates)


def for_aspects(aspects: Sequence[str]) -> str:
    """Return that there are ratings for these aspects alone, and what a checklist may write."""
    names = ", ".join(aspects)
    ways = f"write rating: {aspects[0]}, rating: {MEAN} or rating: {EACH}"
    return f"them for aspects only ({names}); {ways}"


def wrong_choices(check: Check, kinds: Sequence[Kind]) -> Iterator[str]:
    """Yield what is wrong with the aspects that a check names, given the data."""
    aspects = aspects_in(kinds)
    for rating in check.ratings.resolved(aspects) if check.expect.uses_ratings else ():
        if rating == PLAIN:
            continue
        if rating == EACH or (rating == MEAN and not aspects):
            yield f"rating: {rating} needs ratings by aspect, but the data have none"
        elif rating != MEAN and rating not in aspects:
            yield _unknown(rating, aspects)
        elif group := _group_without(rating, aspects, kinds):
            yield group
        elif check.ratings.in_ids and (problem := name_problem("rating", rating)):
            yield problem


def wrong_aspects(check: Check, kinds: Sequence[Kind]) -> Iterator[str]:
    """Yield what is wrong with the aspects that an expectation compares, given the data."""
    aspects = aspects_in(kinds)
    compared = check.expect.with_aspects(aspects).aspects
    for aspect in compared:
        if aspect not in aspects:
            yield _unknown(aspect, aspects)
    if len(compared) == 1 and compared[0] in aspects:
        yield f"{check.expect.name} compares aspects, but there are ratings for {aspects[0]!r} only"


def _unknown(rating: str, aspects: Sequence[str]) -> str:
    known = hint(rating, aspects) if aspects else "no candidate has ratings by aspect"
    return f"the data have no ratings for {rating!r}; {known}"


def _group_without(rating: str, aspects: Sequence[str], kinds: Sequence[Kind]) -> str:
    for group, members in groups_of(kinds):
        if not any(has_ratings(kind.first, rating, aspects) for kind in members):
            where = f"group {group!r}" if group else "the data"
            what = f"all of {', '.join(aspects)}" if rating == MEAN else repr(rating)
            return f"rating: {rating} takes candidates rated for {what}; {where} has none"
    return ""
