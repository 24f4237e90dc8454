"""What a copied input must cost, and the numbers that explain it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, ClassVar

from pydantic import Field

from shakeproof.expectations.base import ShownStatistic
from shakeproof.expectations.scores import ScoreExpectation
from shakeproof.results import PartName
from shakeproof.stats.kinds.added_copies import CorrelationWithCopies
from shakeproof.stats.kinds.coefficients import Coefficient, Pearson, Spearman
from shakeproof.stats.kinds.copying import CopyMean, CopyPenalty, CopyRank, CopyWins
from shakeproof.stats.kinds.scores import Spread
from shakeproof.stats.observations import ComparedScores, Statistic
from shakeproof.stats.power import PENALTIES, Range

NEAR_COPY = "near-copy"  # the family that leaves out or repeats so many words
ALTERED_COPIES = ("copy-lower", "copy-unpunctuated")  # families without levels, nearest first
CORRELATIONS: Mapping[tuple[PartName, PartName], Coefficient] = {  # without and with copies
    (PartName.PEARSON, PartName.PEARSON_WITH_COPIES): Pearson(),
    (PartName.SPEARMAN, PartName.SPEARMAN_WITH_COPIES): Spearman(),
}


class CopyPenaltyExpectation(ScoreExpectation):
    """What copying the input costs."""

    name: ClassVar[str] = "copy_penalty"
    summary: ClassVar[str] = (
        "A copy of the input scores this much below the candidates that people rate best."
    )
    default_perturb: ClassVar[Mapping[str, Any] | None] = {"copy-input": {"on": "candidate"}}
    needs_judgements: ClassVar[bool] = True
    about_copies: ClassVar[bool] = True
    required_data: ClassVar[frozenset[str]] = frozenset({"source"})
    usual_deviation: ClassVar[Range | None] = PENALTIES
    label: ClassVar[str] = "penalty"
    quantity: ClassVar[str] = "best-rated candidates' score minus the copy's"

    ladder: tuple[Annotated[int, Field(ge=1)], ...] = (1, 2, 4)  # words changed in near-copies

    @property
    def shown_families(self) -> Mapping[str, tuple[float, ...]]:
        """Score near-copies too, one of each input; none without a ladder."""
        if not self.ladder:
            return {}
        return {
            **dict.fromkeys(ALTERED_COPIES, (1.0,)),
            NEAR_COPY: tuple(map(float, sorted(set(self.ladder)))),
        }

    def statistic(self, compared: ComparedScores) -> Statistic:
        return CopyPenalty(compared.clean, compared.perturbed[0][0], self.in_spreads)

    def parts(self, compared: ComparedScores) -> list[ShownStatistic]:
        """Show the scores compared, near-copies, how often copies win, correlations with them."""
        clean, copy = compared.clean, compared.perturbed[0][0]
        near_copies = [
            (family, level if family == NEAR_COPY else None, seeds[0])
            for family in self.shown_families
            if (near := compared.others.get(family))
            for level, seeds in zip(near.levels, near.perturbed, strict=True)
        ]
        statistics: dict[str, Statistic] = {
            PartName.BEST_RATED: CopyMean("best", clean, copy),
            PartName.MEAN_CANDIDATE: CopyMean("judged", clean, copy),
            PartName.COPY_WINS: CopyWins(clean, copy),
            PartName.COPY_PERCENTILE: CopyMean("percentile", clean, copy),
            PartName.COPY_PERCENTILE_AMONG_ALL: CopyRank(clean, copy),
            PartName.SPREAD: Spread(clean),
        }
        for (plain, extended), coefficient in CORRELATIONS.items():
            statistics[plain] = CorrelationWithCopies(coefficient, clean, copy, copies=False)
            statistics[extended] = CorrelationWithCopies(coefficient, clean, copy)
        return [
            ShownStatistic(PartName.COPY, None, CopyMean("copy", clean, copy)),
            *(
                ShownStatistic(family, level, CopyMean("near-copy", clean, copy, near))
                for family, level, near in near_copies
            ),
            *(ShownStatistic(name, None, statistic) for name, statistic in statistics.items()),
        ]
