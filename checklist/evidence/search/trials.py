"""Trials: one text of the data, the edits that were made to it, and what makes them break it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import inf, isfinite
from typing import TypeAlias

import numpy as np

from shakeproof.data.segments import Segment
from shakeproof.evidence.search.edits import Change, changes_between, with_changes
from shakeproof.evidence.search.places import Standard, place_of
from shakeproof.evidence.search.shrinking import Subset
from shakeproof.metrics.protocols import Instance
from shakeproof.plan.items import ScoreKey
from shakeproof.plan.perturbed import CLEAN, texts, with_texts
from shakeproof.scoring.score_table import ScoreTable, instances_of
from shakeproof.stats.rows import TIE

Scores: TypeAlias = tuple[float, ...]  # of the rated candidates of a trial


@dataclass(frozen=True, slots=True)
class Trial:
    """One text with all that was edited in it, and how to tell whether that breaks the metric.

    Either its score is held to a standard, or it must stay above that of a worse candidate, which
    is rated too if the edits concern it.
    """

    segment: Segment
    field: str
    positions: tuple[int, ...]  # of the candidates that are rated, the better one first
    changes: tuple[Change, ...]
    clean: Scores
    whole: Scores  # with all edits made
    standard: Standard | None = None  # None: the order counts
    rival: float | None = None  # the score of the worse candidate if it stays the same

    def beyond(self, scores: Scores) -> float:
        """Say how far scores are beyond what is allowed; above 0 the metric is broken."""
        if self.standard is not None:
            return float(self.standard.beyond(np.array([scores[0] - self.clean[0]]))[0])
        lead = scores[0] - (scores[-1] if self.rival is None else self.rival)
        return TIE - lead if isfinite(lead) else -inf

    @property
    def everything(self) -> Subset:
        """Name all edits."""
        return frozenset(range(len(self.changes)))

    @property
    def before(self) -> Sequence[str]:
        """List the texts that are edited, as they were."""
        return edited_texts(self.segment, self.field, self.positions[0])

    def texts(self, edits: Iterable[int]) -> list[str]:
        """Make some of the edits in the texts that are edited."""
        return with_changes(self.before, (self.changes[number] for number in edits))

    def items(self, edits: Iterable[int]) -> list[Instance]:
        """Make what must be rated to know what some of the edits do."""
        new = self.texts(edits)
        if self.field == "candidate":
            others = list(texts(self.segment, self.field))
            others[self.positions[0]], new = new[0], others
        items = instances_of(with_texts(self.segment, self.field, new))
        return [items[position] for position in self.positions]

    def guess(self, most: int) -> float:
        """Guess how far `most` edits would go, if all of them did the same."""
        share = min(1.0, most / max(len(self.changes), 1))
        pairs = zip(self.clean, self.whole, strict=True)
        return self.beyond(tuple(clean + (whole - clean) * share for clean, whole in pairs))


def edited_texts(segment: Segment, field: str, position: int) -> tuple[str, ...]:
    """List the texts that a perturbation of a field edits, as far as one candidate sees them."""
    found = texts(segment, field)
    return (found[position],) if field == "candidate" else found


def moved_trial(
    score_table: ScoreTable, score_key: ScoreKey, row: int, standard: Standard
) -> Trial:
    """Ask when the score of one candidate moves too far, or too little."""
    return _trial(score_table, score_key, (row,), standard=standard)


def paired_trial(score_table: ScoreTable, score_key: ScoreKey, better: int, worse: int) -> Trial:
    """Ask when the better of two candidates scores no higher any more.

    Edited candidates are edited one at a time: the worse one stays as it was.
    """
    if score_key[1].field != "candidate":
        return _trial(score_table, score_key, (better, worse))
    rival = float(score_table.scores((score_key[0], CLEAN))[worse])
    return _trial(score_table, score_key, (better,), rival=rival)


def _trial(
    score_table: ScoreTable,
    score_key: ScoreKey,
    rows: tuple[int, ...],
    *,
    standard: Standard | None = None,
    rival: float | None = None,
) -> Trial:
    name, condition = score_key
    field, places = condition.field, [place_of(score_table.candidates, row) for row in rows]
    number, position = places[0]
    segment, damaged = score_table.plan.segments[number], score_table.segments(condition)[number]
    scores = (score_table.scores((name, one)) for one in (CLEAN, condition))
    clean, whole = (tuple(float(each[row]) for row in rows) for each in scores)
    changes = changes_between(*(edited_texts(one, field, position) for one in (segment, damaged)))
    positions = tuple(position for _, position in places)
    return Trial(segment, field, positions, changes, clean, whole, standard, rival)
