"""What noise does to the agreement of each metric with people."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from shakeproof.reports.questions import Question, question_of
from shakeproof.reports.wording.format import brief, describe_field
from shakeproof.reports.wording.names import MetricKey, metric_key
from shakeproof.results import Estimate, Part, PartName, Result


class DataKey(NamedTuple):
    """Agreement is compared between metrics on the same data, by the same coefficient."""

    file: str
    coefficient: str


class ConditionKey(NamedTuple):
    """A family on a field, at a level if it has levels."""

    family: str
    field: str  # in words, such as " in references"
    level: float | None

    @property
    def name(self) -> str:
        """Name the condition, as in "`visual` 0.3 in references"."""
        level = "" if self.level is None else f" {brief(self.level)}"
        family = self.family.replace("`", "'")
        return f"`{family}`{level}{self.field}"


@dataclass(frozen=True, slots=True)
class NoiseEffect:
    """The agreement of a metric with people on clean texts and under one condition."""

    metric: str  # its name on the page
    data: DataKey
    condition: ConditionKey
    result: Result
    clean: float
    perturbed: float
    drop: Estimate

    @property
    def drop_value(self) -> float:
        """Return how far the agreement falls."""
        return self.clean - self.perturbed

    @property
    def kept(self) -> float:
        """Return the share of the clean agreement that is left, 0 if there was none."""
        return self.perturbed / self.clean if self.clean > 0 else 0.0


def noise_effects(
    results: Iterable[Result], labels: Mapping[MetricKey, str]
) -> tuple[NoiseEffect, ...]:
    """Collect what was measured on clean and on perturbed texts, over all groups together."""
    noise = [result for result in results if question_of(result) is Question.NOISE]
    return tuple(e for result in noise for e in effects_of(result, labels[metric_key(result)]))


def effects_of(result: Result, metric: str) -> Iterator[NoiseEffect]:
    """Yield the effect that one check measured at its highest level, if it is defined."""
    clean = highest_level(result, PartName.CLEAN)
    perturbed = highest_level(result, PartName.PERTURBED)
    if clean is None or perturbed is None:
        return
    before, after = clean.estimate.value or 0.0, perturbed.estimate.value or 0.0
    is_drop = result.expectation == "correlation_drop" and result.estimate is not None
    level = result.level if perturbed.level is None else perturbed.level
    switched = result.level is None and not result.levels
    yield NoiseEffect(
        metric=metric,
        data=DataKey(result.file, result.coefficient or ""),
        condition=ConditionKey(
            result.family or "", describe_field(result), None if switched else level
        ),
        result=result,
        clean=before,
        perturbed=after,
        drop=result.estimate if is_drop and result.estimate else Estimate(value=before - after),
    )


def highest_level(result: Result, name: PartName) -> Part | None:
    """Return the part of this name over all groups at the highest level where it is defined."""
    parts = [
        part
        for part in result.parts
        if part.name == name and not part.group and part.estimate.value is not None
    ]
    return max(parts, key=lambda part: part.level or 0.0, default=None)


def strongest(effects: Iterable[NoiseEffect]) -> NoiseEffect:
    """Return the largest drop; of equal ones, one with an interval."""
    return max(effects, key=lambda e: (round(e.drop_value, 9), e.drop.low is not None))


def by_data(effects: Iterable[NoiseEffect]) -> list[list[NoiseEffect]]:
    """Group effects by data and coefficient, those with the most metrics first."""
    groups: dict[DataKey, list[NoiseEffect]] = {}
    for effect in effects:
        groups.setdefault(effect.data, []).append(effect)
    return sorted(groups.values(), key=lambda group: -len({effect.metric for effect in group}))


def leading_effect(effects: Sequence[NoiseEffect]) -> NoiseEffect:
    """Return the largest drop of the metric that agrees best with people on clean texts."""
    best = max(effects, key=lambda effect: effect.clean).metric
    return strongest(effect for effect in effects if effect.metric == best)


def same_condition(effects: Iterable[NoiseEffect], leading: NoiseEffect) -> list[NoiseEffect]:
    """Return what the other metrics do on the same data under the same condition."""
    others = [
        effect
        for effect in effects
        if (effect.data, effect.condition) == (leading.data, leading.condition)
        and effect.metric != leading.metric
    ]
    return list({effect.metric: effect for effect in others}.values())
