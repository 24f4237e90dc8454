"""Expectations about scores themselves: how far they move, and which way."""

from __future__ import annotations

from typing import ClassVar, Literal

from pydantic import Field

from shakeproof.expectations.base import Bounded, ByGroup, Claim, InSpreads, ShownStatistic
from shakeproof.results import Bounds
from shakeproof.stats.kinds.scores import Direction, MeanScore, Shift, Spread
from shakeproof.stats.observations import ComparedScores, Statistic
from shakeproof.stats.power import SCORES, Range
from shakeproof.stats.text_limits import TextLimits, limits_from_bounds


class ScoreExpectation(InSpreads, Bounded, ByGroup):
    """An expectation about the mean of a number per segment or candidate."""


class ScoreMovement(ScoreExpectation):
    """An expectation about the mean movement of scores where texts changed."""

    usual_deviation: ClassVar[Range | None] = SCORES

    @property
    def direction(self) -> Direction:
        """Return which way counts as positive."""
        raise NotImplementedError

    @property
    def text_limits(self) -> TextLimits:
        return limits_from_bounds(self.direction, self.bounds, spreads=self.in_spreads)

    def statistic(self, compared: ComparedScores) -> Statistic:
        return Shift(compared.clean, compared.perturbed[0], self.direction, self.in_spreads)

    def parts(self, compared: ComparedScores) -> list[ShownStatistic]:
        """Show the mean scores and the spread, in the metric's own units."""
        level = compared.levels[0] if compared.levels else None
        return [
            ShownStatistic("clean score", 0.0, MeanScore((compared.clean,))),
            ShownStatistic("perturbed score", level, MeanScore(compared.perturbed[0])),
            ShownStatistic("spread", None, Spread(compared.clean)),
        ]


class ScoreChange(ScoreMovement):
    """Mean absolute change of the score."""

    name: ClassVar[str] = "score_change"
    summary: ClassVar[str] = (
        "Scores move by no more than this, whichever way, where the text changed."
    )
    label: ClassVar[str] = "change"

    signed: bool = False

    @property
    def direction(self) -> Direction:
        return "rise" if self.signed else "change"

    @property
    def quantity(self) -> str:
        return "mean change of the score" if self.signed else "mean absolute change of the score"

    @property
    def bounds(self) -> Bounds:
        """Bound a signed change on both sides: an equivalence check."""
        if self.signed and self.at_least is None and self.at_most is not None:
            return Bounds(low=-abs(self.at_most), high=abs(self.at_most))
        return Bounds(low=self.at_least, high=self.at_most)


class ScoreDrop(ScoreMovement):
    """Clean minus perturbed score."""

    name: ClassVar[str] = "score_drop"
    summary: ClassVar[str] = "Scores fall by at least, or at most, this where the text changed."
    direction: ClassVar[Direction] = "drop"
    label: ClassVar[str] = "drop"
    quantity: ClassVar[str] = "mean drop of the score"


class ScoreRise(ScoreMovement):
    """Perturbed minus clean score."""

    name: ClassVar[str] = "score_rise"
    summary: ClassVar[str] = "Scores rise by at least, or at most, this where the text changed."
    direction: ClassVar[Direction] = "rise"
    label: ClassVar[str] = "rise"
    quantity: ClassVar[str] = "mean rise of the score"


class Monotone(InSpreads):
    """Scores move one way from level to level."""

    name: ClassVar[str] = "monotone"
    summary: ClassVar[str] = "Scores fall, or rise, from each level to the next."
    over_levels: ClassVar[bool] = True
    usual_deviation: ClassVar[Range | None] = SCORES
    label: ClassVar[str] = "step"
    quantity: ClassVar[str] = "mean score change from one level to the next"

    direction: Literal["falling", "rising"] = "falling"
    tolerance: float = Field(default=0.0, ge=0)

    @property
    def bounds(self) -> Bounds:
        return Bounds(low=-self.tolerance)  # a step back by no more than the tolerance

    @property
    def statement(self) -> str:
        return f"scores are {self.direction} from each level to the next"

    @property
    def step_direction(self) -> Literal["drop", "rise"]:
        """Return which way a step counts as positive."""
        return "drop" if self.direction == "falling" else "rise"

    @property
    def text_limits(self) -> TextLimits:
        """Limit the score of a text at the highest level."""
        return limits_from_bounds(self.step_direction, self.bounds, spreads=self.in_spreads)

    def claims(self, compared: ComparedScores) -> list[Claim]:
        """Claim every step, level 0 to the first included."""
        seeds = len(compared.perturbed[0])
        befores = ((compared.clean,) * seeds, *compared.perturbed[:-1])
        names = [f"{level:g}" for level in (0.0, *compared.levels)]
        return [
            Claim(
                f"{names[step]} to {names[step + 1]}",
                Shift(compared.clean, after, self.step_direction, self.in_spreads, before),
                self.bounds,
                compared.levels[step],
            )
            for step, (before, after) in enumerate(zip(befores, compared.perturbed, strict=True))
        ]

    def parts(self, compared: ComparedScores) -> list[ShownStatistic]:
        """Show the mean scores at all levels."""
        return [
            ShownStatistic("clean score", 0.0, MeanScore((compared.clean,))),
            *(
                ShownStatistic("perturbed score", level, MeanScore(seeds))
                for level, seeds in zip(compared.levels, compared.perturbed, strict=True)
            ),
        ]
