"""Expectations about how many segments, candidates or pairs a metric gets right."""

from __future__ import annotations

from typing import ClassVar, Literal

from pydantic import Field

from shakeproof.expectations.base import Bounded, InSpreads
from shakeproof.stats.kinds.agreement import correlation
from shakeproof.stats.kinds.pairs import PairShare
from shakeproof.stats.kinds.shares import Behaving, PrefersOriginal
from shakeproof.stats.observations import Candidates, ComparedScores, Statistic
from shakeproof.stats.power import TEXTS, WITHIN, Range, pair_level, times
from shakeproof.stats.rows import TIE, describe_tie, preference_pairs
from shakeproof.stats.text_limits import TextLimits


class SegmentsBehave(InSpreads, Bounded):
    """Share of segments whose scores move as they should."""

    name: ClassVar[str] = "segments_behave"
    summary: ClassVar[str] = (
        "In this share of segments scores drop or rise by more than `by`, or change by no more."
    )
    label: ClassVar[str] = "share"
    unit: ClassVar[str] = ""  # the scale is that of `by`
    segment_deviation: ClassVar[Range] = WITHIN

    direction: Literal["drop", "rise", "change"] = Field(default="drop", alias="scores")
    by: float = Field(default=0.0, ge=0)

    @property
    def quantity(self) -> str:
        unit = " spreads" if self.in_spreads else ""
        limit = "at most" if self.direction == "change" else "more than"
        return f"share of segments whose scores {self.direction} by {limit} {self.by:g}{unit}"

    @property
    def text_limits(self) -> TextLimits:
        """A text breaks it if its score changes where it should not, or stays where it should."""
        still = self.direction == "change"
        if still == (self.at_least is not None):
            return TextLimits(self.direction, high=self.by, spreads=self.in_spreads)
        return TextLimits(self.direction, low=0.0, spreads=self.in_spreads)

    def statistic(self, compared: ComparedScores) -> Statistic:
        return Behaving(
            compared.clean, compared.perturbed[0], self.direction, self.by, self.in_spreads
        )


class PrefersOriginalExpectation(Bounded):
    """Original over perturbed."""

    name: ClassVar[str] = "prefers_original"
    summary: ClassVar[str] = "This share of texts scores higher as it was than perturbed."
    label: ClassVar[str] = "share"
    quantity: ClassVar[str] = "share of changed candidates that score higher unperturbed"
    segment_deviation: ClassVar[Range] = TEXTS

    tie: float = Field(default=TIE, ge=0)

    @property
    def statement(self) -> str:
        return f"{super().statement} ({describe_tie(self.tie)}; ties count as wrong)"

    @property
    def text_limits(self) -> TextLimits:
        """A text breaks it if it scores no lower perturbed, or lower where that should be rare."""
        if self.at_least is not None:
            return TextLimits("drop", low=0.0, spreads=False, tie=self.tie)
        return TextLimits("drop", high=0.0, spreads=False, tie=self.tie)

    def statistic(self, compared: ComparedScores) -> Statistic:
        return PrefersOriginal(compared.clean, compared.perturbed[0], self.tie)


class PrefersBetter(Bounded):
    """Better over worse candidate."""

    name: ClassVar[str] = "prefers_better"
    summary: ClassVar[str] = "In this share of judged pairs the better candidate scores higher."
    correlational: ClassVar[bool] = True
    needs_perturb: ClassVar[bool] = False
    label: ClassVar[str] = "share"
    quantity: ClassVar[str] = "share of judged pairs with the better candidate ahead"

    rating_gap: float | None = Field(default=None, gt=0)
    tie: float = Field(default=TIE, ge=0)

    @property
    def statement(self) -> str:
        return f"{super().statement} ({describe_tie(self.tie)}; ties count as wrong)"

    @property
    def required_data(self) -> frozenset[str]:
        return frozenset({"preferences" if self.rating_gap is None else "ratings"})

    def statistic(self, compared: ComparedScores) -> Statistic:
        """Compare the candidates of each pair, on perturbed texts if any."""
        return correlation(PairShare("right", self.rating_gap, self.tie), compared.condition)

    def guess_standard_error(self, candidates: Candidates, changed_segments: int) -> Range | None:
        pairs = len(preference_pairs(candidates, self.rating_gap))
        return times(pair_level(pairs), 0.5) if pairs else None  # half of a Kendall-like scale
