"""From scores to what a statistic sees."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import asdict, dataclass, field

import numpy as np

from shakeproof.data.segments import Segment
from shakeproof.errors import SpecError
from shakeproof.metrics.engine.engine import Engine
from shakeproof.metrics.engine.memory import without_collector
from shakeproof.metrics.models.files import Place
from shakeproof.metrics.models.tokenizer_files import cutter, model_of
from shakeproof.metrics.protocols import Instance
from shakeproof.perturbations.severity import realised, unknown_per_segment
from shakeproof.plan.items import Plan, ScoreKey
from shakeproof.plan.perturbed import CLEAN, Condition, perturbed, texts
from shakeproof.results import Realised
from shakeproof.stats.observations import Candidates, Mask, Observations, Vector
from shakeproof.stats.rows import candidates_of


def instances_of(segment: Segment) -> list[Instance]:
    """Make one item of each candidate."""
    return [
        Instance(c.text, segment.references, segment.source, c.scores) for c in segment.candidates
    ]


@dataclass(slots=True)
class ScoreTable:
    """Reads the scores of a plan from the engine, each block once."""

    plan: Plan
    engine: Engine
    candidates: Candidates = field(init=False)
    _conditions: dict[Condition, tuple[Segment, ...]] = field(default_factory=dict)
    _scores: dict[ScoreKey, Vector] = field(default_factory=dict)
    _changed: dict[Condition, Mask] = field(default_factory=dict)
    _realised: dict[tuple[Condition, Place | None], Realised] = field(default_factory=dict)
    _items: tuple[Condition, list[Instance]] | None = None  # of the condition that was read last

    def __post_init__(self) -> None:
        self.candidates = candidates_of(self.plan.segments, self.plan.checklist.cluster)

    def segments(self, condition: Condition) -> tuple[Segment, ...]:
        """Give the segments under a condition."""
        if condition not in self._conditions:
            self._conditions[condition] = perturbed(
                condition, self.plan.segments, self.plan.checklist.families
            )
        return self._conditions[condition]

    def changed(self, condition: Condition) -> Mask:
        """Tell for each row whether its texts differ from the clean ones."""
        if condition not in self._changed:
            self._changed[condition] = changed_rows(
                condition, self.plan.segments, self.segments(condition)
            )
        return self._changed[condition]

    def realised(self, score_key: ScoreKey) -> Realised:
        """Measure what a condition did to the texts of its field, also as the metric cuts them."""
        name, condition = score_key
        model = model_of(self.plan.metrics[name], self._first_item())
        return self._realised_for(condition, model)

    def _realised_for(self, condition: Condition, model: Place | None) -> Realised:
        """Measure it once for each model, and what is the same for all once."""
        if (condition, model) not in self._realised:
            before = _texts(self.plan.segments, condition.field)
            after = _texts(self.segments(condition), condition.field)
            if model is None:
                found = Realised(**asdict(realised(before, after)))
            else:
                found = self._realised_for(condition, None)
                found = found.model_copy(update=_unknown(before, after, model))
            self._realised[condition, model] = found
        return self._realised[condition, model]

    def _first_item(self) -> Instance:
        return next(item for segment in self.plan.segments for item in instances_of(segment))

    def scores(self, score_key: ScoreKey) -> Vector:
        """Read the scores of one block, a row for each candidate."""
        if score_key not in self._scores:
            name, condition = score_key
            items = self._items_under(condition)
            self._scores[score_key] = self.engine.read(self.plan.metrics[name], items)
        return self._scores[score_key]

    @without_collector()
    def _items_under(self, condition: Condition) -> list[Instance]:
        """Make the items of a condition; they are kept while its blocks are read one by one."""
        if self._items is None or self._items[0] != condition:
            items = [item for segment in self.segments(condition) for item in instances_of(segment)]
            self._items = condition, items
        return self._items[1]

    def give(self, score_key: ScoreKey, scores: Vector) -> None:
        """Take the scores of a block from elsewhere."""
        self._scores[score_key] = scores

    def observe(self, score_keys: Sequence[ScoreKey]) -> Observations:
        """Bring together what a statistic over these blocks needs."""
        changed: dict[Hashable, Mask] = {
            score_key: self._real(score_key[1]) for score_key in score_keys
        }
        scores: dict[Hashable, Vector] = {
            score_key: self.scores(score_key) for score_key in score_keys
        }
        return Observations(self.candidates, scores, changed)

    def _real(self, condition: Condition) -> Mask:
        mask = self.changed(condition)
        if condition != CLEAN and not condition.first and not mask.any():
            raise SpecError(
                f"{condition.family!r} changes none of the {len(self.plan.segments)} segments, "
                "so the check would prove nothing; choose another family, field or data set"
            )
        return mask


def _unknown(before: Sequence[str], after: Sequence[str], model: Place) -> dict[str, float]:
    """Count unknown tokens, where the model's files tell how it cuts texts."""
    cut = cutter(model)
    if cut is None:
        return {}
    return {
        "unknown": unknown_per_segment(after, cut),
        "unknown_before": unknown_per_segment(before, cut),
    }


def _texts(segments: Sequence[Segment], name: str) -> list[str]:
    return [text for segment in segments for text in texts(segment, name)]


def changed_rows(condition: Condition, clean: Sequence[Segment], noisy: Sequence[Segment]) -> Mask:
    """Compare texts row by row; a changed reference or source changes all rows of its segment."""
    rows: list[bool] = []
    for before, after in zip(clean, noisy, strict=True):
        if condition.field == "candidate":
            pairs = zip(before.candidates, after.candidates, strict=True)
            rows.extend(old.text != new.text for old, new in pairs)
        else:
            differs = condition != CLEAN and (
                texts(before, condition.field) != texts(after, condition.field)
            )
            rows.extend([differs] * len(before.candidates))
    return np.array(rows, dtype=bool)
