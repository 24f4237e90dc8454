"""What a copied input must cost, and the dossier that is shown beside it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, ClassVar

from pydantic import Field

from shakeproof.expectations.base import Shown
from shakeproof.expectations.scores import Scored
from shakeproof.stats.kinds.coefficients import Coefficient, Pearson, Spearman
from shakeproof.stats.kinds.copying import CopyFigure, CopyPenalty, CopyRank, CopyWins
from shakeproof.stats.kinds.extended import Extended
from shakeproof.stats.kinds.scores import Spread
from shakeproof.stats.observations import ComparedScores, Statistic

NEAR = "near-copy"  # the family with so many words left out or repeated
RUNGS = ("copy-lower", "copy-unpunctuated")  # families that are on or off, nearest to a copy first
COEFFICIENTS: Mapping[str, Coefficient] = {"pearson": Pearson(), "spearman": Spearman()}
EXTENDED = "with copies rated 0"


class CopyPenaltyExpectation(Scored):
    """What copying the input costs."""

    name: ClassVar[str] = "copy_penalty"
    summary: ClassVar[str] = (
        "A copy of the input scores this much below the candidates that people rate best."
    )
    default_perturb: ClassVar[Mapping[str, Any] | None] = {"copy-input": {"on": "candidate"}}
    needs_judgements: ClassVar[bool] = True
    about_copies: ClassVar[bool] = True

    ladder: tuple[Annotated[int, Field(ge=1)], ...] = (1, 2, 4)  # words changed in near-copies

    @property
    def demands(self) -> frozenset[str]:
        """Ask for the input."""
        return frozenset({"source"})

    @property
    def beside(self) -> Mapping[str, tuple[float, ...]]:
        """Score the near-copies of the ladder too, one of each input; none without a ladder."""
        if not self.ladder:
            return {}
        return {
            **dict.fromkeys(RUNGS, (1.0,)),
            NEAR: tuple(map(float, sorted(set(self.ladder)))),
        }

    @property
    def noun(self) -> str:
        """Call it a penalty."""
        return "penalty"

    @property
    def quantity(self) -> str:
        """Say what is compared."""
        return "best-rated candidates' score minus the copy's"

    def statistic(self, compared: ComparedScores) -> Statistic:
        """Compare the best-rated candidates with the copy."""
        return CopyPenalty(compared.clean, compared.perturbed[0][0], self.scale == "spread")

    def parts(self, compared: ComparedScores) -> list[Shown]:
        """Show the ladder, the scores compared, how often the copy wins, what it does to r."""
        clean, copy = compared.clean, compared.perturbed[0][0]
        return [
            ("copy", None, CopyFigure("copy", clean, copy)),
            *self._ladder(compared),
            ("best", None, CopyFigure("best", clean, copy)),
            ("mean candidate", None, CopyFigure("judged", clean, copy)),
            ("copy wins", None, CopyWins(clean, copy)),
            ("copy percentile", None, CopyFigure("percentile", clean, copy)),
            ("copy percentile among all", None, CopyRank(clean, copy)),
            ("spread", None, Spread(clean)),
            *(
                (
                    f"{name} {EXTENDED}" if copies else name,
                    None,
                    Extended(kind, clean, copy, copies),
                )
                for name, kind in COEFFICIENTS.items()
                for copies in (False, True)
            ),
        ]

    def _ladder(self, compared: ComparedScores) -> list[Shown]:
        copy = compared.perturbed[0][0]
        return [
            (
                family,
                level if family == NEAR else None,
                CopyFigure("near-copy", compared.clean, copy, seeds[0]),
            )
            for family in self.beside
            if family in compared.others
            for level, seeds in zip(
                compared.others[family].levels, compared.others[family].perturbed, strict=True
            )
        ]
