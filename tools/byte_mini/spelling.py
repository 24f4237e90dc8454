"""Spelling vectors: words that share letters, letter pairs and letter triples are close."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from hashlib import blake2b
from string import punctuation

import numpy as np
import torch
from torch import Tensor

WIDTH = 384  # random vectors of this many dimensions are nearly orthogonal
LENGTHS = (1, 2, 3)  # of n-grams of letters


def spell(words: Iterable[str]) -> Tensor:
    """Return a unit vector for each word: (words, WIDTH)."""
    return torch.from_numpy(np.stack([_spelling_vector(word) for word in words]))


def _spelling_vector(word: str) -> np.ndarray:
    """Add letters, pairs and triples with equal weight, ignoring case and punctuation."""
    bare = f" {word.strip(punctuation).lower() or word} "
    total = np.zeros(WIDTH, np.float32)
    for length in LENGTHS:
        ngrams = [bare[i : i + length] for i in range(len(bare) - length + 1)]
        total += _unit(np.sum([random_vector(ngram) for ngram in ngrams], axis=0))
    return _unit(total)


@cache  # one entry for each n-gram
def random_vector(ngram: str) -> np.ndarray:
    """Return the random vector of an n-gram."""
    seed = int.from_bytes(blake2b(ngram.encode(), digest_size=8).digest(), "little")
    return np.random.default_rng(seed).standard_normal(WIDTH).astype(np.float32)


def _unit(vector: np.ndarray) -> np.ndarray:
    return vector / np.linalg.norm(vector)
