"""One step's worth of training data, a function of the seed and the step alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from statistics import fmean

import torch
from torch import Tensor

from byte_mini.corpus import Corpus, Vocabulary
from byte_mini.noise import Hardness, damage
from byte_mini.student import END, POSITIONS, numbers

NOBODY = -1  # the word of padding and of the end of a text
FEWEST, MOST = 5, 36  # words in a text
LONGEST = 480  # bytes of a text
SPARE = 1.15  # times the mean length: what a text has beyond that is cut, for little padding
LISTS = 0.5  # share of texts that are mere lists of words
EASY = 1000  # steps until the damage is as hard as it gets
HARDEST = 0.5  # share of a word's letters


@dataclass(frozen=True, slots=True)
class Lesson:
    """Clean texts for the teacher; the same texts, damaged, as bytes for the student."""

    texts: list[list[str]]
    bytes: Tensor  # (texts, longest)
    words: Tensor  # the word each byte belongs to, counted over all texts, or `NOBODY`
    positions: Tensor


def draw_lesson(corpus: Corpus, vocabulary: Vocabulary, seed: int, step: int, words: int) -> Lesson:
    """Draw texts of one length, about `words` in all, and damage each."""
    rng = Random(f"{seed}/{step}")
    length = rng.randint(FEWEST, MOST)
    texts = [
        (vocabulary if rng.random() < LISTS else corpus).draw(length, rng)
        for _ in range(max(1, words // length))
    ]
    hardness = Hardness(clean=0.35, twice=0.25, hardest=HARDEST * min(1.0, 0.2 + step / EASY))
    return lay_out(texts, [damage(text, hardness, rng) for text in texts], rng)


def lay_out(texts: list[list[str]], damaged: Sequence[Sequence[str]], rng: Random) -> Lesson:
    """Write the bytes of all texts side by side; texts begin anywhere in the table of positions."""
    found, first = [], 0
    for words in damaged:
        found.append(encode(words, first))
        first += len(words)
    longest = min(LONGEST, int(SPARE * fmean(len(row) for row, _ in found)) + 1)
    rows = [[*row[:longest], END] for row, _ in found]
    owners = [[*owner[:longest], NOBODY] for _, owner in found]
    width = max(map(len, rows))
    starts = [rng.randrange(POSITIONS - width) if rng.random() < 0.5 else 0 for _ in rows]
    return Lesson(
        texts,
        torch.tensor([row + [0] * (width - len(row)) for row in rows]),
        torch.tensor([owner + [NOBODY] * (width - len(owner)) for owner in owners]),
        torch.tensor(starts)[:, None] + torch.arange(width),
    )


def encode(words: Sequence[str], first: int) -> tuple[list[int], list[int]]:
    """Write words as bytes, and tell for each byte its word; a blank belongs to the word after."""
    row: list[int] = []
    owner: list[int] = []
    for i, word in enumerate(words):
        found = numbers(f" {word}" if i else word)
        row += found
        owner += [first + i] * len(found)
    return row, owner
