"""How words are written, as vectors: words that share letters, pairs and triples are near."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from hashlib import blake2b
from string import punctuation

import numpy as np
import torch
from torch import Tensor

WIDTH = 384  # random directions of so many dimensions are nearly at right angles
LENGTHS = (1, 2, 3)  # letters in a row


def spell(words: Iterable[str]) -> Tensor:
    """Write each word as a unit vector: (words, WIDTH)."""
    return torch.from_numpy(np.stack([_spelled(word) for word in words]))


def _spelled(word: str) -> np.ndarray:
    """Give letters, pairs and triples the same say; capitals and punctuation do not count."""
    bare = f" {word.strip(punctuation).lower() or word} "
    total = np.zeros(WIDTH, np.float32)
    for length in LENGTHS:
        runs = [bare[i : i + length] for i in range(len(bare) - length + 1)]
        total += _unit(np.sum([direction(run) for run in runs], axis=0))
    return _unit(total)


@cache  # as many as there are triples of letters
def direction(run: str) -> np.ndarray:
    """Draw the direction that stands for some letters in a row."""
    seed = int.from_bytes(blake2b(run.encode(), digest_size=8).digest(), "little")
    return np.random.default_rng(seed).standard_normal(WIDTH).astype(np.float32)


def _unit(vector: np.ndarray) -> np.ndarray:
    return vector / np.linalg.norm(vector)
