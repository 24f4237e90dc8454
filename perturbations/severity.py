"""How much of a text a perturbation really changed, whatever level was asked for."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from rapidfuzz.distance import LCSseq, Levenshtein

from shakeproof.perturbations.spans import words

Tokenize = Callable[[str], Sequence[str]]


@dataclass(frozen=True, slots=True)
class Realised:
    """Shares of what changed; 0 where there was nothing to change."""

    letters: float  # letters replaced or left out
    words: float  # words that are not there any more in their place
    segments: float  # texts that changed at all
    edits: float  # characters replaced, left out or inserted, per character


def realised(before: Sequence[str], after: Sequence[str]) -> Realised:
    """Measure the change from the texts before to the texts after."""
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
    """Divide, with nothing out of nothing as 0."""
    return part / total if total else 0.0


def letters_of(text: str) -> int:
    """Count the letters of a text."""
    return sum(map(str.isalpha, text))


def lost_letters(before: str, after: str) -> int:
    """Count the letters that were replaced or left out in the shortest way to the new text."""
    if before == after:
        return 0
    steps = Levenshtein.editops(before, after)
    return sum(step.tag != "insert" and before[step.src_pos].isalpha() for step in steps)


def lost_words(before: str, after: str) -> int:
    """Count the words that the longest common run of words does not hold."""
    if before == after:
        return 0
    old, new = ([text[a:z] for a, z in words(text)] for text in (before, after))
    return len(old) - LCSseq.similarity(old, new)


def unknown_tokens(pieces: Sequence[str], *, unknown: str = "[UNK]", joint: str = "##") -> int:
    """Count the unknown tokens of a text in word pieces (Vu et al. 2022, Algorithm 1).

    A word that had to be cut into pieces counts as one unknown token.
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


def as_word_pieces(pieces: Sequence[str], start: str) -> list[str]:
    """Mark the pieces that go on a word by `##`, given the mark of those that start one."""
    return [
        piece.removeprefix(start) if piece.startswith(start) or place == 0 else f"##{piece}"
        for place, piece in enumerate(pieces)
    ]


def unknown_per_segment(texts: Sequence[str], tokenize: Tokenize) -> float:
    """Average the unknown tokens per text (Vu et al. 2022, Figure 1 and Table 4)."""
    return share(sum(unknown_tokens(tokenize(text)) for text in texts), len(texts))


def pieces_per_word(texts: Sequence[str], tokenize: Tokenize) -> float:
    """Average the pieces into which a tokenizer cuts a blank-separated word."""
    total = sum(len(text.split()) for text in texts)
    return share(sum(len(tokenize(text)) for text in texts), total)
