"""What a campaign is given and what it returns."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from random import Random
from time import monotonic
from typing import TypeAlias


@dataclass(frozen=True, slots=True)
class Report:
    """The figure of a campaign, and a line for each promise that was broken."""

    figure: str
    broken: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Setting:
    """An empty folder to work in, a random stream, and when to stop."""

    folder: Path
    rng: Random
    deadline: float  # of time.monotonic()

    @property
    def in_time(self) -> bool:
        """Return whether there is time left."""
        return monotonic() < self.deadline

    def new_folder(self, name: str) -> Path:
        """Make a folder below the campaign's own."""
        path = self.folder / name
        path.mkdir(parents=True)
        return path


Campaign: TypeAlias = Callable[[Setting], Report]
