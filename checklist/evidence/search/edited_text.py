"""A text of the data with the edits that a perturbation made, and when they break the metric."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import inf, isfinite
from typing import NamedTuple, TypeAlias

import numpy as np

from shakeproof.data.segments import Segment
from shakeproof.evidence.rows import ChosenRow, ScoreLimits, position_of
from shakeproof.evidence.search.shrinking import EditSet
from shakeproof.metrics.protocols import Instance
from shakeproof.perturbations.editing import apply
from shakeproof.perturbations.family import Edit
from shakeproof.plan.items import ScoreKey
from shakeproof.plan.perturbed import CLEAN, texts, with_texts
from shakeproof.scoring.score_table import ScoreTable, instances_of
from shakeproof.stats.rows import TIE, tie_width
from shakeproof.text import edits_between

Scores: TypeAlias = tuple[float, ...]  # of the rated candidates of an edited text


class TextEdit(NamedTuple):
    """An edit of one of several texts."""

    text: int  # its position among the texts
    edit: Edit


@dataclass(frozen=True, slots=True)
class EditedText:
    """One text with all its candidate edits, and the rule for when they break the metric.

    Either the score must keep within limits, or it must stay above that of a worse candidate,
    which is rated too if the edits concern both. The edited texts may be several references.
    """

    segment: Segment
    field: str
    positions: tuple[int, ...]  # of the candidates that are rated, the better one first
    edits: tuple[TextEdit, ...]
    clean_scores: Scores
    perturbed_scores: Scores  # with all edits made
    limits: ScoreLimits | None = None  # None: the order of two candidates counts
    worse_score: float | None = None  # of the worse candidate, if no edit concerns it
    worse_position: int | None = None  # of that candidate
    tie: float = TIE  # a score must be further above that of the worse candidate

    def excess(self, scores: Scores) -> float:
        """Return how far scores are from what is allowed; above 0 the metric is broken."""
        if self.limits is not None:
            return float(self.limits.excess(np.array([scores[0] - self.clean_scores[0]]))[0])
        gap = scores[0] - (scores[-1] if self.worse_score is None else self.worse_score)
        return self.tie - gap if isfinite(gap) else -inf

    @property
    def all_edits(self) -> EditSet:
        """Return the numbers of all edits."""
        return frozenset(range(len(self.edits)))

    @property
    def clean_texts(self) -> tuple[str, ...]:
        """Return the texts before they are edited."""
        return edited_field(self.segment, self.field, self.positions[0])

    def texts(self, edits: Iterable[int]) -> list[str]:
        """Return the texts with some of the edits made."""
        return apply_edits(self.clean_texts, (self.edits[number] for number in edits))

    def instances(self, edits: Iterable[int]) -> list[Instance]:
        """Return what must be rated to know what some of the edits do."""
        new = self.texts(edits)
        if self.field == "candidate":
            candidates = list(texts(self.segment, self.field))
            candidates[self.positions[0]], new = new[0], candidates
        instances = instances_of(with_texts(self.segment, self.field, new))
        return [instances[position] for position in self.positions]

    def expected_excess(self, max_edits: int) -> float:
        """Return the excess of so many edits if all of them had the same effect."""
        share = min(1.0, max_edits / max(len(self.edits), 1))
        pairs = zip(self.clean_scores, self.perturbed_scores, strict=True)
        return self.excess(tuple(clean + (after - clean) * share for clean, after in pairs))


def edits_of_texts(before: Sequence[str], after: Sequence[str]) -> tuple[TextEdit, ...]:
    """Return the edits of several texts, one text after the other."""
    return tuple(
        TextEdit(position, edit)
        for position, pair in enumerate(zip(before, after, strict=True))
        for edit in edits_between(*pair)
    )


def apply_edits(texts: Sequence[str], edits: Iterable[TextEdit]) -> list[str]:
    """Return the texts with these edits made, and everything else as it was."""
    by_text: list[list[Edit]] = [[] for _ in texts]
    for position, edit in edits:
        by_text[position].append(edit)
    return [apply(text, sorted(edits)) for text, edits in zip(texts, by_text, strict=True)]


def edited_field(segment: Segment, field: str, position: int) -> tuple[str, ...]:
    """Return the texts of a field that the score of one candidate depends on."""
    found = texts(segment, field)
    return (found[position],) if field == "candidate" else found


def edited_text(
    score_table: ScoreTable, score_key: ScoreKey, chosen: ChosenRow, limits: ScoreLimits | None
) -> EditedText | None:
    """Return the edited text of a row; None where no single score and no pair is judged.

    Candidates are edited one at a time: the worse one of a pair stays as it was.
    """
    name, condition = score_key
    clean, perturbed = score_table.scores((name, CLEAN)), score_table.scores(score_key)
    rows, worse_score, worse_position = [chosen.row], None, None
    if chosen.worse_row is not None:
        limits = None
        if condition.field == "candidate":
            worse_score = float(clean[chosen.worse_row])
            worse_position = position_of(score_table.candidates, chosen.worse_row)[1]
        else:
            rows.append(chosen.worse_row)
    elif limits is None:
        return None
    number, position = position_of(score_table.candidates, chosen.row)
    before, after = (
        edited_field(score_table.segment(one, number), condition.field, position)
        for one in (CLEAN, condition)
    )
    return EditedText(
        segment=score_table.plan.segments[number],
        field=condition.field,
        positions=tuple(position_of(score_table.candidates, row)[1] for row in rows),
        edits=edits_of_texts(before, after),
        clean_scores=tuple(float(clean[row]) for row in rows),
        perturbed_scores=tuple(float(perturbed[row]) for row in rows),
        limits=limits,
        worse_score=worse_score,
        worse_position=worse_position,
        tie=tie_width(clean),
    )
