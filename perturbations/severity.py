"""Realised severity: how much of its texts a perturbation changed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from rapidfuzz.distance import LCSseq, Levenshtein

from shakeproof.perturbations.spans import words

Tokenize = Callable[[str], Sequence[str]]


@dataclass(frozen=True, slots=True)
class Realised:
    """Shares of the texts that changed; 0 where there was nothing to change."""

    letters: float  # letters replaced or deleted
    words: float  # words replaced, deleted or moved
    segments: float  # texts that changed at all
    edits: float  # characters replaced, deleted or inserted, per character


def realised(before: Sequence[str], after: Sequence[str]) -> Realised:
    """Measure how much texts changed."""
    pairs = list(zip(before, after, strict=True))
    return Realised(
        letters=share(sum(map(lost_letters, before, after)), sum(map(letters_of, before))),
        words=share(sum(map(lost_words, before, after)), sum(len(words(text)) for text in before)),
        segments=share(sum(old != new for old, new in pairs), len(pairs)),
        edits=share(
            sum(Levenshtein.distance(old, new) for old, new in pairs), sum(map(len, before))
        ),
    )


def share(part: float, total: float) -> float:
    """Divide; 0 if the total is 0."""
    return part / total if total else 0.0


def letters_of(text: str) -> int:
    """Count the letters of a text."""
    return sum(map(str.isalpha, text))


def lost_letters(before: str, after: str) -> int:
    """Count the letters that the fewest edits from `before` to `after` replace or delete."""
    if before == after:
        return 0
    steps = Levenshtein.editops(before, after)
    return sum(step.tag != "insert" and before[step.src_pos].isalpha() for step in steps)


def lost_words(before: str, after: str) -> int:
    """Count the words outside the longest common subsequence of words."""
    if before == after:
        return 0
    old, new = ([text[a:z] for a, z in words(text)] for text in (before, after))
    return len(old) - LCSseq.similarity(old, new)


def unknown_tokens(pieces: Sequence[str], *, unknown: str = "[UNK]", joint: str = "##") -> int:
    """Count the unknown tokens among the word pieces of a text (Vu et al. 2022, Algorithm 1).

    A word of several pieces counts as one unknown token.
    """
    count, cut = 0, False
    for piece in pieces:
        if unknown in piece:
            count += 1
        elif joint in piece:
            cut = True
        elif cut:
            count, cut = count + 1, False
    return count + (len(pieces) >= 2 and joint in pieces[-1])


def unknown_per_segment(texts: Sequence[str], tokenize: Tokenize) -> float:
    """Return the mean number of unknown tokens per text (Vu et al. 2022, Figure 1, Table 4)."""
    return share(sum(unknown_tokens(tokenize(text)) for text in texts), len(texts))


def pieces_per_word(texts: Sequence[str], tokenize: Tokenize) -> float:
    """Return the mean number of pieces that a tokenizer cuts a word into."""
    total = sum(len(text.split()) for text in texts)
    return share(sum(len(tokenize(text)) for text in texts), total)
