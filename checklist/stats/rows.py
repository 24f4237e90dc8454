"""Candidates as rows: built from segments, split by group, paired, summed by segment."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from math import nan
from typing import TypeVar

import numpy as np

from shakeproof.data.copies import ADDED
from shakeproof.data.ratings import MEAN, PLAIN
from shakeproof.data.segments import Segment
from shakeproof.stats.observations import (
    Candidates,
    Ints,
    Mask,
    Matrix,
    Observations,
    ScoreKey,
    Vector,
)

K = TypeVar("K")

TIE = 1e-6  # scores this close are equal, by default: see tie_width


def candidates_of(segments: Iterable[Segment], cluster: str | None = None) -> Candidates:
    """Lay out candidates as rows; `cluster` is the key of the segments resampled together.

    Segments are read once, one after the other; of each only numbers and its id are kept.
    """
    sizes, ratings, pairs, members = array("q"), array("d"), array("q"), array("q")
    groups: _Numbers[str] = _Numbers()
    systems: _Numbers[str] = _Numbers()
    clusters: _Numbers[tuple[str, str]] = _Numbers()
    group, cluster_of, added = array("q"), array("q"), bytearray()
    aspects = _AspectColumns()
    ids: list[str] = []
    for segment in segments:
        start = len(ratings)
        for row, candidate in enumerate(segment.candidates, start):
            ratings.append(nan if candidate.rating is None else candidate.rating)
            added.append(bool(candidate.extra and candidate.extra.get(ADDED)))
            for name in candidate.systems:
                members.extend((row, systems[name]))
            aspects.put(row, candidate.ratings)
        for better, worse in segment.preferences:
            pairs.extend((start + better, start + worse))
        sizes.append(len(segment.candidates))
        group.append(groups[segment.group])
        ids.append(segment.id)
        if cluster is not None:  # the same value in two groups is two clusters
            cluster_of.append(clusters[segment.group, repr(segment.extra.get(cluster))])
    return Candidates(
        segments=len(ids),
        segment=np.repeat(np.arange(len(ids)), np.array(sizes, np.int64)),
        rating=np.array(ratings, dtype=float),
        pairs=np.array(pairs, np.int64).reshape(-1, 2),
        group=np.array(group, np.int64),
        groups=tuple(groups) or ("",),
        ids=tuple(ids),
        members=_sorted_members(members, systems),
        systems=tuple(sorted(systems)),
        cluster=None if cluster is None else np.array(cluster_of, np.int64),
        added=np.array(added, np.uint8).astype(bool),
        ratings=aspects.filled(len(ratings)),
    )


def _sorted_members(members: array[int], systems: Mapping[str, int]) -> Ints:
    """Return pairs of a row and a system, whose number is its place among the sorted names."""
    names = sorted(systems)
    places = np.array([names.index(name) for name in systems], np.int64)
    memberships = np.array(members, np.int64).reshape(-1, 2)
    memberships[:, 1] = places[memberships[:, 1]]
    return memberships


class _AspectColumns:
    """Ratings by aspect, a column each; NaN in rows that nobody rated for it."""

    def __init__(self) -> None:
        self._columns: dict[str, array[float]] = {}

    def put(self, row: int, ratings: Mapping[str, float]) -> None:
        """Put the ratings of a row, which comes after all rows before."""
        for aspect, rating in ratings.items():
            column = self._columns.setdefault(aspect, array("d"))
            column.extend([nan] * (row - len(column)))
            column.append(rating)

    def filled(self, rows: int) -> dict[str, Vector]:
        """Return the columns, with NaN for the last rows, where nobody rated."""
        return {
            aspect: np.append(np.array(column, dtype=float), np.full(rows - len(column), nan))
            for aspect, column in self._columns.items()
        }


def rated_by(candidates: Candidates, rating: str) -> Candidates:
    """Take the ratings of an aspect, or the mean over all aspects, as the ratings."""
    if rating == PLAIN:
        return candidates
    nothing = np.full(len(candidates.segment), nan)
    columns = [*candidates.ratings.values()] if rating == MEAN else []
    mean = np.mean(columns, axis=0) if columns else nothing  # NaN where one is missing
    return replace(candidates, rating=candidates.ratings.get(rating, mean))


class _Numbers(dict[K, int]):
    """Numbers from 0 for names, in the order in which they are first asked for."""

    def __missing__(self, name: K) -> int:
        number = self[name] = len(self)
        return number


def take_segments(observed: Observations, chosen: Mask) -> Observations:
    """Keep the chosen segments, renumbered, as if the others had never been there."""
    candidates = observed.candidates
    rows = chosen[candidates.segment]
    row_number, segment_number = np.cumsum(rows) - 1, np.cumsum(chosen) - 1
    members = candidates.members
    if members is not None:
        kept = members[rows[members[:, 0]]]
        members = np.stack([row_number[kept[:, 0]], kept[:, 1]], axis=1)
    smaller = replace(
        candidates,
        segments=int(chosen.sum()),
        segment=segment_number[candidates.segment[rows]],
        rating=candidates.rating[rows],
        pairs=row_number[candidates.pairs[rows[candidates.pairs].all(axis=1)]],
        group=candidates.group[chosen],
        ids=tuple(name for name, keep in zip(candidates.ids, chosen, strict=False) if keep),
        members=members,
        cluster=None if candidates.cluster is None else candidates.cluster[chosen],
        added=None if candidates.added is None else candidates.added[rows],
        ratings={aspect: ratings[rows] for aspect, ratings in candidates.ratings.items()},
    )
    return Observations(
        smaller,
        {score_key: scores[rows] for score_key, scores in observed.scores.items()},
        {score_key: changed[rows] for score_key, changed in observed.changed.items()},
    )


def original_rows(candidates: Candidates) -> Mask:
    """Mark the candidates that the data came with: all but added copies."""
    return np.ones(len(candidates.segment), bool) if candidates.added is None else ~candidates.added


def finite_rows(observed: Observations, *score_keys: ScoreKey) -> Mask:
    """Mark the candidates that have a score under every key."""
    mask = np.ones(len(observed.candidates.segment), bool)
    for score_key in score_keys:
        mask &= np.isfinite(observed.scores[score_key])
    return mask


def changed_segments(observed: Observations, seeds: Sequence[ScoreKey], rows: Mask) -> Mask:
    """Mark the segments in which any seed changed the text of one of the rows."""
    changed = rows & np.logical_or.reduce([observed.changed[score_key] for score_key in seeds])
    segments: Mask = rows_per_segment(observed.candidates, changed) > 0
    return segments


def rows_per_segment(candidates: Candidates, rows: Mask | Ints) -> Ints:
    """Count the rows of each segment; `rows` marks them or lists them."""
    return np.bincount(candidates.segment[rows], minlength=candidates.segments)


def by_segment(segments: int, segment: Ints, *columns: Vector | Mask) -> Matrix:
    """Sum each column within segments: (segments, columns)."""
    sums = [np.bincount(segment, column, segments) for column in columns]
    return np.stack(sums, axis=1) if segments else np.zeros((0, len(columns)))


def preference_pairs(candidates: Candidates, rating_gap: float | None) -> Ints:
    """List pairs of rows (better, worse): people's preferences or, with a gap, by their ratings."""
    return candidates.pairs if rating_gap is None else rated_pairs(candidates, rating_gap)


def rated_pairs(candidates: Candidates, gap: float) -> Ints:
    """Pair candidates of a segment whose ratings lie at least `gap` apart, better first."""
    first, second = all_pairs(candidates)
    ahead = candidates.rating[first] - candidates.rating[second]
    apart = np.abs(ahead) >= gap  # NaN: no
    swap = ahead < 0
    better, worse = np.where(swap, second, first), np.where(swap, first, second)
    return np.stack([better[apart], worse[apart]], axis=1)


def all_pairs(candidates: Candidates) -> tuple[Ints, Ints]:
    """Pair every two candidates of a segment once."""
    sizes = np.bincount(candidates.segment, minlength=candidates.segments)
    rows = np.arange(len(candidates.segment))
    after = np.cumsum(sizes)[candidates.segment] - rows - 1  # rows of the segment that follow
    first = np.repeat(rows, after)
    offset = np.arange(len(first)) - np.repeat(np.cumsum(after) - after, after)
    return first, first + 1 + offset


def usable_pairs(candidates: Candidates, rows: Mask) -> tuple[Ints, Ints]:
    """Pair every two of the usable candidates of a segment once."""
    first, second = all_pairs(candidates)
    usable = rows[first] & rows[second]
    return first[usable], second[usable]


def best_rows(candidates: Candidates, among: Mask | None = None) -> Mask:
    """Mark each segment's best candidates: highest rating or, unrated, never judged worse.

    Where there are no ratings, a candidate is best if people preferred it at least once and
    preferred nothing to it; a segment without such a candidate has no best one. Copies that were
    added to the data are never the best. Candidates that are not `among` those given are as if
    they were not there.
    """
    there = np.ones(len(candidates.rating), bool) if among is None else among
    top = np.full(candidates.segments, -np.inf)
    rated = np.isfinite(candidates.rating) & original_rows(candidates) & there
    np.maximum.at(top, candidates.segment[rated], candidates.rating[rated])
    by_rating = rated & (candidates.rating == top[candidates.segment])
    won, lost = np.zeros(len(rated), bool), np.zeros(len(rated), bool)
    pairs = candidates.pairs[there[candidates.pairs].all(axis=1)]
    won[pairs[:, 0]] = True
    lost[pairs[:, 1]] = True
    unrated_segment = ~np.isfinite(top)[candidates.segment]
    return np.where(unrated_segment, won & ~lost, by_rating)


def midranks(values: Vector) -> Vector:
    """Rank from 1; equal values share the mean of their ranks."""
    _, place, counts = np.unique(values, return_inverse=True, return_counts=True)
    return (np.cumsum(counts) - (counts - 1) / 2)[place]


def tie_width(scores: Vector, tie: float = TIE) -> float:
    """Return how far apart scores may be and still be equal.

    Up to TIE it allows for rounding errors, as of batching and padding. These are relative to the
    scores, so it is relative to the largest one if that is below 1: a metric on a scale of 1e-9
    is not all ties. A wider tie is taken as it is.
    """
    largest = float(np.abs(scores[np.isfinite(scores)]).max(initial=0.0))
    return tie * largest if tie <= TIE and 0 < largest < 1 else tie


def describe_tie(tie: float) -> str:
    """Write which scores tie."""
    relative = ", relative to the largest if that is below 1" if 0 < tie <= TIE else ""
    return f"scores within {tie:g} tie{relative}"


def to_grid(scores: Vector, tie: float) -> Vector:
    """Round scores to the tie tolerance, so that equal means equal."""
    tie = tie_width(scores, tie)
    if tie <= 0 or not len(scores):
        return scores
    rounded: Vector = np.round((scores - scores.min()) / tie)
    return rounded if np.ptp(scores) > tie else np.zeros(len(scores))


def ratio(above: Vector, below: Vector, least: float = 0.0) -> Vector:
    """Divide; NaN where the denominator is not above `least`."""
    above, below = np.broadcast_arrays(above, below)
    quotient: Vector = np.full(above.shape, np.nan)
    return np.divide(above, below, out=quotient, where=below > least)
