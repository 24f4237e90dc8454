"""Which rows are shown as evidence: those that say most against a metric."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from shakeproof.evidence.search.places import Standard, judged_pairs, place_of, standard_of
from shakeproof.evidence.search.trials import Trial, moved_trial, paired_trial
from shakeproof.plan.items import Block, PlannedItem
from shakeproof.scoring.score_table import Observer
from shakeproof.stats.frame import Frame, Ints
from shakeproof.stats.rows import best_rows

EXAMPLES = 3  # shown for each item


@dataclass(frozen=True, slots=True)
class Pick:
    """A row to be shown, and what is to be said of it."""

    row: int
    remark: str = ""
    rival: int | None = None  # the row of the worse candidate that it fell behind


def trial_for(
    observer: Observer, block: Block, pick: Pick, standard: Standard | None
) -> Trial | None:
    """Say what a search in the text of a row is about; None where no single score is judged."""
    if pick.rival is not None:
        return paired_trial(observer, block, pick.row, pick.rival)
    return moved_trial(observer, block, pick.row, standard) if standard else None


def picked(observer: Observer, item: PlannedItem) -> list[Pick]:
    """Pick where the item's perturbation did most harm, at its highest level."""
    expect = item.check.expect
    find = _copies if expect.about_copies else _flips if expect.correlational else _moves
    return list(find(observer, item))


def _moves(observer: Observer, item: PlannedItem) -> Iterator[Pick]:
    """Pick the texts that break the expectation most, or else the largest changes of score."""
    noisy = item.blocks[-1]
    rise = observer.scores(noisy) - observer.scores(item.blocks[0])
    standard = standard_of(observer, item)
    harm = standard.beyond(rise) if standard else np.abs(rise)
    harm = np.where(observer.changed(noisy[1]) & np.isfinite(rise), harm, -np.inf)
    for row in one_per_segment(observer.frame, np.argsort(-harm, kind="stable")):
        if harm[row] > -np.inf:
            yield Pick(row)


def _flips(observer: Observer, item: PlannedItem) -> Iterator[Pick]:
    """Pick the pairs that the metric had right and now has wrong by the widest swing."""
    frame = observer.frame
    before, after = observer.scores(item.blocks[0]), observer.scores(item.blocks[-1])
    better, worse = judged_pairs(frame).T
    clean, noisy = before[better] - before[worse], after[better] - after[worse]
    swing = np.where((clean > 0) & (noisy <= 0), clean - noisy, -1.0)
    order = np.argsort(-swing, kind="stable")
    rank = {int(better[pair]): pair for pair in order[::-1] if swing[pair] >= 0}
    rows = np.array([row for row in better[order] if row in rank], dtype=np.int64)
    for row in one_per_segment(frame, rows):
        other = int(worse[rank[row]])
        number, position = place_of(frame, other)
        text = observer.plan.segments[number].candidates[position].text
        remark = f"now below the worse {text!r}: {after[row]:.3f} to {after[other]:.3f}"
        yield Pick(row, remark, other)


def _copies(observer: Observer, item: PlannedItem) -> Iterator[Pick]:
    """Pick the best candidates that a copy of the input beats by most."""
    noisy = item.blocks[-1]
    best = best_rows(observer.frame) & observer.changed(noisy[1])
    lead = np.where(best, observer.scores(noisy) - observer.scores(item.blocks[0]), -np.inf)
    for row in one_per_segment(observer.frame, np.argsort(-lead, kind="stable")):
        if lead[row] > 0:
            yield Pick(row, "the copy scores higher")


def one_per_segment(frame: Frame, rows: Ints) -> list[int]:
    """Take the first rows, as many as are shown, no segment twice."""
    found: dict[int, int] = {}
    for row in rows:
        if len(found) == EXAMPLES:
            break
        found.setdefault(int(frame.segment[row]), int(row))
    return list(found.values())
