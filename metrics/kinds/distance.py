"""Normalised edit distance, as a distance and as a similarity."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar, Literal

from rapidfuzz.distance import Levenshtein

from shakeproof.metrics.formulas import REFERENCES, Computed
from shakeproof.metrics.options import Options
from shakeproof.metrics.protocols import Instance, Metric
from shakeproof.metrics.settings import Settings


def edit_distance(candidate: str, other: str) -> float:
    """Divide the Levenshtein distance by the longer length (Shen et al. 2022, eq. 9)."""
    return Levenshtein.normalized_distance(candidate, other)


def word_edit_distance(candidate: str, other: str) -> float:
    """Count in words, split at white space, what `edit_distance` counts in characters."""
    return Levenshtein.normalized_distance(candidate.split(), other.split())


class EditSimilarityOptions(Options):
    """Whether characters or words are counted, and whether capitals matter."""

    summary: ClassVar[str] = "1 minus the edit distance divided by the longer length"

    unit: Literal["character", "word"] = "character"
    lowercase: bool = False

    def build(self, others: Mapping[str, Metric], settings: Settings) -> Computed:
        distance = edit_distance if self.unit == "character" else word_edit_distance
        fold = str.lower if self.lowercase else str

        def closeness(instance: Instance) -> float:
            candidate = fold(instance.candidate)
            return 1 - min(distance(candidate, fold(text)) for text in instance.references)

        signature = f"edit-similarity|unit:{self.unit}|lowercase:{self.lowercase}"
        return Computed(signature, REFERENCES, closeness)
