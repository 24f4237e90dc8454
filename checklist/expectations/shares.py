"""Expectations about how many segments, candidates or pairs a metric gets right."""

from __future__ import annotations

from typing import ClassVar, Literal

from pydantic import Field

from shakeproof.expectations.base import Bounded
from shakeproof.stats.kinds.agreement import correlation
from shakeproof.stats.kinds.pairs import PairShare
from shakeproof.stats.kinds.shares import Behaving, PrefersOriginal
from shakeproof.stats.observations import ComparedScores, Statistic
from shakeproof.stats.rows import TIE
from shakeproof.stats.text_limits import Fault


class SegmentsBehave(Bounded):
    """Share of segments whose scores move as they should."""

    name: ClassVar[str] = "segments_behave"
    summary: ClassVar[str] = (
        "In this share of segments scores drop or rise by more than `by`, or change by no more."
    )

    direction: Literal["drop", "rise", "change"] = Field(default="drop", alias="scores")
    by: float = Field(default=0.0, ge=0)
    scale: Literal["spread", "raw"] = Field(default="spread", alias="unit")

    @property
    def noun(self) -> str:
        """Call it a share."""
        return "share"

    @property
    def quantity(self) -> str:
        """Say what is counted."""
        unit = " spreads" if self.scale == "spread" else ""
        limit = "at most" if self.direction == "change" else "more than"
        return f"share of segments whose scores {self.direction} by {limit} {self.by:g}{unit}"

    @property
    def fault(self) -> Fault:
        """Let a text break it that does not move as many must, or moves as few may."""
        still = self.direction == "change"
        spreads = self.scale == "spread"
        if still == (self.at_least is not None):
            return Fault(self.direction, high=self.by, spreads=spreads)
        return Fault(self.direction, low=0.0, spreads=spreads)

    def statistic(self, compared: ComparedScores) -> Statistic:
        """Count the segments."""
        spread = self.scale == "spread"
        return Behaving(compared.clean, compared.perturbed[0], self.direction, self.by, spread)


class PrefersOriginalExpectation(Bounded):
    """Original over perturbed."""

    name: ClassVar[str] = "prefers_original"
    summary: ClassVar[str] = "This share of texts scores higher as it was than perturbed."

    tie: float = Field(default=TIE, ge=0)

    @property
    def noun(self) -> str:
        """Call it a share."""
        return "share"

    @property
    def quantity(self) -> str:
        """Say what is counted."""
        return "share of changed candidates that score higher unperturbed"

    @property
    def fault(self) -> Fault:
        """Let a text break it that scores as high perturbed, or lower if that is to be rare."""
        if self.at_least is not None:
            return Fault("drop", low=0.0, spreads=False, tie=self.tie)
        return Fault("drop", high=0.0, spreads=False, tie=self.tie)

    def statistic(self, compared: ComparedScores) -> Statistic:
        """Compare each candidate with itself."""
        return PrefersOriginal(compared.clean, compared.perturbed[0], self.tie)


class PrefersBetter(Bounded):
    """Better over worse candidate."""

    name: ClassVar[str] = "prefers_better"
    summary: ClassVar[str] = "In this share of judged pairs the better candidate scores higher."
    correlational: ClassVar[bool] = True
    needs_perturb: ClassVar[bool] = False

    rating_gap: float | None = Field(default=None, gt=0)
    tie: float = Field(default=TIE, ge=0)

    @property
    def demands(self) -> frozenset[str]:
        """Ask for preferences, or for ratings that make pairs."""
        return frozenset({"preferences" if self.rating_gap is None else "ratings"})

    @property
    def noun(self) -> str:
        """Call it a share."""
        return "share"

    @property
    def quantity(self) -> str:
        """Say what is counted."""
        return "share of judged pairs with the better candidate ahead"

    def statistic(self, compared: ComparedScores) -> Statistic:
        """Compare the candidates of each pair, on perturbed texts if any."""
        score_keys = compared.perturbed[0] if compared.perturbed else (compared.clean,)
        return correlation(PairShare("right", self.rating_gap, self.tie), score_keys)
