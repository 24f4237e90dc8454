"""Which rows of a score table are shown as evidence, and the limits that their scores broke."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import cast

import numpy as np

from shakeproof.plan.items import Item, ScoreKey
from shakeproof.scoring.score_table import ScoreTable
from shakeproof.stats.kinds.scores import spread_of
from shakeproof.stats.observations import Candidates, Ints, Vector
from shakeproof.stats.rows import best_rows, rated_by, rated_pairs, tie_width
from shakeproof.stats.text_limits import TextLimits

MAX_EXAMPLES = 3  # for each item


@dataclass(frozen=True, slots=True)
class ScoreLimits:
    """How far the score of one text may move, and the unit of that in raw scores."""

    allowed: TextLimits
    unit: float = 1.0

    def movement(self, rise: float) -> float:
        """Return the rise of a score as a movement in the direction that is limited."""
        return float(self.allowed.movement(np.array([rise]))[0])

    def excess(self, rises: Vector) -> Vector:
        """Return how far rises of scores lie outside the limits; above 0 they are broken."""
        return self.allowed.excess(rises, self.unit)


@dataclass(frozen=True, slots=True)
class ChosenRow:
    """A row that is shown, and a remark about it."""

    row: int
    remark: str = ""
    worse_row: int | None = None  # the worse candidate that it no longer beats


def score_limits(score_table: ScoreTable, item: Item) -> ScoreLimits | None:
    """Return the limits of an item for single scores; None if it has none, or no unit for them."""
    limits, clean = item.check.expect.text_limits, item.score_keys[0]
    if limits is None:
        return None
    limits = replace(limits, tie=tie_width(score_table.scores(clean), limits.tie))
    if not limits.spreads:
        return ScoreLimits(limits)
    scores = [score_table.scores(key) for key in (clean, *highest_level_keys(item))]
    rows = np.logical_and.reduce([np.isfinite(column) for column in scores])
    spread = spread_of(score_table.candidates, scores[0], rows)
    return ScoreLimits(limits, spread) if spread else None


def highest_level_keys(item: Item) -> tuple[ScoreKey, ...]:
    """Return the score keys of the item's highest level, one for each seed."""
    return cast(tuple[ScoreKey, ...], item.compared.perturbed[-1])  # made by the plan


def position_of(candidates: Candidates, row: int) -> tuple[int, int]:
    """Return the segment of a row, and the position of its candidate in that segment."""
    segment = int(candidates.segment[row])
    return segment, row - int(np.searchsorted(candidates.segment, segment))


def candidate_text(score_table: ScoreTable, row: int) -> str:
    """Return the clean text of the candidate of a row."""
    segment, position = position_of(score_table.candidates, row)
    return score_table.plan.segments[segment].candidates[position].text


def judged_pairs(candidates: Candidates) -> Ints:
    """Return pairs of rows (better, worse), from people's preferences or else their ratings."""
    if len(candidates.pairs):
        return candidates.pairs
    return rated_pairs(candidates, gap=np.finfo(float).tiny)


def judged_by(score_table: ScoreTable, item: Item) -> Candidates:
    """Return the candidates with the ratings that decide an item; of several, the first."""
    rating = next(iter(item.check.expect.aspects), item.rating)
    return rated_by(score_table.candidates, rating)


def choose_rows(score_table: ScoreTable, item: Item) -> list[ChosenRow]:
    """Choose the rows that the item's perturbation harmed most, at its highest level."""
    if score_table.is_control(item.score_keys[-1][1]):
        return []  # no text changed, and no answer has exactly such a score
    expect = item.check.expect
    if expect.about_copies:
        return list(_copies(score_table, item))
    choose = _lost_pairs if expect.correlational else _movements
    return list(choose(score_table, item))


def _movements(score_table: ScoreTable, item: Item) -> Iterator[ChosenRow]:
    """Choose the texts that are furthest outside the limits, or else moved furthest."""
    perturbed = item.score_keys[-1]
    rises = score_table.scores(perturbed) - score_table.scores(item.score_keys[0])
    limits = score_limits(score_table, item)
    harm = limits.excess(rises) if limits else np.abs(rises)
    harm = np.where(score_table.changed(perturbed[1]) & np.isfinite(rises), harm, -np.inf)
    for row in one_per_segment(score_table.candidates, np.argsort(-harm, kind="stable")):
        if harm[row] > -np.inf:
            yield ChosenRow(row)


def _lost_pairs(score_table: ScoreTable, item: Item) -> Iterator[ChosenRow]:
    """Choose better candidates that beat a worse one before, by the largest change of the gap."""
    before, after = score_table.scores(item.score_keys[0]), score_table.scores(item.score_keys[-1])
    better, worse = judged_pairs(judged_by(score_table, item)).T
    gap_before, gap_after = before[better] - before[worse], after[better] - after[worse]
    tie = tie_width(before)
    harm = np.where((gap_before > tie) & (gap_after <= tie), gap_before - gap_after, -1.0)
    lost = np.flatnonzero(harm >= 0)
    lost = lost[np.argsort(-harm[lost], kind="stable")]
    for row in one_per_segment(score_table.candidates, better[lost]):
        other = int(worse[lost[np.argmax(better[lost] == row)]])  # of its worst pair
        remark = f"{lost_to(score_table, other)} ({_both_scores(after[row], after[other], tie)})"
        yield ChosenRow(row, remark, other)


def lost_to(score_table: ScoreTable, worse_row: int) -> str:
    """Write which worse candidate a better one does not beat any more."""
    return f"no longer beats the worse candidate {candidate_text(score_table, worse_row)!r}"


def _both_scores(score: float, other: float, tie: float) -> str:
    if abs(score - other) <= tie:
        return f"tied at {score:.3f}"
    digits = 3 if f"{score:.3f}" != f"{other:.3f}" else 6
    return f"{score:.{digits}f} against {other:.{digits}f}"


def _copies(score_table: ScoreTable, item: Item) -> Iterator[ChosenRow]:
    """Choose the best candidates that a copy of the input beats by most."""
    copies = item.score_keys[-1]
    clean = score_table.scores(item.score_keys[0])
    best = best_rows(judged_by(score_table, item), np.isfinite(clean))
    best &= score_table.changed(copies[1])
    rises = score_table.scores(copies) - clean
    harm = np.where(best, rises, -np.inf)
    for row in one_per_segment(score_table.candidates, np.argsort(-harm, kind="stable")):
        if harm[row] > 0:
            yield ChosenRow(row, "the copy scores higher")


def one_per_segment(candidates: Candidates, rows: Ints) -> list[int]:
    """Return the first rows, as many as are shown and at most one for each segment."""
    chosen: dict[int, int] = {}
    for row in rows:
        if len(chosen) == MAX_EXAMPLES:
            break
        chosen.setdefault(int(candidates.segment[row]), int(row))
    return list(chosen.values())
