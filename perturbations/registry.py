"""All families, by name."""

from __future__ import annotations

from shakeproof.perturbations.families.characters import CHARACTERS
from shakeproof.perturbations.families.copying import COPYING
from shakeproof.perturbations.families.degenerate import DEGENERATE
from shakeproof.perturbations.families.encodings import ENCODINGS
from shakeproof.perturbations.families.judges import JUDGES
from shakeproof.perturbations.families.meaning import MEANING
from shakeproof.perturbations.families.published import PUBLISHED
from shakeproof.perturbations.families.sentences import SENTENCES
from shakeproof.perturbations.families.surface import SURFACE
from shakeproof.perturbations.families.words import WORDS
from shakeproof.perturbations.family import Family

PERTURBATIONS: dict[str, Family] = {
    family.name: family
    for family in (
        *PUBLISHED,
        *CHARACTERS,
        *SURFACE,
        *ENCODINGS,
        *WORDS,
        *SENTENCES,
        *MEANING,
        *DEGENERATE,
        *COPYING,
        *JUDGES,
    )
}
_BUILT_IN = dict(PERTURBATIONS)  # before users register theirs


def is_built_in(family: Family) -> bool:
    """Return whether a family is one of ours."""
    return _BUILT_IN.get(family.name) is family
