"""Expectations about the share of the clean correlation that is kept under perturbation."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import ClassVar

from pydantic import Field

from shakeproof.expectations.base import above_zero, estimate_of
from shakeproof.expectations.correlations import Correlational
from shakeproof.results import Bounds, PartName, trapezoid_weights
from shakeproof.stats.kinds.retention import retention_contrast
from shakeproof.stats.messages import describe_estimate
from shakeproof.stats.observations import ComparedScores, Statistic
from shakeproof.stats.power import CorrelationErrors, Range
from shakeproof.stats.verdicts import Assessment, judge


class CorrelationKept(Correlational):
    """An expectation about the share of the clean correlation that is kept.

    It is judged on what is kept minus `at_least` times the clean correlation, without a division.
    """

    share_name: ClassVar[str]  # of the part that holds the share
    label: ClassVar[str] = "margin"
    bounds: ClassVar[Bounds] = Bounds(low=0.0)  # of the difference, not of the share

    at_least: float = Field(ge=0)

    @property
    def claim_text(self) -> str:
        return f"{self.share_name} is at least {self.at_least:g}"

    @property
    def quantity(self) -> str:
        return f"correlation kept ({self.coefficient}) beyond {self.at_least:g} of the clean one"

    def weights(self, compared: ComparedScores) -> Sequence[float]:
        """Return the weights of the correlations at level 0 and at each level."""
        raise NotImplementedError

    def statistic(self, compared: ComparedScores) -> Statistic:
        return retention_contrast(
            self.make_coefficient(), compared, self.weights(compared), self.at_least
        )

    def guess_from(self, errors: CorrelationErrors) -> Range:
        return errors.drop

    def finish(self, assessment: Assessment) -> Assessment:
        """State the share instead of the difference, unless the clean correlation may be 0."""
        judgement = assessment.judgement
        clean = estimate_of(assessment.parts, PartName.CLEAN)
        share = estimate_of(assessment.parts, self.share_name)
        assessment = super().finish(assessment)
        if clean is not None and not above_zero(clean):
            doubt = f"{self.share_name} undefined: clean {describe_estimate(clean, 'correlation')}"
            message = f"{judgement.message}; {doubt}"
            return replace(assessment, judgement=replace(judgement, message=message, advice=""))
        if share is None:
            return assessment
        bounds = Bounds(low=self.at_least)
        by_share = judge(bounds, share, label=self.share_name, min_segments=0)
        if by_share.verdict is not judgement.verdict:
            return assessment
        return replace(assessment, judgement=replace(by_share, p=judgement.p))


class RetentionExpectation(CorrelationKept):
    """Share of the clean correlation that is kept at a level."""

    name: ClassVar[str] = "retention"
    summary: ClassVar[str] = "This share of the clean correlation is kept under perturbation."
    share_name: ClassVar[str] = PartName.RETENTION

    def weights(self, compared: ComparedScores) -> Sequence[float]:
        return 0.0, 1.0


class RetentionArea(CorrelationKept):
    """Mean share of the clean correlation that is kept over the levels."""

    name: ClassVar[str] = "retention_area"
    summary: ClassVar[str] = (
        "This share of the clean correlation is kept on average from level 0 to the highest."
    )
    over_levels: ClassVar[bool] = True
    share_name: ClassVar[str] = PartName.RETENTION_AREA

    def weights(self, compared: ComparedScores) -> Sequence[float]:
        return trapezoid_weights(compared.levels)
