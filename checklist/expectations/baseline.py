"""The expectation that a metric agrees with people no worse than it did in a stored run."""

from __future__ import annotations

from typing import ClassVar, Self

from pydantic import Field, model_validator

from shakeproof.expectations.base import Evaluation
from shakeproof.expectations.correlations import Correlation, Correlational
from shakeproof.results import Bounds, Tolerance
from shakeproof.stats.messages import limit
from shakeproof.stats.observations import ComparedScores, Statistic


class NoWorseThanBaseline(Correlational):
    """Agreement with people has not fallen since a run was stored.

    Unlike the option that compares a whole run, it passes only where a loss is ruled out.
    """

    name: ClassVar[str] = "no_worse_than_baseline"
    summary: ClassVar[str] = (
        "The metric agrees with people no worse than in a stored run, which asked for the same "
        "correlation on the same data."
    )
    evaluation: ClassVar[Evaluation] = Evaluation.STORED_RUN
    needs_perturb: ClassVar[bool] = False
    label: ClassVar[str] = "worse by"

    baseline: str = Field(min_length=1)  # a run.json, from the folder of the checklist
    tolerance: float = Field(default=Tolerance().correlation, ge=0)

    @model_validator(mode="after")
    def _one_number(self) -> Self:
        if self.each is not None:
            raise ValueError("each: group is not offered: a stored run keeps one number for all")
        return self

    @property
    def correlation(self) -> Correlation:
        """Return the expectation whose number is compared."""
        settings = {"coefficient": self.kind, "by": self.by, "tie": self.tie, "at_least": -1.0}
        expectation: Correlation = Correlation.model_validate(
            {**settings, "rating_gap": self.rating_gap}
        ).with_thresholds(dict(self._thresholds))
        return expectation

    @property
    def bounds(self) -> Bounds:
        return Bounds(high=self.tolerance)

    @property
    def quantity(self) -> str:
        return f"loss of correlation ({self.coefficient}) since {self.baseline}"

    @property
    def claim_text(self) -> str:
        lower = f"at most {limit(self.tolerance)} lower" if self.tolerance else "no lower"
        return f"{self.coefficient} is {lower} than in {self.baseline}"

    def statistic(self, compared: ComparedScores) -> Statistic:
        return self.correlation.statistic(compared)
