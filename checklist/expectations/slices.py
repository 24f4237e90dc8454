"""Expectations about part of the candidates."""

from __future__ import annotations

from typing import ClassVar, Literal

from pydantic import Field

from shakeproof.expectations.base import Bounded, Claim, ShownStatistic
from shakeproof.expectations.correlations import Correlational
from shakeproof.stats.kinds.agreement import Agreement, correlation
from shakeproof.stats.kinds.slices import (
    DifferencePairs,
    EqualShare,
    PairCount,
    ScoresHigher,
    Slice,
    Sliced,
    SliceShare,
)
from shakeproof.stats.observations import ComparedScores
from shakeproof.stats.power import CorrelationErrors, Range


class CorrelationInSlices(Correlational, Bounded):
    """Correlation in every part of the data."""

    name: ClassVar[str] = "correlation_in_slices"
    summary: ClassVar[str] = (
        "The metric agrees with people this well in each quarter of the candidates, ordered by "
        "another metric, or where one of two metrics is higher."
    )
    needs_perturb: ClassVar[bool] = False
    label: ClassVar[str] = "correlation"

    slices_by: str
    than: str | None = None  # slices: slices_by above than, and below
    parts_of_data: int = Field(default=4, alias="slices", ge=2, le=20)

    @property
    def other_metrics(self) -> tuple[str, ...]:
        return (self.slices_by,) if self.than is None else (self.slices_by, self.than)

    @property
    def quantity(self) -> str:
        cut = f"by {self.slices_by}" if self.than is None else f"{self.slices_by} or {self.than}"
        return f"correlation ({self.coefficient}) in slices {cut}"

    def claims(self, compared: ComparedScores) -> list[Claim]:
        """Claim the bounds for every slice, cut by clean scores."""
        whole = self._whole(compared)
        return [
            Claim(name, Sliced(whole, chosen), self.bounds)
            for name, chosen in self._slices(compared)
        ]

    def parts(self, compared: ComparedScores) -> list[ShownStatistic]:
        """Show the share of the candidates in each slice, where slices are not equal anyway."""
        if self.than is None:
            return []
        slices, whole = self._slices(compared), self._whole(compared)
        among = tuple(chosen for _, chosen in slices)
        return [
            ShownStatistic(f"share of {name}", None, SliceShare(whole, chosen, among))
            for name, chosen in slices
        ]

    def guess_from(self, errors: CorrelationErrors) -> Range:
        return errors.in_slices(self.parts_of_data if self.than is None else 2)

    def _whole(self, compared: ComparedScores) -> Agreement:
        return correlation(self.make_coefficient(), compared.condition, compared.clean)

    def _slices(self, compared: ComparedScores) -> list[tuple[str, Slice]]:
        by = compared.others[self.slices_by].clean
        if self.than is None:
            n = self.parts_of_data
            return [(f"{self.slices_by} {k + 1} of {n}", EqualShare(by, k, n)) for k in range(n)]
        than = compared.others[self.than].clean
        return [
            (f"{self.slices_by} above {self.than}", ScoresHigher(by, than)),
            (f"{self.than} above {self.slices_by}", ScoresHigher(than, by)),
        ]


class Attribution(Bounded):
    """Which quantity a metric follows: one is held, another varied."""

    name: ClassVar[str] = "attribution"
    summary: ClassVar[str] = (
        "Differences in score follow differences in rating this well among pairs of candidates "
        "alike by one metric and apart by another."
    )
    correlational: ClassVar[bool] = True
    needs_perturb: ClassVar[bool] = False
    required_data: ClassVar[frozenset[str]] = frozenset({"ratings"})
    label: ClassVar[str] = "correlation"

    held: str
    varied: str
    within: float = Field(default=0.05, ge=0)
    apart: float = Field(default=0.15, ge=0)  # 0: whatever the other metric says
    split: float | None = None
    side: Literal["up to", "beyond"] = "up to"

    @property
    def other_metrics(self) -> tuple[str, ...]:
        return self.held, self.varied

    @property
    def quantity(self) -> str:
        return (
            f"correlation (pearson) of differences, {self.held} within {self.within:g} "
            f"and {self.varied} at least {self.apart:g} apart"
        )

    def parts(self, compared: ComparedScores) -> list[ShownStatistic]:
        """Show how many pairs there are."""
        return [ShownStatistic("pairs", None, PairCount(self.statistic(compared)))]

    def statistic(self, compared: ComparedScores) -> DifferencePairs:
        return DifferencePairs(
            score_key=compared.clean,
            held=compared.others[self.held].clean,
            varied=compared.others[self.varied].clean,
            within=self.within,
            apart=self.apart,
            up_to=self.split if self.side == "up to" else None,
            beyond=self.split if self.side == "beyond" else None,
        )
