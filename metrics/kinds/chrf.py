"""chrF and chrF++ of many texts at once, equal to the sentence scores of sacrebleu."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from string import punctuation

import numpy as np

from shakeproof.metrics.kinds.ngrams import Symbols, count_ngrams
from shakeproof.metrics.protocols import Matrix, Texts, Vector
from shakeproof.metrics.versions import name_and_version

NGRAMS_AT_ONCE = 300_000  # positions of texts times orders; as many as fit into a cache
EPSILON = 1e-16  # as in sacrebleu
PUNCTUATION = frozenset(punctuation)


@dataclass(frozen=True, slots=True)
class ChrfScorer:
    """chrF of a candidate and its nearest reference, 0 to 100; texts are (candidate, reference, …).

    The settings are those of sacrebleu (Popović 2015, 2017).
    """

    char_order: int = 6
    word_order: int = 0
    beta: int = 2
    lowercase: bool = False
    whitespace: bool = False
    eps_smoothing: bool = False

    @property
    def signature(self) -> str:
        names = self.__dataclass_fields__
        arguments = "|".join(f"{name}:{getattr(self, name)}" for name in names)
        return f"chrf|{arguments}|{name_and_version('sacrebleu')}"

    def score(self, tuples: Sequence[Texts]) -> Vector:
        characters = NGRAMS_AT_ONCE // (self.char_order + self.word_order)
        parts = [self._score_part(part) for part in _split(tuples, characters)]
        return np.concatenate([np.empty(0), *parts])

    def _score_part(self, tuples: Sequence[Texts]) -> Vector:
        references = np.array([len(row) - 1 for row in tuples])
        if not references.all():
            raise ValueError("chrF needs a reference for each candidate")
        index = {text: i for i, text in enumerate(dict.fromkeys(t for row in tuples for t in row))}
        texts = [text.lower() if self.lowercase else text for text in index]
        pairs = np.array([(index[row[0]], index[other]) for row in tuples for other in row[1:]])
        counts = count_ngrams(self._characters(texts), self.char_order, pairs)
        if self.word_order:
            counts = np.concatenate([counts, count_ngrams(_words(texts), self.word_order, pairs)])
        scores = _f_scores(counts, self.beta, eps_smoothing=self.eps_smoothing)
        return np.maximum.reduceat(scores, np.cumsum(references) - references)

    def _characters(self, texts: Sequence[str]) -> Symbols:
        texts = texts if self.whitespace else ["".join(text.split()) for text in texts]
        joined = "".join(texts).encode("utf-32-le", "surrogatepass")
        numbers = np.frombuffer(joined, np.uint32).astype(int) + 1
        return Symbols(numbers, np.array([len(text) for text in texts]))


def _split(tuples: Sequence[Texts], characters: int) -> Iterator[Sequence[Texts]]:
    """Split into parts whose distinct texts have up to so many characters."""
    first, size = 0, 0
    seen: set[str] = set()
    for position, texts in enumerate(tuples):
        added = sum(len(text) for text in set(texts) - seen)
        if size + added > characters and position > first:
            yield tuples[first:position]
            first, size, seen = position, 0, set()
            added = sum(map(len, set(texts)))
        size += added
        seen.update(texts)
    if first < len(tuples):
        yield tuples[first:]


def _words(texts: Sequence[str]) -> Symbols:
    numbers: dict[str, int] = defaultdict(lambda: len(numbers) + 1)
    words = [[numbers[word] for word in _split_words(text)] for text in texts]
    return Symbols(np.array(list(chain(*words)), int), np.array([len(text) for text in words]))


def _split_words(text: str) -> Iterator[str]:
    """Yield words; a punctuation mark at the end or else the beginning is one of its own."""
    for word in text.split():
        if len(word) > 1 and word[-1] in PUNCTUATION:
            yield from (word[:-1], word[-1])
        elif len(word) > 1 and word[0] in PUNCTUATION:
            yield from (word[0], word[1:])
        else:
            yield word


def _f_scores(counts: Matrix, beta: int, *, eps_smoothing: bool) -> Vector:
    """Average precision and recall, or with smoothing F, over orders (Popović 2015); 0 to 100.

    The operations are those of sacrebleu, in its order, so that not even the last bit differs.
    """
    factor = beta**2
    precisions, recalls, smoothed, used = np.zeros((4, counts.shape[-1]))
    for ours, theirs, common in counts:
        precision = np.where(ours > 0, common / np.maximum(ours, 1), EPSILON)
        recall = np.where(theirs > 0, common / np.maximum(theirs, 1), EPSILON)
        smoothed += _f_score(precision, recall, factor, otherwise=EPSILON)
        both = (ours > 0) & (theirs > 0)
        precisions += np.where(both, precision, 0)
        recalls += np.where(both, recall, 0)
        used += both
    if eps_smoothing:
        return 100 * smoothed / len(counts)
    used = np.maximum(used, 1)
    return 100 * _f_score(precisions / used, recalls / used, factor, otherwise=0.0)


def _f_score(precision: Vector, recall: Vector, factor: int, *, otherwise: float) -> Vector:
    denominator = factor * precision + recall
    numerator = (1 + factor) * precision * recall
    positive = denominator > 0
    return np.where(positive, numerator / np.where(positive, denominator, 1), otherwise)
