"""Evidence: the texts that moved a metric most."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from shakeproof.conditions import Condition, texts
from shakeproof.observe import Observer
from shakeproof.plan import Block, PlannedItem
from shakeproof.results import Example
from shakeproof.stats.frame import Frame, Ints, Vector
from shakeproof.stats.rows import best_rows

EXAMPLES = 3  # shown for each item


def worst_texts(observer: Observer, item: PlannedItem) -> tuple[Example, ...]:
    """Show where the item's perturbation did most harm, at its highest level."""
    if item.perturb is None:
        return ()
    noisy: Block = item.blocks[-1]
    before, after = observer.scores(item.blocks[0]), observer.scores(noisy)
    find = _flips if item.check.expect.correlational else _moves
    if item.check.expect.name == "copy_penalty":
        find = _copies
    return tuple(find(observer, noisy[1], before, after))


def _moves(
    observer: Observer, condition: Condition, before: Vector, after: Vector
) -> Iterator[Example]:
    """Show the largest changes of score, one for each segment."""
    changed = np.where(observer.changed(condition), np.abs(after - before), -1.0)
    for row in _one_per_segment(observer.frame, np.argsort(-changed, kind="stable")):
        if changed[row] >= 0:
            yield _example(observer, condition, row, before, after)


def _flips(
    observer: Observer, condition: Condition, before: Vector, after: Vector
) -> Iterator[Example]:
    """Show the pairs that the metric had right and now has wrong by the widest swing."""
    frame = observer.frame
    better, worse = judged_pairs(frame).T
    clean, noisy = before[better] - before[worse], after[better] - after[worse]
    swing = np.where((clean > 0) & (noisy <= 0), clean - noisy, -1.0)
    order = np.argsort(-swing, kind="stable")
    rank = {int(better[pair]): pair for pair in order[::-1] if swing[pair] >= 0}
    rows = np.array([row for row in better[order] if row in rank], dtype=np.int64)
    for row in _one_per_segment(frame, rows):
        other = int(worse[rank[row]])
        text = _candidate(observer, other)
        remark = f"now below the worse {text!r}: {after[row]:.3f} to {after[other]:.3f}"
        yield _example(observer, condition, row, before, after, remark)


def _copies(
    observer: Observer, condition: Condition, before: Vector, after: Vector
) -> Iterator[Example]:
    """Show the best candidates that a copy of the input beats by most."""
    best = best_rows(observer.frame) & observer.changed(condition)
    lead = np.where(best, after - before, -np.inf)
    for row in _one_per_segment(observer.frame, np.argsort(-lead, kind="stable")):
        if lead[row] > 0:
            yield _example(observer, condition, row, before, after, "the copy scores higher")


def judged_pairs(frame: Frame) -> Ints:
    """List pairs of rows (better, worse): people's preferences, or what the ratings imply."""
    if len(frame.pairs):
        return frame.pairs
    starts = np.flatnonzero(np.diff(frame.segment, prepend=-1))
    pairs = [
        (a, b)
        for rows in np.split(np.arange(len(frame.segment)), starts[1:])
        for a in rows
        for b in rows
        if frame.rating[a] > frame.rating[b]
    ]
    return np.array(pairs, dtype=np.int64).reshape(-1, 2)


def _one_per_segment(frame: Frame, rows: Ints) -> list[int]:
    found: dict[int, int] = {}
    for row in rows:
        if len(found) == EXAMPLES:
            break
        found.setdefault(int(frame.segment[row]), int(row))
    return list(found.values())


def _candidate(observer: Observer, row: int) -> str:
    segment = int(observer.frame.segment[row])
    first = int(np.searchsorted(observer.frame.segment, segment))
    return observer.plan.segments[segment].candidates[row - first].text


def _example(
    observer: Observer,
    condition: Condition,
    row: int,
    before: Vector,
    after: Vector,
    remark: str = "",
) -> Example:
    number = int(observer.frame.segment[row])
    position = row - int(np.searchsorted(observer.frame.segment, number))
    segment, damaged = observer.plan.segments[number], observer.segments(condition)[number]
    place = position if condition.field == "candidate" else 0
    own = condition.field == "candidate"
    return Example(
        segment=segment.id,
        field=condition.field,
        before=texts(segment, condition.field)[place],
        after=texts(damaged, condition.field)[place],
        score_before=float(before[row]),
        score_after=float(after[row]),
        candidate=None if own else segment.candidates[position].text,
        reference=segment.references[0] if segment.references else None,
        source=segment.source,
        rating=segment.candidates[position].rating,
        remark=remark,
    )
