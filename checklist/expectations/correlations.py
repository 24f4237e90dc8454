"""Expectations about agreement with people."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import ClassVar, Literal, Self

from pydantic import Field, PrivateAttr, model_validator

from shakeproof.expectations.base import Bounded, Grouped, Shown
from shakeproof.results import Estimate
from shakeproof.stats.kinds.accuracy import AccuracyEq
from shakeproof.stats.kinds.agreement import Agreement, correlation, difference
from shakeproof.stats.kinds.coefficients import Coefficient, Pearson, Spearman
from shakeproof.stats.kinds.pairs import PairShare, WmtKendall
from shakeproof.stats.kinds.ranks import Tau, Within
from shakeproof.stats.kinds.systems import BySystem
from shakeproof.stats.messages import Words
from shakeproof.stats.observations import ComparedScores, ScoreKey, Statistic
from shakeproof.stats.rows import TIE
from shakeproof.stats.verdicts import Assessment

CoefficientName = Literal["pearson", "spearman", "tau-b", "tau-c", "wmt-kendall", "acc-eq"]
OWN = "drop at own thresholds"  # of each condition, instead of the clean one's
MEANS = ("pearson", "spearman", "tau-b")  # what segments and systems can be compared by


class Correlational(Grouped):
    """An expectation that compares scores with what people said."""

    correlational: ClassVar[bool] = True

    kind: CoefficientName = Field(default="pearson", alias="coefficient")
    by: Literal["candidate", "segment", "system"] = "candidate"
    rating_gap: float | None = Field(default=None, gt=0)
    tie: float = Field(default=TIE, ge=0)

    _known: tuple[tuple[ScoreKey, float], ...] = PrivateAttr(default=())

    @property
    def calibrates(self) -> bool:
        """Say whether scores closer than a threshold are ties, which a development part can set."""
        return self.kind == "acc-eq"

    def with_thresholds(self, known: Mapping[ScoreKey, float]) -> Self:
        """Give the same expectation, with thresholds that were set on other data."""
        found = self.model_copy()
        found._known = tuple(known.items())
        return found

    @model_validator(mode="after")
    def _fits(self) -> Self:
        if self.rating_gap is not None and self.kind != "wmt-kendall":
            raise ValueError(f"rating_gap belongs to wmt-kendall, not to {self.kind}")
        if self.by != "candidate" and self.kind not in MEANS:
            raise ValueError(f"by: {self.by} takes {', '.join(MEANS)}, not {self.kind}")
        return self

    @property
    def coefficient(self) -> str:
        """Name the coefficient, and where it is taken if not over all candidates."""
        within = {"candidate": "", "segment": " within segments", "system": " between systems"}
        gap = "" if self.rating_gap is None else f", ratings {self.rating_gap:g} apart"
        return f"{self.kind}{within[self.by]}{gap}"

    @property
    def rule(self) -> str:
        """Say what is compared and what a tie is, defaults included."""
        tied = f"scores within {self.tie:g} tie"
        if self.kind == "wmt-kendall":
            pairs = "people's pairs" if self.rating_gap is None else "pairs of an input"
            return f"{pairs}; {tied}, which is wrong"
        if self.kind == "acc-eq":
            return "all pairs of an input; scores closer than a calibrated threshold tie"
        where = {"candidate": "all candidates", "segment": "mean over segments"}
        compared = where.get(self.by, "means of systems")
        return compared if self.kind == "pearson" else f"{compared}; {tied}"

    @property
    def claimed(self) -> str:
        """Say in words what is expected, without the rule."""
        return super().statement

    @property
    def statement(self) -> str:
        """Say in words what is expected, and by which rule."""
        each = ", in each group" if self.each_group else ""
        return f"{self.claimed}{each} ({self.rule})"

    @property
    def demands(self) -> frozenset[str]:
        """Ask for preferences if the coefficient compares people's pairs, else for ratings."""
        pairs = self.kind == "wmt-kendall" and self.rating_gap is None
        return frozenset({"preferences" if pairs else "ratings"})

    @property
    def more_segments_help(self) -> bool:
        """Ask for more systems, not segments, where those are compared."""
        return self.by != "system"

    def agreement(self) -> Coefficient:
        """Build the coefficient."""
        if self.kind in ("pearson", "spearman", "tau-b"):
            if self.by == "segment":
                return Within(self.kind, self.tie)
            if self.by == "system":
                return BySystem(self.kind, self.tie)
        over_all: dict[str, Coefficient] = {
            "pearson": Pearson(self.tie),
            "spearman": Spearman(self.tie),
            "tau-b": Tau("b", self.tie),
            "tau-c": Tau("c", self.tie),
            "wmt-kendall": WmtKendall(self.rating_gap, self.tie),
            "acc-eq": AccuracyEq(tie=self.tie, known=self._known),
        }
        return over_all[self.kind]

    def parts(self, compared: ComparedScores) -> list[Shown]:
        """Show the correlation on clean and on perturbed texts and, for pairs, the ties."""
        shown = curve(self.agreement(), compared)
        ties: dict[str, Coefficient] = {
            "wmt-kendall": PairShare("tied", self.rating_gap, self.tie),
            "acc-eq": AccuracyEq(ties=True, tie=self.tie, known=self._known),
        }
        if self.kind in ties:
            rates = curve(ties[self.kind], compared)
            shown += [(f"ties, {name}", level, statistic) for name, level, statistic in rates]
        if self.kind == "acc-eq" and compared.perturbed:
            shown += own_drops(self.agreement(), compared)
        return shown


def at(
    coefficient: Coefficient, compared: ComparedScores, score_keys: Iterable[ScoreKey]
) -> Agreement:
    """Correlate a condition; thresholds, where there are any, are those of the clean scores."""
    anchor = compared.clean if isinstance(coefficient, AccuracyEq) else None
    return correlation(coefficient, score_keys, anchor)


def curve(coefficient: Coefficient, compared: ComparedScores) -> list[Shown]:
    """Give the coefficient at level 0 and at each level, averaged over seeds."""
    shown: list[Shown] = [("clean", 0.0, correlation(coefficient, [compared.clean]))]
    levels = compared.levels or (None,) * len(compared.perturbed)
    for level, seeds in zip(levels, compared.perturbed, strict=True):
        shown.append(("perturbed", level, at(coefficient, compared, seeds)))
    return shown


def drop(coefficient: Coefficient, compared: ComparedScores, level: int = 0) -> Agreement:
    """Take the correlation at one level, averaged over seeds, from the clean one."""
    clean = correlation(coefficient, [compared.clean])
    return difference(clean, at(coefficient, compared, compared.perturbed[level]))


def own_drops(coefficient: Coefficient, compared: ComparedScores) -> list[Shown]:
    """Give the drop at each level with the threshold that suits the perturbed scores."""
    clean = correlation(coefficient, [compared.clean])
    levels = zip(compared.levels, compared.perturbed, strict=True)
    return [
        (OWN, level, difference(clean, correlation(coefficient, seeds))) for level, seeds in levels
    ]


class Correlation(Correlational, Bounded):
    """Correlation with people, on the perturbed texts if any."""

    name: ClassVar[str] = "correlation"
    summary: ClassVar[str] = "The metric agrees with people this well, on perturbed texts if any."
    needs_perturb: ClassVar[bool] = False

    @property
    def noun(self) -> str:
        """Call it a correlation."""
        return "correlation"

    @property
    def quantity(self) -> str:
        """Name the coefficient."""
        return f"correlation ({self.coefficient})"

    def statistic(self, compared: ComparedScores) -> Statistic:
        """Correlate what there is: perturbed scores, otherwise clean ones."""
        score_keys = compared.perturbed[0] if compared.perturbed else (compared.clean,)
        return at(self.agreement(), compared, score_keys)


class CorrelationDrop(Correlational, Bounded):
    """Clean minus perturbed correlation."""

    name: ClassVar[str] = "correlation_drop"
    summary: ClassVar[str] = "Agreement with people falls by no more than this under perturbation."

    @property
    def noun(self) -> str:
        """Call it a drop."""
        return "drop"

    @property
    def quantity(self) -> str:
        """Name the coefficient."""
        return f"drop of {self.coefficient}"

    def statistic(self, compared: ComparedScores) -> Statistic:
        """Take the perturbed correlation from the clean one."""
        return drop(self.agreement(), compared)

    def finish(self, assessment: Assessment) -> Assessment:
        """Say so if accuracy falls only because squeezed scores fall under the tie threshold."""
        own = next((part.estimate for part in assessment.parts if part.name == OWN), None)
        if own is None or not _above_zero(assessment.estimate) or _above_zero(own):
            return assessment
        remark = f"scale, not order: {Words('drop').state(own)} at each condition's own threshold"
        message = f"{assessment.judgement.message}; {remark}"
        return replace(assessment, judgement=replace(assessment.judgement, message=message))


def _above_zero(found: Estimate) -> bool:
    return found.low is not None and found.low > 0
