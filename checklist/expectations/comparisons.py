"""Expectations that compare a metric with others of the checklist."""

from __future__ import annotations

from typing import ClassVar

from pydantic import Field

from shakeproof.expectations.base import Claim, above
from shakeproof.expectations.correlations import Correlational, at, drop
from shakeproof.results import Bounds
from shakeproof.stats.kinds.agreement import Agreement, difference
from shakeproof.stats.observations import ComparedScores


class Ahead(Correlational):
    """An expectation that the metric is truly better than others."""

    by_more_than: float = 0.0

    @property
    def bounds(self) -> Bounds:
        """Ask for a difference that is truly larger."""
        return Bounds(low=above(self.by_more_than))

    @property
    def noun(self) -> str:
        """Call it an advantage."""
        return "advantage"


class MoreRobustThan(Ahead):
    """Another metric loses more agreement with people."""

    name: ClassVar[str] = "more_robust_than"
    summary: ClassVar[str] = "Agreement with people falls by less than that of another metric."
    over_levels: ClassVar[bool] = True

    metric: str

    @property
    def refers(self) -> tuple[str, ...]:
        """Name the other metric."""
        return (self.metric,)

    @property
    def quantity(self) -> str:
        """Say what is compared."""
        return f"drop of {self.coefficient} of {self.metric} minus the metric's own"

    @property
    def claimed(self) -> str:
        """Say whose drop must be smaller."""
        return f"drop of {self.coefficient} is smaller than that of {self.metric}"

    def claims(self, compared: ComparedScores) -> list[Claim]:
        """Claim an advantage at every level."""
        other, agreement = compared.others[self.metric], self.agreement()
        return [
            Claim(
                f"level {level:g}",
                difference(drop(agreement, other, place), drop(agreement, compared, place)),
                self.bounds,
                level,
            )
            for place, level in enumerate(compared.levels)
        ]

    def rivals(self, compared: ComparedScores) -> list[tuple[str, Agreement, Agreement]]:
        """Swap the two metrics, level by level."""
        other, agreement = compared.others[self.metric], self.agreement()
        return [
            (f"level {level:g}", drop(agreement, other, place), drop(agreement, compared, place))
            for place, level in enumerate(compared.levels)
        ]


class BeatsYardsticks(Ahead):
    """Simple measures agree less with people."""

    name: ClassVar[str] = "beats_yardsticks"
    summary: ClassVar[str] = (
        "The metric agrees better with people than each of the simple metrics named."
    )
    needs_perturb: ClassVar[bool] = False

    yardsticks: tuple[str, ...] = Field(min_length=1)

    @property
    def refers(self) -> tuple[str, ...]:
        """Name the yardsticks."""
        return self.yardsticks

    @property
    def quantity(self) -> str:
        """Say what is compared."""
        return f"{self.coefficient} minus that of the yardstick"

    @property
    def claimed(self) -> str:
        """Say what must be beaten."""
        return f"{self.coefficient} is larger than that of {', '.join(self.yardsticks)}"

    def claims(self, compared: ComparedScores) -> list[Claim]:
        """Claim an advantage over every yardstick, on perturbed texts if any."""
        return [
            Claim(f"over {name}", difference(*self._sides(compared, name)), self.bounds)
            for name in self.yardsticks
        ]

    def rivals(self, compared: ComparedScores) -> list[tuple[str, Agreement, Agreement]]:
        """Swap the metric and each yardstick."""
        return [(f"over {name}", *self._sides(compared, name)) for name in self.yardsticks]

    def _sides(self, compared: ComparedScores, name: str) -> tuple[Agreement, Agreement]:
        own, theirs = (
            at(self.agreement(), one, one.perturbed[0] if one.perturbed else (one.clean,))
            for one in (compared, compared.others[name])
        )
        return own, theirs
