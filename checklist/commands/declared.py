"""What a family declares about itself, in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from shakeproof.perturbations.contract import Family

SCRIPTS_NAMED = 4  # more are counted


def meaning(family: Family) -> str:
    """Say whether a text still means the same."""
    return "keeps the meaning" if family.keeps_meaning else "changes the meaning"


def fields(family: Family) -> str:
    """Say which texts of a segment it makes sense on."""
    from shakeproof.perturbations.contract import FIELDS

    return "any text" if family.fields == FIELDS else " or ".join(sorted(family.fields))


def serves(family: Family) -> str:
    """Name the language or the scripts it serves, or count the scripts where they are many."""
    from shakeproof.perturbations.scripts import NAMES

    if family.languages is not None:
        return f"language {', '.join(sorted(family.languages))}"
    names = sorted(NAMES[code] for code in family.scripts or () if code in NAMES)
    if len(names) > SCRIPTS_NAMED:
        return f"{len(names)} scripts"
    return f"{', '.join(names)} script" if names else "any language"
