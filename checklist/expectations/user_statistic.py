"""An expectation about a statistic of the user's, named by import path."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any, ClassVar, Self

from pydantic import Field, PrivateAttr

from shakeproof.expectations.base import Bounded
from shakeproof.metrics.functions import find_function
from shakeproof.stats.observations import ComparedScores, Statistic


class OwnStatistic(Bounded):
    """A statistic that a function of the user's makes of the scores that an item compares."""

    name: ClassVar[str] = "python"
    summary: ClassVar[str] = (
        "A statistic of your own: `module:function` takes the compared scores and returns an "
        "object with `sums` and `value`."
    )
    needs_perturb: ClassVar[bool] = False
    uses_ratings: ClassVar[bool] = True  # it may

    function: str = Field(pattern=r"^[\w.]+:[\w.]+$", alias="statistic")
    written_label: str = Field(default="value", alias="label")

    _folders: tuple[Path, ...] = PrivateAttr(default=())

    def look_in(self, folders: Iterable[Path]) -> Self:
        """Return the same expectation, its function looked up in these folders first."""
        copy = self.model_copy()
        copy._folders = tuple(folders)
        return copy

    @property
    def label(self) -> str:  # type: ignore[override]  # it stands in the checklist
        return self.written_label

    @property
    def quantity(self) -> str:
        return f"{self.label} ({self.function})"

    def statistic(self, compared: ComparedScores) -> Statistic:
        made: Any = find_function(self.function, self._folders)(compared)
        if not (hasattr(made, "sums") and hasattr(made, "value")):
            raise ValueError(f"{self.function} must give an object with sums and value")
        statistic: Statistic = made
        return statistic
