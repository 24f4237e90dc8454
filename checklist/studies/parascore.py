"""Measures as the scripts of Shen et al. 2022 compute them, mistakes included, for their study.

`bleu_letters` and `bleu_letters_swapped` repeat a mistake, `bleu_words` is without it; the rest is
sound, but counts otherwise than the metrics of the same names that a checklist offers.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import cache
from math import exp, fsum, log
from typing import TypeAlias

from rapidfuzz.distance import Levenshtein

Tokens: TypeAlias = tuple[str, ...]

BLANK = " "
ROUNDING = 1e-8  # added by the package `rouge` so that nothing is divided by 0
ORDERS = 4  # of n-grams in BLEU
SMOOTHED = 0.1  # stands for a count of 0
PERCENT = 100.0


def distance(candidate: str, other: str) -> float:
    """Divide the edit distance by the longer length (eq. 9), blanks between all letters aside."""
    if _is_spaced(candidate) and _is_spaced(other):
        candidate, other = (text.replace(BLANK, "") for text in (candidate, other))
    return Levenshtein.normalized_distance(candidate, other)


def closeness(candidate: str, other: str) -> float:
    """Give 1 minus the distance."""
    return 1 - distance(candidate, other)


def _is_spaced(text: str) -> bool:
    """Say whether every other character is a blank, as the release writes Chinese."""
    return not text[1::2].strip(BLANK) and text[::2].strip(BLANK) != ""


def rouge_1(candidate: str, reference: str) -> float:
    """Give the F1 of two sets of words as they are written."""
    return _overlap(candidate, reference, 1)


def rouge_2(candidate: str, reference: str) -> float:
    """Give the F1 of two sets of pairs of words."""
    return _overlap(candidate, reference, 2)


def _overlap(candidate: str, reference: str, order: int) -> float:
    """Compare sets of n-grams; those that span two sentences count."""
    ours, theirs = (set(_grams(_words(text), order)) for text in (candidate, reference))
    return _f1(len(ours & theirs), len(ours), len(theirs))


def rouge_l(candidate: str, reference: str) -> float:
    """Give the F1 of the distinct words in common subsequences of any two sentences."""
    common: set[str] = set()
    for theirs in _sentences(reference):
        for ours in _sentences(candidate):
            common.update(_common_words(theirs, ours))
    return _f1(len(common), len(set(_words(candidate))), len(set(_words(reference))))


def _f1(common: int, ours: int, theirs: int) -> float:
    """Take the harmonic mean of precision and recall, all but exactly."""
    if not (ours and theirs):
        return 0.0
    precision, recall = common / ours, common / theirs
    return 2 * (precision * recall) / (precision + recall + ROUNDING)


def _words(text: str) -> Tokens:
    return tuple(word for sentence in _sentences(text) for word in sentence)


@cache
def _sentences(text: str) -> tuple[Tokens, ...]:
    """Cut at every full stop and blank; blanks between full stops are a word, an empty one."""
    cut = (part.split() for part in text.split(".") if part)
    return tuple(tuple(words) or ("",) for words in cut)


def _common_words(x: Tokens, y: Tokens) -> Iterator[str]:
    """Walk a longest common subsequence backwards, towards the start of `y` where either will do.

    There may be several, and how many distinct words one has depends on the way taken.
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
    """Give the lengths of the longest common subsequences of all beginnings."""
    rows = [[0] * (len(y) + 1)]
    for one in x:
        above, row = rows[-1], [0]
        for at, other in enumerate(y):
            row.append(above[at] + 1 if one == other else max(above[at + 1], row[at]))
        rows.append(row)
    return rows


def bleu_letters(candidate: str, reference: str) -> float:
    """Give BLEU with every word of the reference in the place of a reference: it has letters.

    A mistake: nltk expects a list of references, and gets the words of one.
    """
    return _bleu(_tokens(candidate), tuple(map(tuple, _tokens(reference))))


def bleu_letters_swapped(candidate: str, reference: str) -> float:
    """Give the same with candidate and reference swapped too, as the scripts do for iBLEU."""
    return bleu_letters(reference, candidate)


def bleu_words(candidate: str, reference: str) -> float:
    """Give the BLEU that was meant: of words in small letters, against one reference."""
    return _bleu(_tokens(candidate), (_tokens(reference),))


def _bleu(candidate: Tokens, references: tuple[Tokens, ...]) -> float:
    """Give sentence BLEU, 0 to 100, as nltk does with its first way of smoothing.

    Also in nltk's order of operations: rounding decides which scores are equal, and a single tie
    moves the third digit of Spearman's coefficient in Table 1.
    """
    shares = [_share(candidate, references, order) for order in range(1, ORDERS + 1)]
    if not candidate or shares[0] == 0:
        return 0.0
    total = len(candidate)
    closest = min((abs(len(each) - total), len(each)) for each in references)[1]
    brevity = 1.0 if total > closest else exp(1 - closest / total)
    least = (SMOOTHED / max(total - order, 1) for order in range(ORDERS))
    logs = (log(share or floor) / ORDERS for share, floor in zip(shares, least, strict=True))
    return PERCENT * (brevity * exp(fsum(logs)))


def _share(candidate: Tokens, references: tuple[Tokens, ...], order: int) -> float:
    """Say which share of the candidate's n-grams stands as often in one of the references."""
    ours, most = Counter(_grams(candidate, order)), _most(references, order)
    return (ours & most).total() / max(ours.total(), 1)


@cache
def _most(references: tuple[Tokens, ...], order: int) -> Counter[Tokens]:
    """Count each n-gram in the reference that has it most often."""
    most: Counter[Tokens] = Counter()
    for each in references:
        most |= Counter(_grams(each, order))
    return most


def _grams(tokens: Tokens, order: int) -> list[Tokens]:
    return [tokens[at : at + order] for at in range(len(tokens) - order + 1)]


@cache
def _tokens(text: str) -> Tokens:
    from nltk.tokenize import NLTKWordTokenizer

    return tuple(NLTKWordTokenizer().tokenize(text.strip().lower()))
