"""Where a search looks, and what it holds a score to."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias, cast

import numpy as np

from shakeproof.plan.items import Item, ScoreKey
from shakeproof.scoring.score_table import ScoreTable
from shakeproof.stats.kinds.scores import spread_of
from shakeproof.stats.observations import Candidates, Ints, Vector
from shakeproof.stats.rows import rated_pairs
from shakeproof.stats.text_limits import Fault

Place: TypeAlias = tuple[int, int]  # a segment, and the position of a candidate in it


@dataclass(frozen=True, slots=True)
class Standard:
    """What single scores are held to, and the unit that its limits are in."""

    fault: Fault
    unit: float = 1.0

    def moved(self, rise: float) -> float:
        """Count movement as the expectation does, in the metric's own units."""
        return float(self.fault.moved(np.array([rise]))[0])

    def beyond(self, rise: Vector) -> Vector:
        """Say how far movements lie beyond the limits; above 0 they break it."""
        return self.fault.beyond(rise, self.unit)


def standard_of(score_table: ScoreTable, item: Item) -> Standard | None:
    """Give what an item holds single scores to; None where it cannot, as without a spread."""
    fault = item.check.expect.fault
    if fault is None or not fault.spreads:
        return None if fault is None else Standard(fault)
    score_keys = item.score_keys[0], *highest(item)
    rows = np.logical_and.reduce([np.isfinite(score_table.scores(one)) for one in score_keys])
    spread = spread_of(score_table.candidates, score_table.scores(score_keys[0]), rows)
    return Standard(fault, spread) if spread else None


def highest(item: Item) -> tuple[ScoreKey, ...]:
    """List the blocks of the highest level, one for each seed."""
    return cast(tuple[ScoreKey, ...], item.compared.perturbed[-1])  # made by the plan


def place_of(candidates: Candidates, row: int) -> Place:
    """Say which candidate of which segment a row is."""
    segment = int(candidates.segment[row])
    return segment, row - int(np.searchsorted(candidates.segment, segment))


def judged_pairs(candidates: Candidates) -> Ints:
    """List pairs of rows (better, worse): people's preferences, or what the ratings imply."""
    if len(candidates.pairs):
        return candidates.pairs
    return rated_pairs(candidates, gap=np.finfo(float).tiny)
