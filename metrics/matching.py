"""Greedy matching of token embeddings (Zhang et al. 2020): the arithmetic of BERTScore."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from shakeproof.metrics.encoder import Tensor
    from shakeproof.metrics.protocols import Matrix, Vector


def closest(
    candidates: Tensor, ours: Tensor, references: Tensor, theirs: Tensor
) -> tuple[Tensor, Tensor]:
    """Find how close the closest token of the other text is, for each token of both texts.

    Embeddings have unit length, (pairs, tokens, size); `ours` and `theirs` tell tokens from
    padding. Padding is no match for anything: it counts as minus infinity and not as zero, since
    similarities may be negative.
    """
    similarity = candidates @ references.transpose(1, 2)
    to_reference = similarity.masked_fill(~theirs[:, None, :], -np.inf).amax(2)
    to_candidate = similarity.masked_fill(~ours[:, :, None], -np.inf).amax(1)
    return to_reference, to_candidate


def with_f1(precision: Vector, recall: Vector) -> Matrix:
    """Put precision, recall and their harmonic mean side by side; it is zero where undefined."""
    total = precision + recall
    mean = 2 * precision * recall / np.where(total == 0, 1.0, total)
    return np.stack([precision, recall, np.where(total == 0, 0.0, mean)], axis=-1)
