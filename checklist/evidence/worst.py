"""Which rows are shown as evidence: those that say most against a metric."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from shakeproof.evidence.search.places import Standard, judged_pairs, place_of, standard_of
from shakeproof.evidence.search.trials import Trial, moved_trial, paired_trial
from shakeproof.plan.items import Item, ScoreKey
from shakeproof.scoring.score_table import ScoreTable
from shakeproof.stats.observations import Candidates, Ints
from shakeproof.stats.rows import best_rows

EXAMPLES = 3  # shown for each item


@dataclass(frozen=True, slots=True)
class Pick:
    """A row to be shown, and what is to be said of it."""

    row: int
    remark: str = ""
    rival: int | None = None  # the row of the worse candidate that it fell behind


def trial_for(
    score_table: ScoreTable, score_key: ScoreKey, pick: Pick, standard: Standard | None
) -> Trial | None:
    """Say what a search in the text of a row is about; None where no single score is judged."""
    if pick.rival is not None:
        return paired_trial(score_table, score_key, pick.row, pick.rival)
    return moved_trial(score_table, score_key, pick.row, standard) if standard else None


def picked(score_table: ScoreTable, item: Item) -> list[Pick]:
    """Pick where the item's perturbation did most harm, at its highest level."""
    expect = item.check.expect
    find = _copies if expect.about_copies else _flips if expect.correlational else _moves
    return list(find(score_table, item))


def _moves(score_table: ScoreTable, item: Item) -> Iterator[Pick]:
    """Pick the texts that break the expectation most, or else the largest changes of score."""
    noisy = item.score_keys[-1]
    rise = score_table.scores(noisy) - score_table.scores(item.score_keys[0])
    standard = standard_of(score_table, item)
    harm = standard.beyond(rise) if standard else np.abs(rise)
    harm = np.where(score_table.changed(noisy[1]) & np.isfinite(rise), harm, -np.inf)
    for row in one_per_segment(score_table.candidates, np.argsort(-harm, kind="stable")):
        if harm[row] > -np.inf:
            yield Pick(row)


def _flips(score_table: ScoreTable, item: Item) -> Iterator[Pick]:
    """Pick the pairs that the metric had right and now has wrong by the widest swing."""
    candidates = score_table.candidates
    before, after = score_table.scores(item.score_keys[0]), score_table.scores(item.score_keys[-1])
    better, worse = judged_pairs(candidates).T
    clean, noisy = before[better] - before[worse], after[better] - after[worse]
    swing = np.where((clean > 0) & (noisy <= 0), clean - noisy, -1.0)
    order = np.argsort(-swing, kind="stable")
    rank = {int(better[pair]): pair for pair in order[::-1] if swing[pair] >= 0}
    rows = np.array([row for row in better[order] if row in rank], dtype=np.int64)
    for row in one_per_segment(candidates, rows):
        other = int(worse[rank[row]])
        number, position = place_of(candidates, other)
        text = score_table.plan.segments[number].candidates[position].text
        remark = f"now below the worse {text!r}: {after[row]:.3f} to {after[other]:.3f}"
        yield Pick(row, remark, other)


def _copies(score_table: ScoreTable, item: Item) -> Iterator[Pick]:
    """Pick the best candidates that a copy of the input beats by most."""
    noisy = item.score_keys[-1]
    best = best_rows(score_table.candidates) & score_table.changed(noisy[1])
    lead = np.where(
        best, score_table.scores(noisy) - score_table.scores(item.score_keys[0]), -np.inf
    )
    for row in one_per_segment(score_table.candidates, np.argsort(-lead, kind="stable")):
        if lead[row] > 0:
            yield Pick(row, "the copy scores higher")


def one_per_segment(candidates: Candidates, rows: Ints) -> list[int]:
    """Take the first rows, as many as are shown, no segment twice."""
    found: dict[int, int] = {}
    for row in rows:
        if len(found) == EXAMPLES:
            break
        found.setdefault(int(candidates.segment[row]), int(row))
    return list(found.values())
