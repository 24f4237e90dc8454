"""The scores of single candidates as rows, for other programs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from math import isnan
from typing import NamedTuple

from shakeproof.data.segments import Candidate, Segment
from shakeproof.metrics.engine.engine import MissingScores
from shakeproof.plan.items import Item, ScoreKey
from shakeproof.plan.perturbed import CLEAN, Condition
from shakeproof.scoring.score_table import ScoreTable
from shakeproof.stats.observations import Vector


class ScoreRow(NamedTuple):
    """The score of one candidate by one metric under one condition; no text is part of it."""

    segment: str  # its id
    group: str
    candidate: int  # its position in the segment, from 0
    systems: tuple[str, ...]  # that produced the candidate, as far as the data name them
    metric: str
    perturbation: str | None  # None: the clean texts
    on: str | None  # the field that was perturbed
    level: float | None
    seed: int | None
    stored: bool  # the perturbed texts are those of the data
    score: float | None  # None: the metric returned none
    rating: float | None  # by people


def score_rows(score_table: ScoreTable, items: Sequence[Item]) -> Iterator[ScoreRow]:
    """Yield a row for each metric, condition and candidate that the items compare.

    Metrics that were not scored at all are left out.
    """
    for score_key in used_score_keys(score_table, items):
        name, condition = score_key
        try:
            scores = score_table.scores(score_key)
        except MissingScores:
            continue
        numbered = _numbered(score_table.plan.segments, scores)
        for segment, position, candidate, score in numbered:
            if not (condition.first and position):  # only first candidates were perturbed
                yield _row(segment, position, candidate, name, condition, score)


def used_score_keys(score_table: ScoreTable, items: Iterable[Item]) -> list[ScoreKey]:
    """Return which metrics the items compare under which conditions, clean texts first.

    Controls are left out: no answer of a metric has exactly the score that is compared.
    """
    keys = dict.fromkeys(
        score_key
        for item in items
        for score_key in item.score_keys
        if score_key[0] not in score_table.failures and not score_table.is_control(score_key[1])
    )
    return sorted(keys, key=lambda score_key: score_key[1] != CLEAN)


def _numbered(
    segments: Sequence[Segment], scores: Vector
) -> Iterator[tuple[Segment, int, Candidate, float]]:
    values = iter(scores.tolist())
    for segment in segments:
        for position, candidate in enumerate(segment.candidates):
            yield segment, position, candidate, next(values)


def _row(
    segment: Segment,
    position: int,
    candidate: Candidate,
    metric: str,
    condition: Condition,
    score: float,
) -> ScoreRow:
    clean = condition == CLEAN
    return ScoreRow(
        segment=segment.id,
        group=segment.group,
        candidate=position,
        systems=candidate.systems,
        metric=metric,
        perturbation=None if clean else condition.family,
        on=None if clean else condition.field,
        level=None if clean else condition.level,
        seed=None if clean else condition.seed,
        stored=condition.stored,
        score=None if isnan(score) else score,
        rating=candidate.rating,
    )
