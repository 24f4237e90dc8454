"""All families, by name."""

from __future__ import annotations

from shakeproof.perturbations.characters import CHARACTERS
from shakeproof.perturbations.contract import Family
from shakeproof.perturbations.copying import COPYING
from shakeproof.perturbations.degenerate import DEGENERATE
from shakeproof.perturbations.encodings import ENCODINGS
from shakeproof.perturbations.meaning import MEANING
from shakeproof.perturbations.published import PUBLISHED
from shakeproof.perturbations.sentences import SENTENCES
from shakeproof.perturbations.surface import SURFACE
from shakeproof.perturbations.words import WORDS

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
    )
}
