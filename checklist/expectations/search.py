"""The expectation that a search for counterexamples finds none."""

from __future__ import annotations

from importlib.util import find_spec
from typing import ClassVar, Literal, Self

from pydantic import Field, model_validator

from shakeproof.expectations.base import Expectation, in_words
from shakeproof.results import Bounds
from shakeproof.stats.messages import count
from shakeproof.stats.text_limits import Fault

MOST = 1.0  # spreads that a score may change by, unless bounds are given
WORDS = {"change": "change its score", "drop": "lower its score", "rise": "raise its score"}


class Search(Expectation):
    """No text can be found that few edits move too far.

    It is judged by what was found within the budget, so it is never undecided, and passing it
    says no more than how hard it was tried.
    """

    name: ClassVar[str] = "search"
    summary: ClassVar[str] = (
        "A search within a budget of scores finds no text whose score a few edits move by more "
        "than this, or which they put behind a worse one."
    )
    over_levels: ClassVar[bool] = True

    direction: Literal["change", "drop", "rise", "flip"] = Field(default="change", alias="scores")
    at_most: float | None = None
    at_least: float | None = None
    scale: Literal["spread", "raw"] = Field(default="spread", alias="unit")
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
    def correlational(self) -> bool:  # type: ignore[override]  # it depends on what is looked for
        """Ask that what people judged still stands if their order is looked at."""
        return self.direction == "flip"

    @property
    def needs_judgements(self) -> bool:  # type: ignore[override]  # as above
        """Ask for ratings or preferences if their order is looked at."""
        return self.direction == "flip"

    @property
    def fault(self) -> Fault | None:
        """Take the bounds as they stand: each text has to keep them."""
        if self.direction == "flip":
            return None
        ends = {"low": self.bounds.low, "high": self.bounds.high}
        known = {name: end for name, end in ends.items() if end is not None}
        return Fault(self.direction, **known, spreads=self.scale == "spread")

    @property
    def bounds(self) -> Bounds:
        """Give the bounds as written, or the usual one; no pair may change places."""
        if self.direction == "flip":
            return Bounds(high=0.0)
        if self.at_least is None and self.at_most is None:
            return Bounds(high=MOST)
        return Bounds(low=self.at_least, high=self.at_most)

    @property
    def noun(self) -> str:
        """Call it by what is looked for."""
        return "flips" if self.direction == "flip" else self.direction

    @property
    def unit(self) -> str:
        """Name the unit."""
        return "spreads" if self.scale == "spread" and self.direction != "flip" else ""

    @property
    def quantity(self) -> str:
        """Say what the search looks for."""
        if self.direction == "flip":
            return f"pairs that up to {count(self.edits, 'edit')} turn round, as far as searched"
        return f"furthest {self.noun} of a score by up to {count(self.edits, 'edit')}"

    @property
    def statement(self) -> str:
        """Say what no text may do."""
        few = f"up to {count(self.edits, 'edit')} of a text"
        if self.direction == "flip":
            return f"no {few.removeprefix('up to ')} put a better candidate behind a worse one"
        bounds = in_words(self.bounds).removeprefix("is ")
        return f"{few} {WORDS[self.direction]} by {bounds}{' ' + self.unit if self.unit else ''}"
