"""Expectations over levels: what is kept, and whether scores fall steadily."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import ClassVar, Literal

from pydantic import Field

from shakeproof.expectations.base import Claim, Expectation, Shown
from shakeproof.expectations.correlations import Correlational
from shakeproof.results import Bounds
from shakeproof.stats.kinds.curves import Retention, contrast, kept, trapezoid
from shakeproof.stats.kinds.scores import MeanScore, Shift
from shakeproof.stats.messages import Words
from shakeproof.stats.observations import ComparedScores, Statistic
from shakeproof.stats.text_limits import Fault, fault_within
from shakeproof.stats.verdicts import Assessment, judge


class Retained(Correlational):
    """An expectation about the share of the clean correlation that is kept.

    It is judged on what is kept minus `at_least` times the clean correlation, without a division.
    """

    at_least: float = Field(ge=0)

    @property
    def bounds(self) -> Bounds:
        """Bound the contrast, not the ratio."""
        return Bounds(low=0.0)

    @property
    def noun(self) -> str:
        """Call it a margin."""
        return "margin"

    @property
    def claimed(self) -> str:
        """Say what share must be kept."""
        return f"{self.share_name} is at least {self.at_least:g}"

    @property
    def share_name(self) -> str:
        """Name the share."""
        raise NotImplementedError

    @property
    def quantity(self) -> str:
        """Say what the margin is."""
        return f"correlation kept ({self.coefficient}) beyond {self.at_least:g} of the clean one"

    def weights(self, compared: ComparedScores) -> Sequence[float]:
        """Weigh the correlations at level 0 and at each level."""
        raise NotImplementedError

    def statistic(self, compared: ComparedScores) -> Statistic:
        """Take the required share of the clean correlation from what is kept."""
        return contrast(self.agreement(), compared, self.weights(compared), self.at_least)

    def parts(self, compared: ComparedScores) -> list[Shown]:
        """Show the ratio, which has no interval unless the clean correlation is above 0."""
        ratio = Retention(kept(self.agreement(), compared, self.weights(compared)))
        level = compared.levels[0] if len(compared.levels) == 1 else None
        return [(self.share_name, level, ratio), *super().parts(compared)]

    def finish(self, assessment: Assessment) -> Assessment:
        """State the ratio instead of the margin, unless the clean correlation may be 0."""
        shown = {part.name: part.estimate for part in reversed(assessment.parts)}
        clean, ratio, judgement = shown["clean"], shown[self.share_name], assessment.judgement
        if clean.low is None or clean.low <= 0:
            parts = tuple(part for part in assessment.parts if part.name != self.share_name)
            doubt = f"{self.share_name} undefined: clean {Words('correlation').state(clean)}"
            told = replace(judgement, message=f"{judgement.message}; {doubt}", advice="")
            return replace(assessment, parts=parts, judgement=told)
        words = Words(self.share_name)
        plain = judge(Bounds(low=self.at_least), ratio, words=words, min_segments=0)
        if plain.verdict is not judgement.verdict:
            return assessment
        return replace(assessment, judgement=replace(plain, p=judgement.p))


class RetentionExpectation(Retained):
    """Share of the clean correlation that is kept at a level."""

    name: ClassVar[str] = "retention"
    summary: ClassVar[str] = "This share of the clean correlation is kept under perturbation."

    @property
    def share_name(self) -> str:
        """Name the share."""
        return "retention"

    def weights(self, compared: ComparedScores) -> Sequence[float]:
        """Take the one level."""
        return 0.0, 1.0


class RetentionArea(Retained):
    """Mean share of the clean correlation that is kept over the levels."""

    name: ClassVar[str] = "retention_area"
    summary: ClassVar[str] = (
        "This share of the clean correlation is kept on average from level 0 to the highest."
    )
    over_levels: ClassVar[bool] = True

    @property
    def share_name(self) -> str:
        """Name the share."""
        return "area under retention"

    def weights(self, compared: ComparedScores) -> Sequence[float]:
        """Take the mean height of the curve."""
        return trapezoid(compared.levels)


class Monotone(Expectation):
    """Scores move one way from level to level."""

    name: ClassVar[str] = "monotone"
    summary: ClassVar[str] = "Scores fall, or rise, from each level to the next."
    over_levels: ClassVar[bool] = True

    direction: Literal["falling", "rising"] = "falling"
    tolerance: float = Field(default=0.0, ge=0)
    scale: Literal["spread", "raw"] = Field(default="spread", alias="unit")

    @property
    def bounds(self) -> Bounds:
        """Allow a step back of no more than the tolerance."""
        return Bounds(low=-self.tolerance)

    @property
    def noun(self) -> str:
        """Call it a step."""
        return "step"

    @property
    def unit(self) -> str:
        """Name the unit."""
        return "spreads" if self.scale == "spread" else ""

    @property
    def quantity(self) -> str:
        """Say what a step is."""
        return "mean score change from one level to the next"

    @property
    def statement(self) -> str:
        """Say which way scores must go."""
        return f"scores are {self.direction} from each level to the next"

    @property
    def way(self) -> Literal["drop", "rise"]:
        """Say which way a step counts as positive."""
        return "drop" if self.direction == "falling" else "rise"

    @property
    def fault(self) -> Fault:
        """Let a text break it that at the highest level scores no lower, or no higher."""
        return fault_within(self.way, self.bounds, spreads=self.scale == "spread")

    def claims(self, compared: ComparedScores) -> list[Claim]:
        """Claim every step, level 0 to the first included."""
        seeds = len(compared.perturbed[0])
        befores = ((compared.clean,) * seeds, *compared.perturbed[:-1])
        names = [f"{level:g}" for level in (0.0, *compared.levels)]
        return [
            Claim(
                f"{names[at]} to {names[at + 1]}",
                Shift(compared.clean, after, self.way, self.scale == "spread", before),
                self.bounds,
                compared.levels[at],
            )
            for at, (before, after) in enumerate(zip(befores, compared.perturbed, strict=True))
        ]

    def parts(self, compared: ComparedScores) -> list[Shown]:
        """Show the mean scores at all levels."""
        levels = zip(compared.levels, compared.perturbed, strict=True)
        clean: Shown = ("clean score", 0.0, MeanScore((compared.clean,)))
        return [clean, *(("perturbed score", level, MeanScore(seeds)) for level, seeds in levels)]
