"""What every expectation has: how it is evaluated, its bounds and words, its statistics."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from enum import Enum
from math import inf, nextafter
from typing import Any, ClassVar, Literal, NamedTuple, Self

from pydantic import BaseModel, ConfigDict, Field

from shakeproof.results import Bounds, Estimate, Part
from shakeproof.stats.difference_tests import ComparedPair
from shakeproof.stats.messages import limit
from shakeproof.stats.observations import (
    Candidates,
    ComparedScores,
    Observations,
    ScoreKey,
    Statistic,
    Vector,
)
from shakeproof.stats.power import Range, mean_over
from shakeproof.stats.text_limits import TextLimits
from shakeproof.stats.verdicts import Assessment


class Evaluation(Enum):
    """How an expectation gets its verdict."""

    STATISTIC = "from a statistic with an interval"
    EACH_SCORE = "from each score: one that breaks it is enough to fail"
    RESCORING = "by scoring some texts again in another way"
    SEARCH = "by a search for texts that break it"
    STORED_RUN = "by a comparison with a stored run"


@dataclass(frozen=True, slots=True)
class Claim:
    """One statement that the data must support: a statistic lies between bounds."""

    name: str  # which of several, such as "0.1 to 0.2"
    statistic: Statistic
    bounds: Bounds
    level: float | None = None


class ShownStatistic(NamedTuple):
    """A statistic that is shown with the verdict, and becomes a part of the result."""

    name: str
    level: float | None
    statistic: Statistic


class Expectation(BaseModel):
    """What is expected of a metric under a condition.

    Subclasses override properties that are constant by class attributes.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)

    name: ClassVar[str]
    summary: ClassVar[str]
    label: ClassVar[str]  # the estimate in one or two words, as messages begin with
    evaluation: ClassVar[Evaluation] = Evaluation.STATISTIC
    correlational: ClassVar[bool] = False  # only valid while what people judged still stands
    over_levels: ClassVar[bool] = False  # one item for all levels
    needs_perturb: ClassVar[bool] = True
    default_perturb: ClassVar[Mapping[str, Any] | None] = None
    needs_judgements: ClassVar[bool] = False  # ratings or preferences, either is enough
    about_copies: ClassVar[bool] = False  # candidates are replaced by copies of the input
    compares_views: ClassVar[bool] = False  # other numbers of a metric, such as each of its draws

    @property
    def bounds(self) -> Bounds:
        """Return the bounds of the estimate."""
        raise NotImplementedError

    @property
    def quantity(self) -> str:
        """Describe what the estimate is."""
        return self.label

    @property
    def unit(self) -> str:
        """Name the unit of the estimate; "" if it has none."""
        return ""

    @property
    def coefficient(self) -> str | None:
        """Name the coefficient, if a correlation is judged."""
        return None

    @property
    def statement(self) -> str:
        """State in words what is expected."""
        return f"{self.quantity} {in_words(self.bounds)}{' ' + self.unit if self.unit else ''}"

    @property
    def required_data(self) -> frozenset[str]:
        """Name what the data must have: ratings, preferences, source, references."""
        return frozenset()

    @property
    def other_metrics(self) -> tuple[str, ...]:
        """Name the other metrics whose scores are needed."""
        return ()

    @property
    def shown_families(self) -> Mapping[str, tuple[float, ...]]:
        """Name families, with levels, under which first candidates are scored only to be shown."""
        return {}

    @property
    def text_limits(self) -> TextLimits | None:
        """Limit the score of a single text, for the search of texts that break it, if possible."""
        return None

    @property
    def each_group(self) -> bool:
        """Return whether every group is judged by itself, all of them having to pass."""
        return False

    @property
    def more_segments_help(self) -> bool:
        """Return whether more segments would decide what is undecided."""
        return True

    @property
    def calibrates(self) -> bool:
        """Return whether ties depend on a threshold that a development part can set."""
        return False

    @property
    def segment_deviation(self) -> Range | None:
        """Guess the standard deviation between segments of what is averaged, if possible."""
        return None

    def calibrate(self, candidates: Candidates, scores: Mapping[ScoreKey, Vector]) -> Self:
        """Return the same expectation, with tie thresholds set on these scores of other data."""
        return self

    def guess_standard_error(self, candidates: Candidates, changed_segments: int) -> Range | None:
        """Guess the estimate's standard error before anything is scored; None if impossible."""
        deviation = self.segment_deviation
        return mean_over(changed_segments, deviation) if deviation and changed_segments else None

    def views_among(self, offered: Collection[str]) -> tuple[str, ...]:
        """Return which of the views that a metric offers are compared."""
        return ()

    def views_problem(self, offered: Collection[str]) -> str:
        """Return what is needed of a metric that does not offer enough; "" if it does."""
        return ""

    def statistic(self, compared: ComparedScores) -> Statistic:
        """Return the statistic that is judged."""
        raise NotImplementedError

    def claims(self, compared: ComparedScores) -> list[Claim]:
        """Return all claims that must hold; most often that one statistic lies between bounds."""
        return [Claim("", self.statistic(compared), self.bounds)]

    def parts(self, compared: ComparedScores) -> list[ShownStatistic]:
        """Return the statistics that are shown with the verdict."""
        return []

    def compared_pairs(self, compared: ComparedScores) -> list[ComparedPair]:
        """Return the pairs that a test of "no difference" may swap."""
        return []

    def assess_exactly(self, compared: ComparedScores, observed: Observations) -> Assessment | None:
        """Judge score by score, where no interval is needed; None if the claims are estimated."""
        return None

    def finish(self, assessment: Assessment) -> Assessment:
        """Complete an assessment, such as by a plainer message."""
        return assessment


class ByGroup(Expectation):
    """An expectation about the mean over groups, or with `each: group` about each of them."""

    each: Literal["group"] | None = None

    @property
    def each_group(self) -> bool:
        return self.each == "group"


class Bounded(Expectation):
    """An expectation whose bounds stand in the checklist, which is refused without any."""

    at_most: float | None = None
    at_least: float | None = None

    @property
    def bounds(self) -> Bounds:
        return Bounds(low=self.at_least, high=self.at_most)

    @property
    def bounds_problem(self) -> str:
        """Return what is wrong with the bounds; "" if nothing is."""
        low, high = self.at_least, self.at_most
        if low is None and high is None:
            return f"{self.name} needs a bound; write at_least: …, at_most: … or both"
        if low is not None and high is not None and low > high:
            return f"at_least {low:g} is above at_most {high:g}; no value can satisfy both"
        return ""


class InSpreads(Expectation):
    """An expectation in units of the metric's own spread, unless raw units are asked for."""

    usual_deviation: ClassVar[Range | None] = None  # between segments, in spreads

    scale: Literal["spread", "raw"] = Field(default="spread", alias="unit")

    @property
    def in_spreads(self) -> bool:
        """Return whether numbers are in units of the spread."""
        return self.scale == "spread"

    @property
    def unit(self) -> str:
        return "spreads" if self.in_spreads else ""

    @property
    def segment_deviation(self) -> Range | None:
        return self.usual_deviation if self.in_spreads else None


def above(bound: float) -> float:
    """Return the smallest number above a strict bound, since bounds include themselves."""
    return nextafter(bound, inf)


def in_words(bounds: Bounds) -> str:
    """Write bounds as a predicate."""
    if bounds.low is not None and bounds.high is not None:
        return f"is between {limit(bounds.low)} and {limit(bounds.high)}"
    if bounds.high is not None:
        return f"is at most {limit(bounds.high)}"
    return f"is at least {limit(bounds.low or 0.0)}"


def estimate_of(parts: tuple[Part, ...], name: str) -> Estimate | None:
    """Return the first estimate of that name, if there is one."""
    return next((part.estimate for part in parts if part.name == name), None)


def above_zero(estimate: Estimate) -> bool:
    """Return whether the whole interval lies above 0."""
    return estimate.low is not None and estimate.low > 0
