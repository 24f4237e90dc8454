"""What a checklist may name, gathered before its checks are read."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from shakeproof.perturbations.family import Family


@dataclass(frozen=True, slots=True)
class Known:
    """The names that checks may use, and what is declared for all of them."""

    metrics: tuple[str, ...]
    families: Mapping[str, Family]  # built in, registered, and the checklist's own
    folders: tuple[Path, ...]  # where functions are looked up before sys.path
    language: str | None = None
    source_language: str | None = None

    def language_of(self, field: str) -> str | None:
        """Give the declared language of the texts of a field."""
        return self.source_language if field == "source" else self.language


def primary(language: str) -> str:
    """Give the language of a tag without its region or script."""
    return language.split("-")[0].lower()
