"""Expectations about judges: that they answer alike twice, and whatever the order of candidates."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from typing import ClassVar

from shakeproof.expectations.base import Bounded, ByGroup, ShownStatistic
from shakeproof.expectations.scores import ScoreExpectation
from shakeproof.metrics.judges.views import View, draw_views, rival_views
from shakeproof.results import PartName
from shakeproof.stats.kinds.draws import DrawDeviation, NoiseShare
from shakeproof.stats.kinds.positions import ComparisonShare, SharedPreferences
from shakeproof.stats.kinds.scores import Spread
from shakeproof.stats.observations import ComparedScores, ScoreKey, Statistic
from shakeproof.stats.verdicts import Assessment


class Stable(ScoreExpectation):
    """Standard deviation between draws."""

    name: ClassVar[str] = "stable"
    summary: ClassVar[str] = (
        "Answers to the same question differ by no more than this, as a standard deviation."
    )
    label: ClassVar[str] = "noise"
    quantity: ClassVar[str] = "standard deviation between answers to the same question"
    needs_perturb: ClassVar[bool] = False
    compares_views: ClassVar[bool] = True

    def views_among(self, offered: Collection[str]) -> tuple[str, ...]:
        return draw_views(offered)

    def views_problem(self, offered: Collection[str]) -> str:
        return "" if len(draw_views(offered)) > 1 else "repeats: 2 or more"

    def statistic(self, compared: ComparedScores) -> Statistic:
        return DrawDeviation(compared.clean, _draws(compared), self.in_spreads)

    def parts(self, compared: ComparedScores) -> list[ShownStatistic]:
        """Show which share of the variance is noise, and the unit."""
        clean, draws = compared.clean, _draws(compared)
        return [
            ShownStatistic(PartName.NOISE_OF_ONE_DRAW, None, NoiseShare(clean, draws)),
            ShownStatistic(PartName.NOISE_OF_MEAN, None, NoiseShare(clean, draws, averaged=True)),
            ShownStatistic(PartName.SPREAD, None, Spread(clean)),
        ]


def _draws(compared: ComparedScores) -> tuple[tuple[ScoreKey, ...], ...]:
    """Return the keys of all draws, by perturbation seed."""
    return tuple(zip(*(compared.view(name) for name in draw_views(compared.views)), strict=True))


class PositionExpectation(Bounded, ByGroup):
    """An expectation about comparisons of two candidates, each made in both orders."""

    needs_perturb: ClassVar[bool] = False
    compares_views: ClassVar[bool] = True

    def views_among(self, offered: Collection[str]) -> tuple[str, ...]:
        return (*(view for view in View if view in offered), *rival_views(offered))

    def views_problem(self, offered: Collection[str]) -> str:
        compares = all(view in offered for view in View)
        return "" if compares else "comparisons of two candidates in both orders"


def _share(compared: ComparedScores, view: View) -> ComparisonShare:
    return ComparisonShare(compared.view(view), compared.view(View.ASKED))


class PositionConsistency(PositionExpectation):
    """Share of comparisons with the same winner in both orders."""

    name: ClassVar[str] = "position_consistency"
    summary: ClassVar[str] = (
        "This share of comparisons has the same winner, or none, whichever candidate comes first."
    )
    label: ClassVar[str] = "share"
    quantity: ClassVar[str] = "share of comparisons decided alike in both orders"

    def statistic(self, compared: ComparedScores) -> Statistic:
        return _share(compared, View.CONSISTENT)

    def parts(self, compared: ComparedScores) -> list[ShownStatistic]:
        """Show which position is preferred, flips, and agreement with people's preferences."""
        parts = [
            ShownStatistic(PartName.FIRST_POSITION, None, _share(compared, View.FIRST)),
            ShownStatistic(PartName.FLIPS, None, _share(compared, View.FLIPPED)),
        ]
        if compared.perturbed:  # people judged the clean candidates
            return parts
        (rivals,) = zip(*map(compared.view, rival_views(compared.views)), strict=True)
        return [*parts, ShownStatistic(PartName.SHARED, None, SharedPreferences(rivals))]

    def finish(self, assessment: Assessment) -> Assessment:
        """Leave out the agreement with people if they compared nothing that the judge did."""
        parts = tuple(
            part
            for part in assessment.parts
            if part.name != PartName.SHARED or part.estimate.segments
        )
        return replace(assessment, parts=parts)


class PositionPreference(PositionExpectation):
    """Mean preference for the first position."""

    name: ClassVar[str] = "position_preference"
    summary: ClassVar[str] = (
        "The candidate that comes first is preferred this often; 0.5 is no preference."
    )
    label: ClassVar[str] = "preference"
    quantity: ClassVar[str] = "preference for the candidate that comes first"

    def statistic(self, compared: ComparedScores) -> Statistic:
        return _share(compared, View.FIRST)
