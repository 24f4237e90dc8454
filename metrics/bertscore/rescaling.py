"""Rescaling of BERTScore, so that unrelated texts score about 0 (bert_score's baseline files)."""

from __future__ import annotations

import csv
import hashlib
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import numpy as np

from shakeproof.metrics.files import find_file
from shakeproof.metrics.models.files import ModelFiles, layer_count
from shakeproof.metrics.models.layers import Layer
from shakeproof.metrics.protocols import Matrix, Vector
from shakeproof.metrics.settings import Settings


@dataclass(frozen=True, slots=True)
class Rescaling:
    """A file with the columns LAYER, P, R and F: the scores of unrelated texts for each layer."""

    path: Path

    @property
    def name(self) -> str:
        """Name the file and its content, the same on every machine."""
        digest = hashlib.sha256(self.path.read_bytes()).hexdigest()
        return f"{self.path.name}-{digest[:12]}"

    def apply(self, scores: Matrix, layer: int) -> Matrix:
        """Map what unrelated texts score at a layer to 0, and a perfect score to 1."""
        unrelated = read_baselines(self)[layer]
        return (scores - unrelated) / (1 - unrelated)


@lru_cache(maxsize=8)
def read_baselines(rescaling: Rescaling) -> dict[int, Vector]:
    """Read precision, recall and F1 of each layer; columns are separated by tabs or commas."""
    text = rescaling.path.read_text("utf-8")
    rows = csv.DictReader(text.splitlines(), delimiter="\t" if "\t" in text else ",")
    try:
        return {int(row["LAYER"]): np.array([float(row[c]) for c in "PRF"]) for row in rows}
    except (KeyError, TypeError, ValueError) as error:
        raise ValueError(
            f"{rescaling.path.name!r} is not a baseline file; it needs the columns LAYER,P,R,F, "
            "all numbers"
        ) from error


def find_rescaling(
    name: str | None, layer: Layer, model: ModelFiles, settings: Settings
) -> Rescaling | None:
    """Find the baseline file that a checklist names, if any, and check that it has the layer."""
    if not name:
        return None
    if layer == "mean-embedding":
        raise ValueError(
            "rescale is not defined for layer 'mean-embedding': no baseline file has it"
        )
    rescaling = Rescaling(find_file(name, settings))
    needed = range(layer_count(model) + 1) if layer == "mean" else [layer]
    missing = [number for number in needed if number not in read_baselines(rescaling)]
    if missing:
        raise ValueError(f"baseline file {name!r} has no layer {missing[0]}")
    return rescaling
