"""Expectations that compare a metric with others of the checklist."""

from __future__ import annotations

from math import sqrt
from typing import ClassVar

from pydantic import Field

from shakeproof.expectations.base import Claim, above
from shakeproof.expectations.correlations import Correlational, drop
from shakeproof.results import Bounds
from shakeproof.stats.difference_tests import ComparedPair
from shakeproof.stats.kinds.agreement import correlation, difference
from shakeproof.stats.observations import ComparedScores
from shakeproof.stats.power import CorrelationErrors, Range, times


class BetterThanOthers(Correlational):
    """An expectation that the metric is better than others, by more than a margin."""

    label: ClassVar[str] = "advantage"

    by_more_than: float = 0.0

    @property
    def bounds(self) -> Bounds:
        return Bounds(low=above(self.by_more_than))

    def claims(self, compared: ComparedScores) -> list[Claim]:
        """Claim an advantage in every pair."""
        return [
            Claim(pair.name, difference(pair.first, pair.second), self.bounds, level)
            for pair, level in zip(
                self.compared_pairs(compared), self.pair_levels(compared), strict=True
            )
        ]

    def pair_levels(self, compared: ComparedScores) -> tuple[float | None, ...]:
        """Return the level of each pair, None where it is not about one."""
        raise NotImplementedError


class MoreRobustThan(BetterThanOthers):
    """Another metric loses more agreement with people."""

    name: ClassVar[str] = "more_robust_than"
    summary: ClassVar[str] = "Agreement with people falls by less than that of another metric."
    over_levels: ClassVar[bool] = True

    metric: str

    @property
    def other_metrics(self) -> tuple[str, ...]:
        return (self.metric,)

    @property
    def quantity(self) -> str:
        return f"drop of {self.coefficient} of {self.metric} minus the metric's own"

    @property
    def claim_text(self) -> str:
        return f"drop of {self.coefficient} is smaller than that of {self.metric}"

    def compared_pairs(self, compared: ComparedScores) -> list[ComparedPair]:
        """Compare the drops of the two metrics, level by level."""
        other, coefficient = compared.others[self.metric], self.make_coefficient()
        return [
            ComparedPair(
                f"level {level:g}",
                drop(coefficient, other, number),
                drop(coefficient, compared, number),
            )
            for number, level in enumerate(compared.levels)
        ]

    def pair_levels(self, compared: ComparedScores) -> tuple[float | None, ...]:
        return compared.levels

    def guess_from(self, errors: CorrelationErrors) -> Range:
        return times(errors.drop, sqrt(2))  # two drops have twice the variance of one


class BeatsYardsticks(BetterThanOthers):
    """Simple metrics agree less with people."""

    name: ClassVar[str] = "beats_yardsticks"
    summary: ClassVar[str] = (
        "The metric agrees better with people than each of the simple metrics named."
    )
    needs_perturb: ClassVar[bool] = False

    yardsticks: tuple[str, ...] = Field(min_length=1)

    @property
    def other_metrics(self) -> tuple[str, ...]:
        return self.yardsticks

    @property
    def quantity(self) -> str:
        return f"{self.coefficient} minus that of the yardstick"

    @property
    def claim_text(self) -> str:
        return f"{self.coefficient} is larger than that of {', '.join(self.yardsticks)}"

    def compared_pairs(self, compared: ComparedScores) -> list[ComparedPair]:
        """Compare the metric with each of the others, on perturbed texts if any."""
        own, *others = (
            correlation(self.make_coefficient(), scores.condition, scores.clean)
            for scores in (compared, *(compared.others[name] for name in self.yardsticks))
        )
        return [
            ComparedPair(f"over {name}", own, other)
            for name, other in zip(self.yardsticks, others, strict=True)
        ]

    def pair_levels(self, compared: ComparedScores) -> tuple[float | None, ...]:
        return (None,) * len(self.yardsticks)

    def guess_from(self, errors: CorrelationErrors) -> Range:
        return errors.between_metrics
