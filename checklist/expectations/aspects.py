"""Expectations that compare agreement with the ratings for several aspects."""

from __future__ import annotations

from typing import Annotated, ClassVar, Self

from pydantic import Field, PrivateAttr, model_validator

from shakeproof.expectations.base import Claim, ShownStatistic
from shakeproof.expectations.correlations import Correlational, curve, drop
from shakeproof.results import Bounds
from shakeproof.stats.kinds.agreement import Agreement
from shakeproof.stats.kinds.aspects import AspectAgreement
from shakeproof.stats.observations import Candidates, ComparedScores, Statistic
from shakeproof.stats.power import CorrelationErrors, Range
from shakeproof.stats.rows import rated_by

Aspect = Annotated[str, Field(min_length=1)]


class AspectDrop(Correlational):
    """A perturbation moves the agreement for one aspect, and not that for the others."""

    name: ClassVar[str] = "aspect_drop"
    summary: ClassVar[str] = (
        "Under perturbation, agreement with the ratings for one aspect falls by at least this, "
        "and that for each other aspect by at most that."
    )
    label: ClassVar[str] = "drop"
    required_data: ClassVar[frozenset[str]] = frozenset()  # `aspects` says what it needs
    why_no_rating: ClassVar[str] = "names its aspects itself (of, others)"
    calibrates: ClassVar[bool] = False  # a threshold would be that of one aspect

    aspect: Aspect = Field(alias="of")
    at_least: float
    others: Annotated[tuple[Aspect, ...], Field(min_length=1)] | None = None  # None: all others
    others_at_most: float

    _found: tuple[str, ...] = PrivateAttr(default=())  # the other aspects of the data

    @model_validator(mode="after")
    def _compares(self) -> Self:
        if self.kind == "wmt-kendall" and self.rating_gap is None:
            raise ValueError("aspect_drop compares ratings; add rating_gap to wmt-kendall")
        if len(set(self.aspects)) < len(self.aspects):
            raise ValueError("others must be different aspects, without the one in of")
        return self

    @property
    def aspects(self) -> tuple[str, ...]:
        return (self.aspect, *(self._found if self.others is None else self.others))

    def with_aspects(self, aspects: tuple[str, ...]) -> Self:
        copy = self.model_copy()
        copy._found = tuple(aspect for aspect in aspects if aspect != self.aspect)
        return copy

    @property
    def bounds(self) -> Bounds:
        """Return the bounds of the first claim; those of the others have their own."""
        return Bounds(low=self.at_least)

    @property
    def quantity(self) -> str:
        return self._quantity(self.aspect)

    @property
    def claim_text(self) -> str:
        others = "each other aspect" if self.others is None else " and ".join(self.others)
        return (
            f"{self.quantity} is at least {self.at_least:g}, and for {others} at most "
            f"{self.others_at_most:g}"
        )

    def _quantity(self, aspect: str) -> str:
        return f"drop of {self.coefficient} for {aspect}"

    def _for_aspect(self, agreement: Agreement, aspect: str) -> AspectAgreement:
        return AspectAgreement(agreement, aspect, self.aspects)

    def statistic(self, compared: ComparedScores) -> Statistic:
        return self._for_aspect(drop(self.make_coefficient(), compared), self.aspect)

    def claims(self, compared: ComparedScores) -> list[Claim]:
        """Claim a drop for the aspect, and none for each of the others, on the same candidates."""
        whole = drop(self.make_coefficient(), compared)
        allowed = Bounds(high=self.others_at_most)
        return [
            Claim(
                f"for {aspect}",
                self._for_aspect(whole, aspect),
                self.bounds if aspect == self.aspect else allowed,
                quantity=self._quantity(aspect),
            )
            for aspect in self.aspects
        ]

    def parts(self, compared: ComparedScores) -> list[ShownStatistic]:
        """Show the correlation for each aspect, on clean and on perturbed texts."""
        shown = curve(self.make_coefficient(), compared)
        return [
            ShownStatistic(f"{name}, for {aspect}", level, self._for_aspect(agreement, aspect))
            for aspect in self.aspects
            for name, level, agreement in shown
            if isinstance(agreement, Agreement)
        ]

    def guess_standard_error(self, candidates: Candidates, changed_segments: int) -> Range | None:
        return super().guess_standard_error(rated_by(candidates, self.aspect), changed_segments)

    def guess_from(self, errors: CorrelationErrors) -> Range:
        return errors.drop
