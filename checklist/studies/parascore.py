"""Measures as the scripts of Shen et al. 2022 compute them, with their mistakes, for the study.

`bleu_letters` and `bleu_letters_swapped` repeat a mistake, `bleu_words` does not; the others have
no mistake, but count in another way than the built-in metrics of the same names.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import cache
from math import exp, fsum, log
from typing import TypeAlias

from rapidfuzz.distance import Levenshtein

Tokens: TypeAlias = tuple[str, ...]

SPACE = " "
ROUNDING = 1e-8  # added by the package `rouge` so that nothing is divided by 0
ORDERS = 4  # of n-grams in BLEU
SMOOTHED = 0.1  # instead of a count of 0
PERCENT = 100.0


def distance(candidate: str, other: str) -> float:
    """Return the edit distance over the longer length (eq. 9), without spaces between letters."""
    if is_spaced(candidate) and is_spaced(other):
        candidate, other = (text.replace(SPACE, "") for text in (candidate, other))
    return Levenshtein.normalized_distance(candidate, other)


def closeness(candidate: str, other: str) -> float:
    """Return 1 minus the distance."""
    return 1 - distance(candidate, other)


def is_spaced(text: str) -> bool:
    """Return whether every second character is a space, as in the Chinese data of the release."""
    return not text[1::2].strip(SPACE) and text[::2].strip(SPACE) != ""


def rouge_1(candidate: str, reference: str) -> float:
    """Return the F1 of the two sets of words, with case."""
    return _overlap(candidate, reference, 1)


def rouge_2(candidate: str, reference: str) -> float:
    """Return the F1 of the two sets of word pairs."""
    return _overlap(candidate, reference, 2)


def _overlap(candidate: str, reference: str, order: int) -> float:
    """Return the F1 of two sets of n-grams; n-grams across sentences count."""
    ours, theirs = (set(_grams(_words(text), order)) for text in (candidate, reference))
    return _f1(len(ours & theirs), len(ours), len(theirs))


def rouge_l(candidate: str, reference: str) -> float:
    """Return the F1 of the distinct words in common subsequences of any two sentences."""
    common: set[str] = set()
    for theirs in _sentences(reference):
        for ours in _sentences(candidate):
            common.update(_common_words(theirs, ours))
    return _f1(len(common), len(set(_words(candidate))), len(set(_words(reference))))


def _f1(common: int, ours: int, theirs: int) -> float:
    """Return the harmonic mean of precision and recall, with the rounding term of `rouge`."""
    if not (ours and theirs):
        return 0.0
    precision, recall = common / ours, common / theirs
    return 2 * (precision * recall) / (precision + recall + ROUNDING)


def _words(text: str) -> Tokens:
    return tuple(word for sentence in _sentences(text) for word in sentence)


@cache
def _sentences(text: str) -> tuple[Tokens, ...]:
    """Split at full stops and spaces; only spaces between two full stops are an empty word."""
    cut = (part.split() for part in text.split(".") if part)
    return tuple(tuple(words) or ("",) for words in cut)


def _common_words(x: Tokens, y: Tokens) -> Iterator[str]:
    """Yield a longest common subsequence backwards; of several, the one that moves in `y` first.

    Others may have another number of distinct words.
    """
    longest = _lengths(x, y)
    i, j = len(x), len(y)
    while i and j:
        if x[i - 1] == y[j - 1]:
            yield x[i - 1]
            i, j = i - 1, j - 1
        elif longest[i - 1][j] > longest[i][j - 1]:
            i -= 1
        else:
            j -= 1


def _lengths(x: Tokens, y: Tokens) -> list[list[int]]:
    """Return the length of the longest common subsequence for all pairs of prefixes."""
    rows = [[0] * (len(y) + 1)]
    for token in x:
        above, row = rows[-1], [0]
        for i, other in enumerate(y):
            row.append(above[i] + 1 if token == other else max(above[i + 1], row[i]))
        rows.append(row)
    return rows


def bleu_letters(candidate: str, reference: str) -> float:
    """Return BLEU with each word of the reference as a reference, so n-grams of letters count.

    A mistake: nltk expects a list of references, and gets the words of one.
    """
    return _bleu(_tokens(candidate), tuple(map(tuple, _tokens(reference))))


def bleu_letters_swapped(candidate: str, reference: str) -> float:
    """Return the same with candidate and reference swapped, as the scripts do for iBLEU."""
    return bleu_letters(reference, candidate)


def bleu_words(candidate: str, reference: str) -> float:
    """Return the BLEU that was meant: of lower-case words, against one reference."""
    return _bleu(_tokens(candidate), (_tokens(reference),))


def _bleu(candidate: Tokens, references: tuple[Tokens, ...]) -> float:
    """Return sentence BLEU, 0 to 100, as nltk does with its smoothing method 1.

    The operations are in nltk's order: rounding decides which scores are equal, and a single tie
    changes the third digit of Spearman's coefficient in Table 1.
    """
    shares = [_share(candidate, references, order) for order in range(1, ORDERS + 1)]
    if not candidate or shares[0] == 0:
        return 0.0
    total = len(candidate)
    closest = min((abs(len(tokens) - total), len(tokens)) for tokens in references)[1]
    brevity = 1.0 if total > closest else exp(1 - closest / total)
    least = (SMOOTHED / max(total - order, 1) for order in range(ORDERS))
    logs = (log(share or floor) / ORDERS for share, floor in zip(shares, least, strict=True))
    return PERCENT * (brevity * exp(fsum(logs)))


def _share(candidate: Tokens, references: tuple[Tokens, ...], order: int) -> float:
    """Return the share of the candidate's n-grams that one of the references has as often."""
    ours, highest = Counter(_grams(candidate, order)), _highest_counts(references, order)
    return (ours & highest).total() / max(ours.total(), 1)


@cache
def _highest_counts(references: tuple[Tokens, ...], order: int) -> Counter[Tokens]:
    """Count each n-gram in the reference that has it most often."""
    counts: Counter[Tokens] = Counter()
    for tokens in references:
        counts |= Counter(_grams(tokens, order))
    return counts


def _grams(tokens: Tokens, order: int) -> list[Tokens]:
    return [tokens[i : i + order] for i in range(len(tokens) - order + 1)]


@cache
def _tokens(text: str) -> Tokens:
    from nltk.tokenize import NLTKWordTokenizer

    return tuple(NLTKWordTokenizer().tokenize(text.strip().lower()))
