"""An expectation of one's own: a statistic named by import path."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any, ClassVar, Self

from pydantic import Field, PrivateAttr

from shakeproof.expectations.base import Bounded
from shakeproof.metrics.functions import find_function
from shakeproof.stats.observations import ComparedScores, Statistic


class Own(Bounded):
    """A statistic that a function of the user's gives for a cell."""

    name: ClassVar[str] = "python"
    summary: ClassVar[str] = (
        "A statistic of your own: `module:function` gives, for a cell, its sums and their value."
    )
    needs_perturb: ClassVar[bool] = False

    function: str = Field(pattern=r"^[\w.]+:[\w.]+$", alias="statistic")
    label: str = "value"

    _folders: tuple[Path, ...] = PrivateAttr(default=())

    def look_in(self, folders: Iterable[Path]) -> Self:
        """Give the same expectation, its function looked up in these folders first."""
        found = self.model_copy()
        found._folders = tuple(folders)
        return found

    @property
    def noun(self) -> str:
        """Call it as the checklist does."""
        return self.label

    @property
    def quantity(self) -> str:
        """Name the function."""
        return f"{self.label} ({self.function})"

    def statistic(self, compared: ComparedScores) -> Statistic:
        """Ask the function for the statistic."""
        found: Any = find_function(self.function, self._folders)(compared)
        if not (hasattr(found, "sums") and hasattr(found, "value")):
            raise ValueError(f"{self.function} must give an object with sums and value")
        statistic: Statistic = found
        return statistic
