"""What a family declares about itself, in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from shakeproof.perturbations.family import Family


def meaning(family: Family) -> str:
    """Say whether a text still means the same."""
    return "keeps the meaning" if family.keeps_meaning else "changes the meaning"


def fields(family: Family) -> str:
    """Say which texts of a segment it makes sense on."""
    from shakeproof.perturbations.family import FIELDS

    return "any text" if family.fields == FIELDS else " or ".join(sorted(family.fields))


def serves(family: Family) -> str:
    """Name the languages or the scripts it serves."""
    from shakeproof.perturbations.scripts import NAMES, SPACED

    if family.languages is not None:
        return f"language {', '.join(sorted(family.languages))}"
    if family.scripts is None:
        return "any language"
    if family.scripts == SPACED:
        return "any script with blanks between words"
    return f"{', '.join(sorted(NAMES.get(code, code) for code in family.scripts))} script"
