"""How often scores changed by how much, as a histogram."""

from __future__ import annotations

import numpy as np

from shakeproof.evidence.rows import highest_level_keys
from shakeproof.plan.items import Item
from shakeproof.results import Histogram
from shakeproof.scoring.score_table import ScoreTable
from shakeproof.stats.rows import TIE, tie_width

MAX_BINS = 21
DIGITS = 6  # of an edge


def score_changes(score_table: ScoreTable, item: Item) -> Histogram | None:
    """Count the changes of scores at the highest level, over all seeds, where texts changed."""
    if item.perturb is None:
        return None
    clean = score_table.scores(item.score_keys[0])
    changes = np.concatenate(
        [
            (score_table.scores(score_key) - clean)[score_table.changed(score_key[1])]
            for score_key in highest_level_keys(item)
        ]
    )
    changes = changes[np.isfinite(changes)]
    if not len(changes):
        return None
    equal = np.ptp(changes) <= tie_width(clean)
    ends = (changes.min() - TIE, changes.max() + TIE) if equal else None
    bins = 1 if equal else min(MAX_BINS, int(np.sqrt(len(changes))))
    counts, edges = np.histogram(changes, bins=bins, range=ends)
    rounded = tuple(float(f"{edge:.{DIGITS}g}") for edge in edges)
    return Histogram(edges=rounded, counts=tuple(counts.tolist()))
