"""Axioms: exact statements about the tested texts, with a tolerance and without an interval."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Self

import numpy as np
from pydantic import Field, model_validator

from shakeproof.expectations.base import Evaluation, Expectation
from shakeproof.results import Bounds
from shakeproof.stats.messages import limit
from shakeproof.stats.observations import ComparedScores, Mask, Observations, ScoreKey
from shakeproof.stats.rows import TIE, tie_width
from shakeproof.stats.text_limits import TextLimits
from shakeproof.stats.verdicts import Assessment, disagreements, violations


class Axiom(Expectation):
    """An expectation that a single score can break; no score may."""

    evaluation: ClassVar[Evaluation] = Evaluation.EACH_SCORE
    bounds: ClassVar[Bounds] = Bounds(high=0.0)
    label: ClassVar[str] = "violations"
    quantity: ClassVar[str] = "number of scores that break the axiom"

    tolerance: float = Field(default=TIE, ge=0)

    @property
    def statement(self) -> str:
        return self.summary[0].lower() + self.summary[1:].removesuffix(".")

    def checked(self, compared: ComparedScores, observed: Observations) -> Mask:
        """Mark the rows that the axiom is about."""
        return np.ones(len(observed.candidates.segment), bool)

    def broken(self, compared: ComparedScores, observed: Observations) -> Mask:
        """Mark the rows that break it."""
        raise NotImplementedError

    def assess_exactly(self, compared: ComparedScores, observed: Observations) -> Assessment:
        checked = self.checked(compared, observed)
        broken = self.broken(compared, observed) & checked
        segments = len(np.unique(observed.candidates.segment[checked]))
        estimate, judgement = violations(int(broken.sum()), int(checked.sum()), segments)
        return Assessment(estimate, (), judgement, np.empty(0))


def perturbed_keys(compared: ComparedScores) -> list[ScoreKey]:
    """List the perturbed scores of all levels and seeds."""
    return [score_key for seeds in compared.perturbed for score_key in seeds]


def changed_rows(compared: ComparedScores, observed: Observations) -> Mask:
    """Mark the rows with a changed text under any condition."""
    rows = np.zeros(len(observed.candidates.segment), bool)
    for score_key in perturbed_keys(compared):
        rows |= observed.changed[score_key]
    return rows


class ScoreRange(Axiom):
    """Scores stay between bounds."""

    name: ClassVar[str] = "score_range"
    summary: ClassVar[str] = "Every score lies between these numbers, perturbed or not."
    needs_perturb: ClassVar[bool] = False

    low: float | None = None
    high: float | None = None

    @model_validator(mode="after")
    def _has_an_end(self) -> Self:
        if self.low is None and self.high is None:
            raise ValueError("say low, high or both")
        return self

    @property
    def statement(self) -> str:
        low = "any number" if self.low is None else limit(self.low)
        high = "any number" if self.high is None else limit(self.high)
        return f"every score lies between {low} and {high}"

    def broken(self, compared: ComparedScores, observed: Observations) -> Mask:
        """Mark scores outside the range, under any condition."""
        low = -np.inf if self.low is None else self.low - self.tolerance
        high = np.inf if self.high is None else self.high + self.tolerance
        rows = np.zeros(len(observed.candidates.segment), bool)
        for score_key in (compared.clean, *perturbed_keys(compared)):
            scores = observed.scores[score_key]
            rows |= (scores < low) | (scores > high)
        return rows


class Identity(Axiom):
    """Nothing scores higher than the reference itself."""

    name: ClassVar[str] = "identity"
    summary: ClassVar[str] = "No candidate scores higher than a copy of the reference."
    default_perturb: ClassVar[Mapping[str, Any] | None] = {"copy-reference": {"on": "candidate"}}
    required_data: ClassVar[frozenset[str]] = frozenset({"references"})

    def broken(self, compared: ComparedScores, observed: Observations) -> Mask:
        """Mark candidates above the copy, or copies without a score."""
        clean, copy = observed.scores[compared.clean], observed.scores[compared.perturbed[0][0]]
        return np.where(
            np.isfinite(clean), ~(copy >= clean - tie_width(clean, self.tolerance)), False
        )


class EmptyText(Axiom):
    """An empty text has a score, and no high one."""

    name: ClassVar[str] = "empty_text"
    summary: ClassVar[str] = "An empty candidate gets a score, and none above the real one's."
    default_perturb: ClassVar[Mapping[str, Any] | None] = {"empty": {"on": "candidate"}}

    def checked(self, compared: ComparedScores, observed: Observations) -> Mask:
        """Mark texts that were not empty before."""
        return changed_rows(compared, observed)

    def broken(self, compared: ComparedScores, observed: Observations) -> Mask:
        """Mark missing scores and those above the clean one."""
        clean, empty = observed.scores[compared.clean], observed.scores[compared.perturbed[0][0]]
        above = np.isfinite(clean) & (empty > clean + tie_width(clean, self.tolerance))
        return above | ~np.isfinite(empty)


class SameScores(Axiom):
    """A perturbation leaves every score as it is."""

    name: ClassVar[str] = "same_scores"
    summary: ClassVar[str] = "Not a single score changes, up to a tolerance."

    @property
    def statement(self) -> str:
        return f"no score changes by more than {self.tolerance:g}"

    @property
    def text_limits(self) -> TextLimits:
        return TextLimits("change", high=0.0, spreads=False, tie=self.tolerance)

    def checked(self, compared: ComparedScores, observed: Observations) -> Mask:
        return changed_rows(compared, observed)

    def broken(self, compared: ComparedScores, observed: Observations) -> Mask:
        """Mark scores that changed, appeared or went missing."""
        clean = observed.scores[compared.clean]
        rows = np.zeros(len(clean), bool)
        for score_key in perturbed_keys(compared):
            rows |= disagreements(clean, observed.scores[score_key], self.tolerance)
        return rows
