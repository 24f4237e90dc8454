"""Realised severity: how much of its texts a perturbation changed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from rapidfuzz.distance import Editops, LCSseq, Levenshtein

from shakeproof.perturbations.spans import words_of

Tokenize = Callable[[str], Sequence[str]]

NOT_LETTERS = bytes(code for code in range(128) if not chr(code).isalpha())


@dataclass(frozen=True, slots=True)
class Realised:
    """Shares of the texts that changed; 0 where there was nothing to change."""

    letters: float  # letters replaced or deleted
    words: float  # words replaced, deleted or moved
    segments: float  # texts that changed at all
    edits: float  # characters replaced, deleted or inserted, per character


def realised(before: Iterable[str], after: Iterable[str]) -> Realised:
    """Measure how much texts changed; each is looked at once."""
    texts = changed = edits = characters = lost = letters = words_lost = words = 0
    for old, new in zip(before, after, strict=True):
        texts += 1
        characters += len(old)
        letters += letters_of(old)
        words += len(words_of(old))
        if old != new:
            changed += 1
            steps = Levenshtein.editops(old, new)  # the fewest
            edits += len(steps)
            lost += lost_letters(old, steps)
            words_lost += lost_words(old, new)
    return Realised(
        letters=share(lost, letters),
        words=share(words_lost, words),
        segments=share(changed, texts),
        edits=share(edits, characters),
    )


def share(part: float, total: float) -> float:
    """Divide; 0 if the total is 0."""
    return part / total if total else 0.0


def letters_of(text: str) -> int:
    """Count the letters of a text."""
    if text.isascii():
        return len(text.encode().translate(None, NOT_LETTERS))
    return sum(map(str.isalpha, text))


def lost_letters(before: str, steps: Editops) -> int:
    """Count the letters of `before` that the steps replace or delete."""
    return sum(step.tag != "insert" and before[step.src_pos].isalpha() for step in steps)


def lost_words(before: str, after: str) -> int:
    """Count the words outside the longest common subsequence of words."""
    old = words_of(before)
    return len(old) - LCSseq.similarity(old, words_of(after))


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


def unknown_per_segment(texts: Iterable[str], tokenize: Tokenize) -> float:
    """Return the mean number of unknown tokens per text (Vu et al. 2022, Figure 1, Table 4)."""
    count = unknown = 0
    for text in texts:
        count += 1
        unknown += unknown_tokens(tokenize(text))
    return share(unknown, count)


def pieces_per_word(texts: Sequence[str], tokenize: Tokenize) -> float:
    """Return the mean number of pieces that a tokenizer cuts a word into."""
    total = sum(len(text.split()) for text in texts)
    return share(sum(len(tokenize(text)) for text in texts), total)
