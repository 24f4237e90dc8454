"""Expectations about scores themselves: how far they move."""

from __future__ import annotations

from typing import ClassVar, Literal

from pydantic import Field

from shakeproof.expectations.base import Bounded, Grouped, Shown
from shakeproof.results import Bounds
from shakeproof.stats.kinds.scores import Direction, MeanScore, Shift, Spread
from shakeproof.stats.observations import ComparedScores, Statistic
from shakeproof.stats.text_limits import Fault, fault_within


class Scored(Bounded, Grouped):
    """An expectation in units of the metric's own spread, unless raw units are asked for."""

    scale: Literal["spread", "raw"] = Field(default="spread", alias="unit")

    @property
    def unit(self) -> str:
        """Name the unit."""
        return "spreads" if self.scale == "spread" else ""


class Moved(Scored):
    """An expectation about the mean movement of scores where texts changed."""

    @property
    def direction(self) -> Direction:
        """Say which way counts as positive."""
        raise NotImplementedError

    @property
    def fault(self) -> Fault:
        """Bound each text's movement as the mean is bounded."""
        return fault_within(self.direction, self.bounds, spreads=self.scale == "spread")

    @property
    def noun(self) -> str:
        """Call it by its direction."""
        return self.direction

    def statistic(self, compared: ComparedScores) -> Statistic:
        """Average the movement over changed candidates."""
        return Shift(compared.clean, compared.perturbed[0], self.direction, self.scale == "spread")

    def parts(self, compared: ComparedScores) -> list[Shown]:
        """Show the mean scores and the spread, in the metric's own units."""
        level = compared.levels[0] if compared.levels else None
        return [
            ("clean score", 0.0, MeanScore((compared.clean,))),
            ("perturbed score", level, MeanScore(compared.perturbed[0])),
            ("spread", None, Spread(compared.clean)),
        ]


class ScoreChange(Moved):
    """Mean absolute change of the score."""

    name: ClassVar[str] = "score_change"
    summary: ClassVar[str] = (
        "Scores move by no more than this, whichever way, where the text changed."
    )

    signed: bool = False

    @property
    def direction(self) -> Direction:
        """Take absolute values unless signed."""
        return "rise" if self.signed else "change"

    @property
    def noun(self) -> str:
        """Call it a change either way."""
        return "change"

    @property
    def quantity(self) -> str:
        """Say whether it is signed."""
        return "mean change of the score" if self.signed else "mean absolute change of the score"

    @property
    def bounds(self) -> Bounds:
        """Bound a signed change on both sides: an equivalence check."""
        if self.signed and self.at_least is None and self.at_most is not None:
            return Bounds(low=-abs(self.at_most), high=abs(self.at_most))
        return Bounds(low=self.at_least, high=self.at_most)


class ScoreDrop(Moved):
    """Clean minus perturbed score."""

    name: ClassVar[str] = "score_drop"
    summary: ClassVar[str] = "Scores fall by at least, or at most, this where the text changed."

    @property
    def direction(self) -> Direction:
        """Count falling as positive."""
        return "drop"

    @property
    def quantity(self) -> str:
        """Say what falls."""
        return "mean drop of the score"


class ScoreRise(Moved):
    """Perturbed minus clean score."""

    name: ClassVar[str] = "score_rise"
    summary: ClassVar[str] = "Scores rise by at least, or at most, this where the text changed."

    @property
    def direction(self) -> Direction:
        """Count rising as positive."""
        return "rise"

    @property
    def quantity(self) -> str:
        """Say what rises."""
        return "mean rise of the score"
