"""n-grams of many texts at once, each text's counted once, and those that pairs have in common."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from shakeproof.metrics.protocols import IntArray, Matrix

MAX_CODE = 2**63 - 1


@dataclass(frozen=True, slots=True)
class Profiles:
    """The distinct n-grams of each text; those of text i are from `start[i]` to `start[i + 1]`."""

    ngram: IntArray  # a number, the same in all texts that have the n-gram
    order: IntArray  # its length, counted from 0
    count: IntArray  # how often the text has it
    start: list[int]
    distinct: int  # the number of n-grams in all texts together

    def of(self, text: int) -> tuple[IntArray, IntArray, IntArray]:
        """Return the n-grams of a text, their orders and their counts."""
        part = slice(self.start[text], self.start[text + 1])
        return self.ngram[part], self.order[part], self.count[part]


def count_ngrams(texts: Sequence[IntArray], orders: int, pairs: IntArray) -> Matrix:
    """Count n-grams of the candidate, of the reference, and common ones: (orders, 3, pairs)."""
    lengths = np.array([len(text) for text in texts])
    totals = np.maximum(lengths - np.arange(orders)[:, None], 0)
    candidates, references = totals[:, pairs[:, 0]], totals[:, pairs[:, 1]]
    candidates = np.where(references > 0, candidates, 0)
    common = _common(ngram_profiles(texts, orders), orders, pairs)
    return np.stack([candidates, references, common], axis=1)


def _common(profiles: Profiles, orders: int, pairs: IntArray) -> Matrix:
    """Count the n-grams that both texts of each pair have: (orders, pairs)."""
    common = np.zeros((len(pairs), orders))
    in_reference = np.zeros(profiles.distinct, int)
    last, ngrams = -1, np.empty(0, int)
    for row in np.argsort(pairs[:, 1], kind="stable").tolist():
        candidate, reference = pairs[row].tolist()
        if reference != last:
            in_reference[ngrams] = 0
            ngrams, _, count = profiles.of(reference)
            in_reference[ngrams], last = count, reference
        ours, order, count = profiles.of(candidate)
        common[row] = np.bincount(order, np.minimum(count, in_reference[ours]), orders)
    return common.T


def ngram_profiles(texts: Sequence[IntArray], orders: int) -> Profiles:
    """Find the n-grams of all texts by sorting all positions once, by the longest n-gram there.

    A zero ends each text. Positions of one text that share an n-gram are neighbours after sorting.
    """
    ends = np.cumsum([len(text) + 1 for text in texts])
    text = np.repeat(np.arange(len(texts)), np.diff(ends, prepend=0))
    symbols = np.concatenate([part for text in texts for part in (text, [0])] + [[0] * orders])
    longest, rank = _longest(_renumbered(symbols.astype(int)), len(text), orders)
    number = np.cumsum(_changes(longest), axis=0, dtype=np.int32)  # (longest n-grams, orders)
    number += np.cumsum(number[-1]) - number[-1] - 1
    complete = np.logical_and.accumulate(longest > 0, axis=1)
    rank = np.sort(text * len(longest) + rank) % len(longest)  # in each text
    ngram = number[rank]  # (positions, orders)
    is_first = ngram != np.roll(ngram, 1, axis=0)
    is_first[ends - np.diff(ends, prepend=0)] = True
    used = is_first & complete[rank]
    return Profiles(
        ngram=ngram[used],
        order=np.broadcast_to(np.arange(orders), used.shape)[used],
        count=_run_lengths(is_first)[used],
        start=[0, *np.cumsum(used.sum(axis=1))[ends - 1].tolist()],
        distinct=int(number[-1, -1]) + 1,
    )


def _run_lengths(is_first: NDArray[np.bool_]) -> NDArray[np.int32]:
    """Return at each beginning of a run in a column how long the run is."""
    lengths = np.zeros(is_first.shape, np.int32)
    for order, column in enumerate(is_first.T):
        firsts = np.flatnonzero(column)
        lengths[firsts, order] = np.diff(firsts, append=len(column))
    return lengths


def _renumbered(symbols: IntArray) -> IntArray:
    """Replace symbols by small numbers, in the same order; 0 stays 0."""
    occurs = np.zeros(symbols.max() + 1, bool)
    occurs[symbols] = True
    return (np.cumsum(occurs) - 1)[symbols]


def _longest(symbols: IntArray, positions: int, orders: int) -> tuple[IntArray, IntArray]:
    """Return the distinct n-grams of the highest order, sorted, and which one is at each position.

    An n-gram is compared as one number; where that would be too large, its beginning is ranked.
    """
    base = bound = int(symbols.max()) + 1
    code = symbols[:positions]
    for order in range(1, orders):
        if bound > MAX_CODE // base:
            values, code = np.unique(code, return_inverse=True)
            bound = len(values)
        code, bound = code * base + symbols[order : order + positions], bound * base
    values, rank = np.unique(code, return_inverse=True)
    example = np.empty(len(values), int)
    example[rank] = np.arange(positions)
    return np.lib.stride_tricks.sliding_window_view(symbols, orders)[example], rank


def _changes(ngrams: IntArray) -> NDArray[np.bool_]:
    """Tell for each n-gram and order whether its beginning differs from that of the one before."""
    differs = np.ones(ngrams.shape, bool)
    np.logical_or.accumulate(ngrams[1:] != ngrams[:-1], axis=1, out=differs[1:])
    return differs
