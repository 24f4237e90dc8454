"""Rescaling: what unrelated texts score is taken as zero (bert_score's baseline files)."""

from __future__ import annotations

import csv
import hashlib
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import numpy as np

from shakeproof.metrics.protocols import Matrix, Vector


@dataclass(frozen=True, slots=True)
class Baseline:
    """A file with the columns LAYER, P, R and F: the scores of unrelated texts for each layer."""

    path: Path

    @property
    def name(self) -> str:
        """Name the file and its content, the same on every machine."""
        digest = hashlib.sha256(self.path.read_bytes()).hexdigest()
        return f"{self.path.name}-{digest[:12]}"


def rescale(scores: Matrix, layer: int, baseline: Baseline | None) -> Matrix:
    """Map the baseline of a layer to 0 and a perfect score to 1."""
    if baseline is None:
        return scores
    zero = read_baseline(baseline)[layer]
    return (scores - zero) / (1 - zero)


@lru_cache(maxsize=8)
def read_baseline(baseline: Baseline) -> dict[int, Vector]:
    """Read precision, recall and F1 of each layer; columns may be separated by tabs or commas."""
    text = baseline.path.read_text("utf-8")
    rows = csv.DictReader(text.splitlines(), delimiter="\t" if "\t" in text else ",")
    try:
        return {int(row["LAYER"]): np.array([float(row[c]) for c in "PRF"]) for row in rows}
    except (KeyError, TypeError, ValueError) as error:
        raise ValueError(f"{baseline.path.name!r} is no baseline: needs LAYER,P,R,F") from error
