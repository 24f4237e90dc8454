"""Expectations about part of the candidates."""

from __future__ import annotations

from typing import ClassVar, Literal

from pydantic import Field

from shakeproof.expectations.base import Bounded, Claim, Shown
from shakeproof.expectations.correlations import Correlational, at
from shakeproof.stats.kinds.agreement import Agreement
from shakeproof.stats.kinds.slices import (
    DifferencePairs,
    Nearer,
    PairCount,
    Share,
    Sliced,
    SliceShare,
)
from shakeproof.stats.observations import ComparedScores


class CorrelationInSlices(Correlational, Bounded):
    """Correlation in every part of the data."""

    name: ClassVar[str] = "correlation_in_slices"
    summary: ClassVar[str] = (
        "The metric agrees with people this well in each quarter of the candidates, ordered by "
        "another metric, or where one of two metrics is higher."
    )
    needs_perturb: ClassVar[bool] = False

    slices_by: str
    than: str | None = None  # slices: slices_by above than, and below
    parts_of_data: int = Field(default=4, alias="slices", ge=2, le=20)

    @property
    def refers(self) -> tuple[str, ...]:
        """Name the metrics that cut the data."""
        return (self.slices_by,) if self.than is None else (self.slices_by, self.than)

    @property
    def pieces(self) -> int:
        """Count the slices."""
        return self.parts_of_data if self.than is None else 2

    @property
    def noun(self) -> str:
        """Call it a correlation."""
        return "correlation"

    @property
    def quantity(self) -> str:
        """Name the coefficient and the slices."""
        cut = f"by {self.slices_by}" if self.than is None else f"{self.slices_by} or {self.than}"
        return f"correlation ({self.coefficient}) in slices {cut}"

    def claims(self, compared: ComparedScores) -> list[Claim]:
        """Claim the bounds for every slice, cut by clean scores."""
        whole = self._whole(compared)
        return [
            Claim(name, Sliced(whole, chosen), self.bounds)
            for name, chosen in self._slices(compared)
        ]

    def parts(self, compared: ComparedScores) -> list[Shown]:
        """Show which share of the candidates lies where; quarters are equal anyway."""
        if self.than is None:
            return []
        slices, whole = self._slices(compared), self._whole(compared)
        among = tuple(chosen for _, chosen in slices)
        return [(f"share of {name}", None, SliceShare(whole, one, among)) for name, one in slices]

    def _whole(self, compared: ComparedScores) -> Agreement:
        score_keys = compared.perturbed[0] if compared.perturbed else (compared.clean,)
        return at(self.agreement(), compared, score_keys)

    def _slices(self, compared: ComparedScores) -> list[tuple[str, Share | Nearer]]:
        by = compared.others[self.slices_by].clean
        if self.than is None:
            n = self.parts_of_data
            return [(f"{self.slices_by} {k + 1} of {n}", Share(by, k, n)) for k in range(n)]
        than = compared.others[self.than].clean
        return [
            (f"{self.slices_by} above {self.than}", Nearer(by, than)),
            (f"{self.than} above {self.slices_by}", Nearer(than, by)),
        ]


class Attribution(Bounded):
    """What a metric answers to: one quantity held, another varied."""

    name: ClassVar[str] = "attribution"
    summary: ClassVar[str] = (
        "Differences in score follow differences in rating this well among pairs of candidates "
        "alike by one metric and apart by another."
    )
    correlational: ClassVar[bool] = True
    needs_perturb: ClassVar[bool] = False

    held: str
    varied: str
    within: float = Field(default=0.05, ge=0)
    apart: float = Field(default=0.15, ge=0)  # 0: whatever the other metric says
    split: float | None = None
    side: Literal["up to", "beyond"] = "up to"

    @property
    def demands(self) -> frozenset[str]:
        """Ask for ratings."""
        return frozenset({"ratings"})

    @property
    def refers(self) -> tuple[str, ...]:
        """Name both metrics."""
        return self.held, self.varied

    @property
    def noun(self) -> str:
        """Call it a correlation."""
        return "correlation"

    @property
    def quantity(self) -> str:
        """Say what is correlated."""
        return (
            f"correlation (pearson) of differences, {self.held} within {self.within:g} "
            f"and {self.varied} at least {self.apart:g} apart"
        )

    def parts(self, compared: ComparedScores) -> list[Shown]:
        """Show how many pairs there are."""
        return [("pairs", None, PairCount(self.statistic(compared)))]

    def statistic(self, compared: ComparedScores) -> DifferencePairs:
        """Correlate differences of score and rating."""
        inside = self.split if self.side == "up to" else None
        outside = self.split if self.side == "beyond" else None
        held, varied = compared.others[self.held].clean, compared.others[self.varied].clean
        return DifferencePairs(
            compared.clean, held, varied, self.within, self.apart, inside, outside
        )
