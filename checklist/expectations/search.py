"""The expectation that a search for counterexamples finds none."""

from __future__ import annotations

from importlib.util import find_spec
from typing import ClassVar, Literal, Self

from pydantic import Field, model_validator

from shakeproof.expectations.base import Evaluation, InSpreads, in_words
from shakeproof.results import Bounds, counted
from shakeproof.stats.text_limits import TextLimits

MAX_CHANGE = 1.0  # spreads that a score may change by, unless bounds are given
VERBS = {"change": "change its score", "drop": "lower its score", "rise": "raise its score"}


class Search(InSpreads):
    """No text can be found that few edits move too far.

    It is judged by what was found within the budget, so it is never undecided, and passing it
    says no more than how hard it was tried.
    """

    name: ClassVar[str] = "search"
    summary: ClassVar[str] = (
        "A search within a budget of scores finds no text whose score a few edits move by more "
        "than this, or which they put behind a worse one."
    )
    evaluation: ClassVar[Evaluation] = Evaluation.SEARCH
    over_levels: ClassVar[bool] = True

    direction: Literal["change", "drop", "rise", "flip"] = Field(default="change", alias="scores")
    at_most: float | None = None
    at_least: float | None = None
    edits: int = Field(default=3, ge=1)
    budget: int = Field(default=500, ge=1)
    polish: bool = False

    @model_validator(mode="after")
    def _fits(self) -> Self:
        low, high = self.at_least, self.at_most
        if self.direction == "flip" and not (low is None and high is None):
            raise ValueError("bounds belong to scores: change, drop or rise, not to flip")
        if low is not None and high is not None and low > high:
            raise ValueError(f"at_least {low:g} lies above at_most {high:g}")
        if self.polish and find_spec("hypothesis") is None:
            raise ValueError("polish needs Hypothesis; install it by pip install hypothesis")
        return self

    @property
    def correlational(self) -> bool:  # type: ignore[override]  # it depends on the direction
        return self.direction == "flip"

    @property
    def needs_judgements(self) -> bool:  # type: ignore[override]  # as above
        return self.direction == "flip"

    @property
    def text_limits(self) -> TextLimits | None:
        """Limit each text by the bounds as they stand; pairs have no limits."""
        if self.direction == "flip":
            return None
        ends = {"low": self.bounds.low, "high": self.bounds.high}
        known = {name: end for name, end in ends.items() if end is not None}
        return TextLimits(self.direction, **known, spreads=self.in_spreads)

    @property
    def bounds(self) -> Bounds:
        """Return the bounds as written, or the default; no pair may change places."""
        if self.direction == "flip":
            return Bounds(high=0.0)
        if self.at_least is None and self.at_most is None:
            return Bounds(high=MAX_CHANGE)
        return Bounds(low=self.at_least, high=self.at_most)

    @property
    def label(self) -> str:  # type: ignore[override]  # as above
        return "flips" if self.direction == "flip" else self.direction

    @property
    def unit(self) -> str:
        return "" if self.direction == "flip" else super().unit

    @property
    def quantity(self) -> str:
        if self.direction == "flip":
            return f"pairs that up to {counted(self.edits, 'edit')} turn round, as far as searched"
        return f"furthest {self.label} of a score by up to {counted(self.edits, 'edit')}"

    @property
    def statement(self) -> str:
        edits = counted(self.edits, "edit")
        if self.direction == "flip":
            return f"no {edits} of a text put a better candidate behind a worse one"
        bounds = in_words(self.bounds).removeprefix("is ")
        unit = f" {self.unit}" if self.unit else ""
        return f"up to {edits} of a text {VERBS[self.direction]} by {bounds}{unit}"
