"""The names that the checks of a checklist may use."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from shakeproof.perturbations import Family
from shakeproof.spec.model import Ratings


@dataclass(frozen=True, slots=True)
class Scope:
    """The metrics, families and languages of a checklist, known before its checks are read."""

    metrics: tuple[str, ...]
    families: Mapping[str, Family]  # built in, registered, and declared in the checklist
    folders: tuple[Path, ...]  # where functions are looked up before sys.path
    language: str | None = None
    source_language: str | None = None
    ratings: Ratings = field(default_factory=Ratings)  # of checks that do not say which

    def language_of(self, field: str) -> str | None:
        """Return the declared language of the texts of a field."""
        return self.source_language if field == "source" else self.language
