"""Greedy matching of token embeddings (Zhang et al. 2020): the arithmetic of BERTScore."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from shakeproof.metrics.models.encoder import Tensor
    from shakeproof.metrics.protocols import Matrix, Vector


def closest(candidates: Tensor, references: Tensor) -> tuple[Tensor, Tensor]:
    """Find how close the closest token of the other text is, for each token of both texts.

    Embeddings have unit length, (grids, texts, tokens, size), and every candidate of a grid meets
    every reference: (grids, candidates, tokens, references) and (grids, candidates, references,
    tokens). Texts are filled up with tokens of their own, which change no maximum.
    """
    similarity = candidates.flatten(1, 2) @ references.flatten(1, 2).transpose(1, 2)
    every = similarity.view(*candidates.shape[:3], *references.shape[1:3])
    return every.amax(4), every.amax(2)


def with_f1(precision: Vector, recall: Vector) -> Matrix:
    """Put precision, recall and their harmonic mean side by side; it is zero where undefined."""
    total = precision + recall
    mean = 2 * precision * recall / np.where(total == 0, 1.0, total)
    return np.stack([precision, recall, np.where(total == 0, 0.0, mean)], axis=-1)
