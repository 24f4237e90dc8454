"""Rows of candidates: built from segments, split by group, summed by segment."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from shakeproof.data.segments import Segment
from shakeproof.stats.frame import Block, Frame, Ints, Mask, Matrix, Observations, Vector

TIE = 1e-6  # scores this close are equal: batching and padding move them by less
ADDED = "added_copy"  # marks, in a candidate's extra keys, a copy that was put into the data


def frame_of(segments: Sequence[Segment], cluster: str | None = None) -> Frame:
    """Lay out the candidates of `segments` as rows; `cluster` names what is drawn together."""
    sizes = [len(segment.candidates) for segment in segments]
    starts = np.cumsum([0, *sizes])
    candidates = [candidate for segment in segments for candidate in segment.candidates]
    pairs = [
        (start + better, start + worse)
        for start, segment in zip(starts, segments, strict=False)
        for better, worse in segment.preferences
    ]
    groups = tuple(dict.fromkeys(segment.group for segment in segments)) or ("",)
    systems = tuple(sorted({name for candidate in candidates for name in candidate.systems}))
    members = [
        (row, systems.index(name))
        for row, candidate in enumerate(candidates)
        for name in candidate.systems
    ]
    return Frame(
        segments=len(segments),
        segment=np.repeat(np.arange(len(segments)), sizes),
        rating=np.array(
            [np.nan if c.rating is None else c.rating for c in candidates], dtype=float
        ),
        pairs=np.array(pairs, dtype=np.int64).reshape(-1, 2),
        group=np.array([groups.index(segment.group) for segment in segments], dtype=np.int64),
        groups=groups,
        ids=tuple(segment.id for segment in segments),
        members=np.array(members, dtype=np.int64).reshape(-1, 2),
        systems=systems,
        cluster=None if cluster is None else _clusters(segments, cluster),
        added=np.array([bool(c.extra.get(ADDED)) for c in candidates], dtype=bool),
    )


def _clusters(segments: Sequence[Segment], key: str) -> Ints:
    """Give each value under a key a number; the same one in two groups is two clusters."""
    names = [(segment.group, repr(segment.extra.get(key))) for segment in segments]
    numbers = {name: number for number, name in enumerate(dict.fromkeys(names))}
    return np.array([numbers[name] for name in names], dtype=np.int64)


def take_segments(observed: Observations, chosen: Mask) -> Observations:
    """Keep the chosen segments, renumbered, as if the others had never been there."""
    frame = observed.frame
    rows = chosen[frame.segment]
    row_number, segment_number = np.cumsum(rows) - 1, np.cumsum(chosen) - 1
    smaller = replace(
        frame,
        segments=int(chosen.sum()),
        segment=segment_number[frame.segment[rows]],
        rating=frame.rating[rows],
        pairs=row_number[frame.pairs[rows[frame.pairs].all(axis=1)]],
        group=frame.group[chosen],
        ids=tuple(name for name, keep in zip(frame.ids, chosen, strict=False) if keep),
        members=None if frame.members is None else _renumber(frame.members, rows, row_number),
        cluster=None if frame.cluster is None else frame.cluster[chosen],
        added=None if frame.added is None else frame.added[rows],
    )
    return Observations(
        smaller,
        {block: scores[rows] for block, scores in observed.scores.items()},
        {block: changed[rows] for block, changed in observed.changed.items()},
    )


def _renumber(members: Ints, rows: Mask, row_number: Ints) -> Ints:
    kept = members[rows[members[:, 0]]]
    return np.stack([row_number[kept[:, 0]], kept[:, 1]], axis=1)


def original_rows(frame: Frame) -> Mask:
    """Mark the candidates that the data came with: all but added copies."""
    return np.ones(len(frame.segment), bool) if frame.added is None else ~frame.added


def finite_rows(observed: Observations, *blocks: Block) -> Mask:
    """Mark the candidates that all blocks have a score for."""
    mask = np.ones(len(observed.frame.segment), bool)
    for block in blocks:
        mask &= np.isfinite(observed.scores[block])
    return mask


def by_segment(segments: int, segment: Ints, *columns: Vector | Mask) -> Matrix:
    """Sum each column within segments: (segments, columns)."""
    sums = [np.bincount(segment, column, segments) for column in columns]
    return np.stack(sums, axis=1) if segments else np.zeros((0, len(columns)))


def rated_pairs(frame: Frame, gap: float) -> Ints:
    """Pair candidates of a segment whose ratings lie at least `gap` apart, better first."""
    first, second = all_pairs(frame)
    ahead = frame.rating[first] - frame.rating[second]
    apart = np.abs(ahead) >= gap  # NaN: no
    swap = ahead < 0
    better, worse = np.where(swap, second, first), np.where(swap, first, second)
    return np.stack([better[apart], worse[apart]], axis=1)


def all_pairs(frame: Frame) -> tuple[Ints, Ints]:
    """Pair every two candidates of a segment once."""
    sizes = np.bincount(frame.segment, minlength=frame.segments)
    rows = np.arange(len(frame.segment))
    after = np.cumsum(sizes)[frame.segment] - rows - 1  # rows of the segment that follow
    first = np.repeat(rows, after)
    offset = np.arange(len(first)) - np.repeat(np.cumsum(after) - after, after)
    return first, first + 1 + offset


def usable_pairs(frame: Frame, rows: Mask) -> tuple[Ints, Ints]:
    """Pair every two of the usable candidates of a segment once."""
    first, second = all_pairs(frame)
    usable = rows[first] & rows[second]
    return first[usable], second[usable]


def best_rows(frame: Frame) -> Mask:
    """Mark each segment's best candidates: highest rating or, unrated, never judged worse.

    Where there are no ratings, a candidate is best if people preferred it at least once and
    preferred nothing to it; a segment in which nobody is left has no best candidate. Copies that
    were added to the data are nobody's best.
    """
    top = np.full(frame.segments, -np.inf)
    rated = np.isfinite(frame.rating) & original_rows(frame)
    np.maximum.at(top, frame.segment[rated], frame.rating[rated])
    by_rating = rated & (frame.rating == top[frame.segment])
    won, lost = np.zeros(len(rated), bool), np.zeros(len(rated), bool)
    won[frame.pairs[:, 0]] = True
    lost[frame.pairs[:, 1]] = True
    unrated_segment = ~np.isfinite(top)[frame.segment]
    return np.where(unrated_segment, won & ~lost, by_rating)


def midranks(values: Vector) -> Vector:
    """Rank from 1; equal values share the mean of their ranks."""
    _, at, counts = np.unique(values, return_inverse=True, return_counts=True)
    return (np.cumsum(counts) - (counts - 1) / 2)[at]


def to_grid(scores: Vector, tie: float) -> Vector:
    """Round scores to the tie tolerance, so that equal means equal."""
    if tie <= 0 or not len(scores):
        return scores
    rounded: Vector = np.round((scores - scores.min()) / tie)
    return rounded if np.ptp(scores) > tie else np.zeros(len(scores))


def ratio(above: Vector, below: Vector, least: float = 0.0) -> Vector:
    """Divide; NaN where the denominator is not above `least`."""
    above, below = np.broadcast_arrays(above, below)
    quotient: Vector = np.full(above.shape, np.nan)
    return np.divide(above, below, out=quotient, where=below > least)
