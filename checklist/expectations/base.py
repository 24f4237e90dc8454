"""What every expectation has: a statistic, two bounds, and words for both."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import inf, nextafter
from typing import Any, ClassVar, Literal

from pydantic import BaseModel, ConfigDict

from shakeproof.results import Bounds
from shakeproof.stats.kinds.agreement import Agreement
from shakeproof.stats.messages import limit
from shakeproof.stats.observations import ComparedScores, Statistic
from shakeproof.stats.text_limits import Fault
from shakeproof.stats.verdicts import Assessment

Shown = tuple[str, float | None, Statistic]  # a part: its name, its level, its statistic


@dataclass(frozen=True, slots=True)
class Claim:
    """One statement that the data are asked about: a statistic lies between bounds."""

    name: str  # which of several, such as "0.1 to 0.2"
    statistic: Statistic
    bounds: Bounds
    level: float | None = None


class Expectation(BaseModel):
    """What is expected of a metric under a condition."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)

    name: ClassVar[str]
    summary: ClassVar[str]
    correlational: ClassVar[bool] = False  # only valid while what people judged still stands
    over_levels: ClassVar[bool] = False  # one item for all levels
    needs_perturb: ClassVar[bool] = True
    default_perturb: ClassVar[Mapping[str, Any] | None] = None
    needs_judgements: ClassVar[bool] = False  # ratings or preferences, either will do
    about_copies: ClassVar[bool] = False  # candidates are replaced by copies of the input

    @property
    def fault(self) -> Fault | None:
        """Say when a single score breaks it, for the search for texts that do; None: no telling."""
        return None

    @property
    def each_group(self) -> bool:
        """Say whether every group is judged by itself, all of them having to hold."""
        return False

    @property
    def more_segments_help(self) -> bool:
        """Say whether more segments would decide what is undecided."""
        return True

    @property
    def demands(self) -> frozenset[str]:
        """Name what the data must have: ratings, preferences, source, references."""
        return frozenset()

    @property
    def refers(self) -> tuple[str, ...]:
        """Name the other metrics whose scores are needed."""
        return ()

    @property
    def beside(self) -> Mapping[str, tuple[float, ...]]:
        """Name families, with levels, under which first candidates are scored only to be shown."""
        return {}

    @property
    def bounds(self) -> Bounds:
        """Give the bounds of the estimate."""
        raise NotImplementedError

    @property
    def noun(self) -> str:
        """Name the estimate in a word, as messages begin with."""
        raise NotImplementedError

    @property
    def quantity(self) -> str:
        """Say what the estimate is."""
        return self.noun

    @property
    def unit(self) -> str:
        """Name the unit of the estimate, if it has one."""
        return ""

    @property
    def coefficient(self) -> str | None:
        """Name the coefficient, if a correlation is judged."""
        return None

    @property
    def statement(self) -> str:
        """Say in words what is expected."""
        return f"{self.quantity} {in_words(self.bounds)}{' ' + self.unit if self.unit else ''}"

    def statistic(self, compared: ComparedScores) -> Statistic:
        """Give the statistic that is judged."""
        raise NotImplementedError

    def claims(self, compared: ComparedScores) -> list[Claim]:
        """Give all that must hold; most often that one statistic lies between the bounds."""
        return [Claim("", self.statistic(compared), self.bounds)]

    def parts(self, compared: ComparedScores) -> list[Shown]:
        """Give what is shown beside it."""
        return []

    def rivals(self, compared: ComparedScores) -> list[tuple[str, Agreement, Agreement]]:
        """Give what a test of "no difference" may swap: its name and the two sides."""
        return []

    def finish(self, assessment: Assessment) -> Assessment:
        """Put the finishing touch to what was found, such as a plainer message."""
        return assessment


class Grouped(Expectation):
    """An expectation about the mean over groups, or with `each: group` about each of them."""

    each: Literal["group"] | None = None

    @property
    def each_group(self) -> bool:
        """Judge every group by itself if asked to."""
        return self.each == "group"


class Bounded(Expectation):
    """An expectation whose bounds stand in the checklist, which is refused without any."""

    at_most: float | None = None
    at_least: float | None = None

    @property
    def bounds(self) -> Bounds:
        """Give the bounds as written."""
        return Bounds(low=self.at_least, high=self.at_most)


def above(bound: float) -> float:
    """Give the least number that is truly above: a strict bound, as bounds include themselves."""
    return nextafter(bound, inf)


def in_words(bounds: Bounds) -> str:
    """Write bounds as a predicate."""
    if bounds.low is not None and bounds.high is not None:
        return f"is between {limit(bounds.low)} and {limit(bounds.high)}"
    if bounds.high is not None:
        return f"is at most {limit(bounds.high)}"
    return f"is at least {limit(bounds.low or 0.0)}"
