"""The training data of one step; they depend only on the seed and the step."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from statistics import fmean

import torch
from torch import Tensor

from byte_mini.corpus import Corpus, Vocabulary
from byte_mini.noise import NoiseLevel, add_noise
from byte_mini.student import END, POSITIONS, token_ids

NO_WORD = -1  # for padding and the end of a text
MIN_WORDS, MAX_WORDS = 5, 36  # words in a text
MAX_BYTES = 480  # bytes of a text
MAX_LENGTH_RATIO = 1.15  # to the mean length; longer texts are cut, to have little padding
WORD_LIST_SHARE = 0.5  # share of texts that are lists of unrelated words
NOISE_WARMUP = 1000  # steps until the noise has its full strength
MAX_NOISE_SHARE = 0.5  # share of a word's letters


@dataclass(frozen=True, slots=True)
class Batch:
    """Clean texts for the teacher; the same texts, with noise, as bytes for the student."""

    texts: list[list[str]]
    bytes: Tensor  # (texts, longest)
    words: Tensor  # the word of each byte, counted over all texts, or `NO_WORD`
    positions: Tensor


def draw_batch(corpus: Corpus, vocabulary: Vocabulary, seed: int, step: int, words: int) -> Batch:
    """Draw texts of equal length, about `words` words in all, and add noise to each."""
    rng = Random(f"{seed}/{step}")
    length = rng.randint(MIN_WORDS, MAX_WORDS)
    texts = [
        (vocabulary if rng.random() < WORD_LIST_SHARE else corpus).draw(length, rng)
        for _ in range(max(1, words // length))
    ]
    noise_level = NoiseLevel(
        clean=0.35, twice=0.25, max_share=MAX_NOISE_SHARE * min(1.0, 0.2 + step / NOISE_WARMUP)
    )
    return encode_batch(texts, [add_noise(text, noise_level, rng) for text in texts], rng)


def encode_batch(texts: list[list[str]], noisy: Sequence[Sequence[str]], rng: Random) -> Batch:
    """Pad the bytes of all texts to one length; half of the texts start at a random position."""
    encoded, first = [], 0
    for words in noisy:
        encoded.append(encode_words(words, first))
        first += len(words)
    longest = min(MAX_BYTES, int(MAX_LENGTH_RATIO * fmean(len(row) for row, _ in encoded)) + 1)
    rows = [[*row[:longest], END] for row, _ in encoded]
    owners = [[*owner[:longest], NO_WORD] for _, owner in encoded]
    width = max(map(len, rows))
    starts = [rng.randrange(POSITIONS - width) if rng.random() < 0.5 else 0 for _ in rows]
    return Batch(
        texts,
        torch.tensor([row + [0] * (width - len(row)) for row in rows]),
        torch.tensor([owner + [NO_WORD] * (width - len(owner)) for owner in owners]),
        torch.tensor(starts)[:, None] + torch.arange(width),
    )


def encode_words(words: Sequence[str], first: int) -> tuple[list[int], list[int]]:
    """Return the token ids of words, and the word of each id; a space belongs to the next word."""
    row: list[int] = []
    owner: list[int] = []
    for i, word in enumerate(words):
        ids = token_ids(f" {word}" if i else word)
        row += ids
        owner += [first + i] * len(ids)
    return row, owner
