"""n-grams of many texts at once, each text's counted once, and those that pairs have in common."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from shakeproof.metrics.protocols import IntArray, Matrix, Vector

MAX_CODE = 2**63 - 1
KEPT_BYTES = 30 * 2**20


@dataclass(frozen=True, slots=True)
class Symbols:
    """Characters or words of some texts as numbers from 1, one text after the other."""

    numbers: IntArray
    lengths: IntArray  # of each text


@dataclass(frozen=True, slots=True)
class Profiles:
    """The distinct n-grams of each text; those of text i are from `start[i]` to `start[i + 1]`."""

    ngram: NDArray[np.int32]  # a number, the same in all texts that have the n-gram
    order: IntArray  # its length, counted from 0
    count: Vector  # how often the text has it
    start: list[int]
    distinct: int  # the number of n-grams in all texts together

    def of(self, text: int) -> slice:
        """Return where the n-grams of a text are."""
        return slice(self.start[text], self.start[text + 1])


def count_ngrams(texts: Symbols, orders: int, pairs: IntArray) -> Matrix:
    """Count n-grams of the candidate, of the reference, and common ones: (orders, 3, pairs)."""
    _keep_freed_memory()
    totals = np.maximum(texts.lengths - np.arange(orders)[:, None], 0)
    candidates, references = totals[:, pairs[:, 0]], totals[:, pairs[:, 1]]
    candidates = np.where(references > 0, candidates, 0)
    common = _common(ngram_profiles(texts, orders), orders, pairs)
    return np.stack([candidates, references, common], axis=1)


@cache
def _keep_freed_memory() -> None:
    """Let the C library keep the memory of freed arrays, instead of getting it anew each time.

    glibc keeps blocks as large as the largest that was freed so far, up to 32 MB; it makes chrF
    a third faster. Elsewhere it does nothing, and the array itself is never touched.
    """
    np.empty(KEPT_BYTES, np.uint8)


def _common(profiles: Profiles, orders: int, pairs: IntArray) -> Matrix:
    """Count the n-grams that both texts of each pair have: (orders, pairs)."""
    ngram, order, count = profiles.ngram, profiles.order, profiles.count
    common = np.zeros((len(pairs), orders))
    in_reference = np.zeros(profiles.distinct)
    by_reference = np.argsort(pairs[:, 1], kind="stable")
    last, theirs = -1, slice(0)
    for row, (candidate, reference) in zip(
        by_reference.tolist(), pairs[by_reference].tolist(), strict=True
    ):
        if reference != last:
            in_reference[ngram[theirs]] = 0
            last, theirs = reference, profiles.of(reference)
            in_reference[ngram[theirs]] = count[theirs]
        ours = profiles.of(candidate)
        shared = np.minimum(count[ours], in_reference[ngram[ours]])
        common[row] = np.bincount(order[ours], shared, orders)
    return common.T


def ngram_profiles(texts: Symbols, orders: int) -> Profiles:
    """Find the n-grams of all texts by sorting all positions once, by the longest n-gram there.

    A zero ends each text. Positions of one text that share an n-gram are neighbours after sorting.
    """
    sizes = texts.lengths + 1
    ends = np.cumsum(sizes)
    text = np.repeat(np.arange(len(sizes)), sizes)
    symbols = np.zeros(len(text) + orders, int)
    is_symbol = np.ones(len(text), bool)
    is_symbol[ends - 1] = False
    symbols[:-orders][is_symbol] = _renumbered(texts.numbers)
    longest, rank = _longest(symbols, len(text), orders)
    number = np.cumsum(_changes(longest), axis=0, dtype=np.int32)  # (longest n-grams, orders)
    number += np.cumsum(number[-1]) - number[-1] - 1
    complete = np.logical_and.accumulate(longest > 0, axis=1)
    rank = np.sort(text * len(longest) + rank) % len(longest)  # in each text
    ngram = number[rank]  # (positions, orders)
    is_first = np.ones(ngram.shape, bool)
    np.not_equal(ngram[1:], ngram[:-1], out=is_first[1:])
    is_first[ends - sizes] = True
    used = is_first & complete[rank]
    where = np.flatnonzero(used)
    return Profiles(
        ngram=ngram.ravel()[where],
        order=where % orders,
        count=_run_lengths(is_first).ravel()[where],
        start=[0, *np.cumsum(np.count_nonzero(used, axis=1))[ends - 1].tolist()],
        distinct=int(number[-1, -1]) + 1,
    )


def _run_lengths(is_first: NDArray[np.bool_]) -> Matrix:
    """Return at each beginning of a run in a column how long the run is."""
    lengths = np.zeros(is_first.shape)
    for order, column in enumerate(is_first.T):
        firsts = np.flatnonzero(column)
        lengths[firsts, order] = np.diff(firsts, append=len(column))
    return lengths


def _renumbered(symbols: IntArray) -> IntArray:
    """Replace symbols by small numbers from 1, in the same order."""
    occurs = np.zeros(symbols.max(initial=0) + 1, bool)
    occurs[symbols] = True
    return np.cumsum(occurs)[symbols]


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
