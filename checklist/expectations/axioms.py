"""Axioms: exact statements about the tested texts, with a tolerance and without an interval."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Self

import numpy as np
from pydantic import Field, model_validator

from shakeproof.expectations.base import Expectation
from shakeproof.results import Bounds
from shakeproof.stats.messages import limit
from shakeproof.stats.observations import ComparedScores, Mask, Observations
from shakeproof.stats.rows import TIE
from shakeproof.stats.text_limits import Fault
from shakeproof.stats.verdicts import disagreements


class Axiom(Expectation):
    """An expectation that a single score can break."""

    tolerance: float = Field(default=TIE, ge=0)

    @property
    def bounds(self) -> Bounds:
        """Allow no score that breaks it."""
        return Bounds(high=0.0)

    @property
    def noun(self) -> str:
        """Call what is counted a violation."""
        return "violations"

    @property
    def quantity(self) -> str:
        """Say what is counted."""
        return "number of scores that break the axiom"

    def checked(self, compared: ComparedScores, observed: Observations) -> Mask:
        """Mark the rows that the axiom speaks of."""
        return np.ones(len(observed.candidates.segment), bool)

    def broken(self, compared: ComparedScores, observed: Observations) -> Mask:
        """Mark the rows that break it."""
        raise NotImplementedError


def changed_anywhere(compared: ComparedScores, observed: Observations) -> Mask:
    """Mark the rows with a changed text under any condition."""
    rows = np.zeros(len(observed.candidates.segment), bool)
    for seeds in compared.perturbed:
        for score_key in seeds:
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
        """Name the range."""
        low = "any number" if self.low is None else limit(self.low)
        high = "any number" if self.high is None else limit(self.high)
        return f"every score lies between {low} and {high}"

    def broken(self, compared: ComparedScores, observed: Observations) -> Mask:
        """Mark scores outside, under any condition."""
        low = -np.inf if self.low is None else self.low - self.tolerance
        high = np.inf if self.high is None else self.high + self.tolerance
        rows = np.zeros(len(observed.candidates.segment), bool)
        for score_key in (
            compared.clean,
            *(score_key for seeds in compared.perturbed for score_key in seeds),
        ):
            rows |= ~((observed.scores[score_key] >= low) & (observed.scores[score_key] <= high))
        return rows


class Identity(Axiom):
    """Nothing scores higher than the reference itself."""

    name: ClassVar[str] = "identity"
    summary: ClassVar[str] = "No candidate scores higher than a copy of the reference."
    default_perturb: ClassVar[Mapping[str, Any] | None] = {"copy-reference": {"on": "candidate"}}

    @property
    def demands(self) -> frozenset[str]:
        """Ask for references."""
        return frozenset({"references"})

    @property
    def statement(self) -> str:
        """Say it in words."""
        return "no candidate scores higher than a copy of the reference"

    def broken(self, compared: ComparedScores, observed: Observations) -> Mask:
        """Mark candidates above the copy, or copies without a score."""
        clean, copy = observed.scores[compared.clean], observed.scores[compared.perturbed[0][0]]
        return np.where(np.isfinite(clean), ~(copy >= clean - self.tolerance), False)


class EmptyText(Axiom):
    """An empty text has a score, and no high one."""

    name: ClassVar[str] = "empty_text"
    summary: ClassVar[str] = "An empty candidate gets a score, and none above the real one's."
    default_perturb: ClassVar[Mapping[str, Any] | None] = {"empty": {"on": "candidate"}}

    @property
    def statement(self) -> str:
        """Say it in words."""
        return "an empty candidate gets a score, and none above the real one's"

    def checked(self, compared: ComparedScores, observed: Observations) -> Mask:
        """Speak of texts that were not empty before."""
        return changed_anywhere(compared, observed)

    def broken(self, compared: ComparedScores, observed: Observations) -> Mask:
        """Mark missing scores and those above the clean one."""
        clean, empty = observed.scores[compared.clean], observed.scores[compared.perturbed[0][0]]
        above = np.isfinite(clean) & (empty > clean + self.tolerance)
        return self.checked(compared, observed) & (above | ~np.isfinite(empty))


class SameScores(Axiom):
    """A perturbation leaves every score as it is."""

    name: ClassVar[str] = "same_scores"
    summary: ClassVar[str] = "Not a single score changes, up to a tolerance."

    @property
    def statement(self) -> str:
        """Name the tolerance."""
        return f"no score changes by more than {self.tolerance:g}"

    @property
    def fault(self) -> Fault:
        """Let a text break it whose score changes."""
        return Fault("change", high=self.tolerance, spreads=False, tie=0.0)

    def checked(self, compared: ComparedScores, observed: Observations) -> Mask:
        """Speak of changed texts."""
        return changed_anywhere(compared, observed)

    def broken(self, compared: ComparedScores, observed: Observations) -> Mask:
        """Mark changed scores, and those that got or lost theirs."""
        clean = observed.scores[compared.clean]
        rows = np.zeros(len(clean), bool)
        for score_key in (score_key for seeds in compared.perturbed for score_key in seeds):
            rows |= disagreements(clean, observed.scores[score_key], self.tolerance)
        return rows & self.checked(compared, observed)
