"""Pairs of texts as pairs of numbers, so that each distinct text is encoded once."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain

import numpy as np

from shakeproof.metrics.models.tokens import Tokens
from shakeproof.metrics.protocols import IntArray, Texts

MAX_EMBEDDING_BYTES = 2**29  # kept in memory at a time
FLOAT_BYTES = 4


def unique_texts(tuples: Sequence[Texts]) -> tuple[list[str], IntArray]:
    """List the distinct texts of some pairs, and give each pair as two positions in that list."""
    texts = list(dict.fromkeys(chain.from_iterable(tuples)))
    position = {text: i for i, text in enumerate(texts)}
    pairs = [(position[candidate], position[reference]) for candidate, reference in tuples]
    return texts, np.array(pairs, dtype=np.int64).reshape(-1, 2)


def shortest_first(tokens: Sequence[Tokens], pairs: IntArray) -> tuple[list[Tokens], IntArray]:
    """List the distinct token sequences of some pairs by length, and give the pairs in that list.

    Texts with the same tokens, such as two that differ in case for an uncased model, become one.
    """
    used, places = np.unique(pairs, return_inverse=True)
    keys = [tuple(tokens[i]) for i in used.tolist()]
    rank = {key: i for i, key in enumerate(sorted(set(keys), key=lambda key: (len(key), key)))}
    ranks = np.array([rank[key] for key in keys], dtype=np.int64)
    return [list(key) for key in rank], ranks[places].reshape(pairs.shape)


def split_pairs(
    pairs: IntArray, tokens: Sequence[Tokens], *, floats_per_token: int
) -> Iterator[slice]:
    """Split pairs into runs whose embeddings do not take more than `MAX_EMBEDDING_BYTES`."""
    most = MAX_EMBEDDING_BYTES // (FLOAT_BYTES * floats_per_token)
    start = total = 0
    seen: set[int] = set()
    for end, pair in enumerate(pairs.tolist()):
        added = sum(len(tokens[text]) for text in set(pair) - seen)
        if end > start and total + added > most:
            yield slice(start, end)
            start, total, seen = end, 0, set()
            added = sum(len(tokens[text]) for text in set(pair))
        seen.update(pair)
        total += added
    if start < len(pairs):
        yield slice(start, len(pairs))
