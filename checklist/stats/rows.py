"""Candidates as rows: built from segments, split by group, paired, summed by segment."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from shakeproof.data.copies import ADDED
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

TIE = 1e-6  # scores this close are equal, by default: see tie_width


def candidates_of(segments: Sequence[Segment], cluster: str | None = None) -> Candidates:
    """Lay out candidates as rows; `cluster` is the key of the segments resampled together."""
    sizes = [len(segment.candidates) for segment in segments]
    starts = np.cumsum([0, *sizes])
    candidate_list = [candidate for segment in segments for candidate in segment.candidates]
    pairs = [
        (start + better, start + worse)
        for start, segment in zip(starts, segments, strict=False)
        for better, worse in segment.preferences
    ]
    groups = tuple(dict.fromkeys(segment.group for segment in segments)) or ("",)
    systems = tuple(sorted({name for candidate in candidate_list for name in candidate.systems}))
    members = [
        (row, systems.index(name))
        for row, candidate in enumerate(candidate_list)
        for name in candidate.systems
    ]
    return Candidates(
        segments=len(segments),
        segment=np.repeat(np.arange(len(segments)), sizes),
        rating=np.array(
            [np.nan if c.rating is None else c.rating for c in candidate_list], dtype=float
        ),
        pairs=np.array(pairs, dtype=np.int64).reshape(-1, 2),
        group=np.array([groups.index(segment.group) for segment in segments], dtype=np.int64),
        groups=groups,
        ids=tuple(segment.id for segment in segments),
        members=np.array(members, dtype=np.int64).reshape(-1, 2),
        systems=systems,
        cluster=None if cluster is None else _clusters(segments, cluster),
        added=np.array([bool(c.extra.get(ADDED)) for c in candidate_list], dtype=bool),
    )


def _clusters(segments: Sequence[Segment], key: str) -> Ints:
    """Give each value under a key a number; the same value in two groups is two clusters."""
    names = [(segment.group, repr(segment.extra.get(key))) for segment in segments]
    numbers = {name: number for number, name in enumerate(dict.fromkeys(names))}
    return np.array([numbers[name] for name in names], dtype=np.int64)


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


def best_rows(candidates: Candidates) -> Mask:
    """Mark each segment's best candidates: highest rating or, unrated, never judged worse.

    Where there are no ratings, a candidate is best if people preferred it at least once and
    preferred nothing to it; a segment without such a candidate has no best one. Copies that were
    added to the data are never the best.
    """
    top = np.full(candidates.segments, -np.inf)
    rated = np.isfinite(candidates.rating) & original_rows(candidates)
    np.maximum.at(top, candidates.segment[rated], candidates.rating[rated])
    by_rating = rated & (candidates.rating == top[candidates.segment])
    won, lost = np.zeros(len(rated), bool), np.zeros(len(rated), bool)
    won[candidates.pairs[:, 0]] = True
    lost[candidates.pairs[:, 1]] = True
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
