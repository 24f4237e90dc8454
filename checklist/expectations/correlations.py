"""Expectations about agreement with people."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import ClassVar, Literal, Self

import numpy as np
from pydantic import Field, PrivateAttr, model_validator

from shakeproof.expectations.base import Bounded, ByGroup, ShownStatistic, above_zero, estimate_of
from shakeproof.results import PartName, trapezoid_weights
from shakeproof.stats.kinds.accuracy import AccuracyEq, development_threshold
from shakeproof.stats.kinds.agreement import Agreement, correlation, difference
from shakeproof.stats.kinds.coefficients import Coefficient, Pearson, Spearman
from shakeproof.stats.kinds.pairs import PairShare, WmtKendall
from shakeproof.stats.kinds.ranks import Tau, Within
from shakeproof.stats.kinds.retention import Retention, weighted_correlation
from shakeproof.stats.kinds.soft_pairwise import SoftPairwise
from shakeproof.stats.kinds.systems import BySystem
from shakeproof.stats.messages import describe_estimate
from shakeproof.stats.observations import Candidates, ComparedScores, ScoreKey, Statistic, Vector
from shakeproof.stats.power import (
    TAU,
    WITHIN,
    CorrelationErrors,
    Range,
    errors_over_pairs,
    errors_over_rows,
    mean_over,
    times,
)
from shakeproof.stats.rows import TIE, describe_tie, preference_pairs, usable_pairs
from shakeproof.stats.verdicts import Assessment

CoefficientName = Literal[
    "pearson", "spearman", "tau-b", "tau-c", "wmt-kendall", "acc-eq", "soft-pairwise"
]
MEANS = ("pearson", "spearman", "tau-b")  # what segments and systems can be compared by
OWN_THRESHOLDS = "drop at own thresholds"  # of each condition, instead of the clean one's


class Correlational(ByGroup):
    """An expectation that compares scores with what people said."""

    correlational: ClassVar[bool] = True

    kind: CoefficientName = Field(default="pearson", alias="coefficient")
    by: Literal["candidate", "segment", "system"] = "candidate"
    rating_gap: float | None = Field(default=None, gt=0)
    tie: float = Field(default=TIE, ge=0)

    _thresholds: tuple[tuple[ScoreKey, float], ...] = PrivateAttr(default=())

    @model_validator(mode="after")
    def _fits(self) -> Self:
        if self.rating_gap is not None and self.kind != "wmt-kendall":
            raise ValueError(f"rating_gap belongs to wmt-kendall, not to {self.kind}")
        if self.kind == "soft-pairwise" and self.by != "system":
            raise ValueError("soft-pairwise compares systems; add by: system")
        takes = (*MEANS, "soft-pairwise") if self.by == "system" else MEANS
        if self.by != "candidate" and self.kind not in takes:
            raise ValueError(f"by: {self.by} takes {', '.join(takes)}, not {self.kind}")
        return self

    @property
    def coefficient(self) -> str:
        within = {"candidate": "", "segment": " within segments", "system": " between systems"}
        gap = "" if self.rating_gap is None else f", ratings {self.rating_gap:g} apart"
        return f"{self.kind}{within[self.by]}{gap}"

    @property
    def rule(self) -> str:
        """Describe what is compared and what a tie is."""
        tied = describe_tie(self.tie)
        if self.kind == "wmt-kendall":
            pairs = "people's pairs" if self.rating_gap is None else "pairs of an input"
            return f"{pairs}; {tied}; ties count as wrong"
        if self.kind == "acc-eq":
            return "all pairs of an input; scores closer than a calibrated threshold tie"
        if self.kind == "soft-pairwise":
            return f"p-values of pairs of systems; {tied}"
        where = {"candidate": "all candidates", "segment": "mean over segments"}
        compared = where.get(self.by, "means of systems")
        return compared if self.kind == "pearson" else f"{compared}; {tied}"

    @property
    def claim_text(self) -> str:
        """State in words what is expected, without the rule."""
        return super().statement

    @property
    def statement(self) -> str:
        each = ", in each group" if self.each_group else ""
        return f"{self.claim_text}{each} ({self.rule})"

    @property
    def required_data(self) -> frozenset[str]:
        pairs = self.kind == "wmt-kendall" and self.rating_gap is None
        return frozenset({"preferences" if pairs else "ratings"})

    @property
    def more_segments_help(self) -> bool:
        return self.by != "system"  # more systems would help there

    @property
    def calibrates(self) -> bool:
        return self.make_coefficient().has_thresholds

    def calibrate(self, candidates: Candidates, scores: Mapping[ScoreKey, Vector]) -> Self:
        thresholds = {
            score_key: development_threshold(candidates, vector, self.tie)
            for score_key, vector in scores.items()
        }
        return self.with_thresholds(
            {score_key: width for score_key, width in thresholds.items() if width is not None}
        )

    def with_thresholds(self, thresholds: Mapping[ScoreKey, float]) -> Self:
        """Return the same expectation, with tie thresholds that were set on other data."""
        copy = self.model_copy()
        copy._thresholds = tuple(thresholds.items())
        return copy

    def make_coefficient(self) -> Coefficient:
        """Build the coefficient that the settings ask for."""
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
            "acc-eq": AccuracyEq(tie=self.tie, known=self._thresholds),
            "soft-pairwise": SoftPairwise(self.tie),
        }
        return over_all[self.kind]

    def parts(self, compared: ComparedScores) -> list[ShownStatistic]:
        """Show correlations by level, the share that is kept and, for pairs, the ties."""
        coefficient = self.make_coefficient()
        shown = curve(coefficient, compared)
        ties: dict[str, Coefficient] = {
            "wmt-kendall": PairShare("tied", self.rating_gap, self.tie),
            "acc-eq": AccuracyEq(ties=True, tie=self.tie, known=self._thresholds),
        }
        if self.kind in ties:
            rates = curve(ties[self.kind], compared)
            shown += [rate._replace(name=f"ties, {rate.name}") for rate in rates]
        if coefficient.has_thresholds:
            shown += own_threshold_drops(coefficient, compared)
        shown += retentions(coefficient, compared)
        return [*shown, retention_area(coefficient, compared)] if self.over_levels else shown

    def finish(self, assessment: Assessment) -> Assessment:
        """Show retention only where the clean correlation is above 0."""
        clean = estimate_of(assessment.parts, PartName.CLEAN)
        if clean is None or above_zero(clean):
            return assessment
        retention = (PartName.RETENTION, PartName.RETENTION_AREA)
        kept = [part for part in assessment.parts if part.name not in retention]
        return replace(assessment, parts=tuple(kept))

    def guess_standard_error(self, candidates: Candidates, changed_segments: int) -> Range | None:
        if self.by != "candidate":
            return None
        if self.kind == "wmt-kendall":
            pairs = len(preference_pairs(candidates, self.rating_gap))
            return self.guess_from(errors_over_pairs(pairs)) if pairs else None
        rated = np.isfinite(candidates.rating)
        if not rated.any():
            return None
        if self.kind == "acc-eq":  # a share of pairs: half the scale of a Kendall-like correlation
            pairs = max(1, len(usable_pairs(candidates, rated)[0]))
            errors, scale = self.guess_from(errors_over_pairs(pairs)), 0.5
        else:
            errors = self.guess_from(errors_over_rows(int(rated.sum())))
            scale = TAU if self.kind in ("tau-b", "tau-c") else 1.0
        return None if errors is None else times(errors, scale)

    def guess_from(self, errors: CorrelationErrors) -> Range | None:
        """Choose among the guessed errors of correlations the one of the estimate, if any."""
        return None


def curve(coefficient: Coefficient, compared: ComparedScores) -> list[ShownStatistic]:
    """Show the coefficient at level 0 and at each level, averaged over seeds."""
    clean = ShownStatistic(PartName.CLEAN, 0.0, correlation(coefficient, [compared.clean]))
    return [
        clean,
        *(
            ShownStatistic(
                PartName.PERTURBED, level, correlation(coefficient, seeds, compared.clean)
            )
            for level, seeds in zip(levels_of(compared), compared.perturbed, strict=True)
        ),
    ]


def drop(coefficient: Coefficient, compared: ComparedScores, level: int = 0) -> Agreement:
    """Subtract the correlation at one level, averaged over seeds, from the clean one."""
    clean = correlation(coefficient, [compared.clean])
    return difference(clean, correlation(coefficient, compared.perturbed[level], compared.clean))


def own_threshold_drops(coefficient: Coefficient, compared: ComparedScores) -> list[ShownStatistic]:
    """Show the drop at each level with the threshold that suits the perturbed scores."""
    clean = correlation(coefficient, [compared.clean])
    return [
        ShownStatistic(OWN_THRESHOLDS, level, difference(clean, correlation(coefficient, seeds)))
        for level, seeds in zip(compared.levels, compared.perturbed, strict=True)
    ]


def retentions(coefficient: Coefficient, compared: ComparedScores) -> list[ShownStatistic]:
    """Show the share of the clean correlation that is kept at each level, averaged over seeds."""
    return [
        ShownStatistic(
            PartName.RETENTION,
            level,
            Retention(
                weighted_correlation(coefficient, replace(compared, perturbed=(seeds,)), (0, 1))
            ),
        )
        for level, seeds in zip(levels_of(compared), compared.perturbed, strict=True)
    ]


def retention_area(coefficient: Coefficient, compared: ComparedScores) -> ShownStatistic:
    """Show the mean share of the clean correlation that is kept from level 0 to the highest."""
    kept = weighted_correlation(coefficient, compared, trapezoid_weights(compared.levels))
    level = compared.levels[0] if len(compared.levels) == 1 else None
    return ShownStatistic(PartName.RETENTION_AREA, level, Retention(kept))


def levels_of(compared: ComparedScores) -> tuple[float | None, ...]:
    """Return one level for each perturbed condition; None where the family has no levels."""
    return compared.levels or (None,) * len(compared.perturbed)


class Correlation(Correlational, Bounded):
    """Correlation with people, on the perturbed texts if any."""

    name: ClassVar[str] = "correlation"
    summary: ClassVar[str] = "The metric agrees with people this well, on perturbed texts if any."
    needs_perturb: ClassVar[bool] = False
    label: ClassVar[str] = "correlation"

    @property
    def quantity(self) -> str:
        return f"correlation ({self.coefficient})"

    def statistic(self, compared: ComparedScores) -> Statistic:
        return correlation(self.make_coefficient(), compared.condition, compared.clean)

    def guess_standard_error(self, candidates: Candidates, changed_segments: int) -> Range | None:
        if self.by == "segment":
            return mean_over(candidates.segments, WITHIN)
        return super().guess_standard_error(candidates, changed_segments)

    def guess_from(self, errors: CorrelationErrors) -> Range:
        return errors.level


class CorrelationDrop(Correlational, Bounded):
    """Clean minus perturbed correlation."""

    name: ClassVar[str] = "correlation_drop"
    summary: ClassVar[str] = "Agreement with people falls by no more than this under perturbation."
    label: ClassVar[str] = "drop"

    @property
    def quantity(self) -> str:
        return f"drop of {self.coefficient}"

    def statistic(self, compared: ComparedScores) -> Statistic:
        return drop(self.make_coefficient(), compared)

    def guess_from(self, errors: CorrelationErrors) -> Range:
        return errors.drop

    def finish(self, assessment: Assessment) -> Assessment:
        """Note where accuracy falls only because squeezed scores fall under the tie threshold."""
        assessment = super().finish(assessment)
        own = estimate_of(assessment.parts, OWN_THRESHOLDS)
        if own is None or not above_zero(assessment.estimate) or above_zero(own):
            return assessment
        own_drop = describe_estimate(own, "drop")
        remark = f"scale, not order: {own_drop} at each condition's own threshold"
        message = f"{assessment.judgement.message}; {remark}"
        return replace(assessment, judgement=replace(assessment.judgement, message=message))
