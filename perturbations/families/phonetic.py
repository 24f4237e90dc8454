"""Spell words as they sound, by how English spells each sound in its surroundings.

`tools/phonetic_table.py` derives the table from the CMU Pronouncing Dictionary.
"""

from __future__ import annotations

import lzma
import re
from bisect import bisect_right
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import accumulate
from math import exp
from random import Random

from shakeproof.perturbations.editing import like
from shakeproof.perturbations.replacements import TABLES
from shakeproof.perturbations.spans import Site

RUN = re.compile(r"(?<!\w)[A-Za-z]+(?:'[A-Za-z]+)*(?!\w)")
CHUNK = re.compile(r"([a-z']+)([^a-z']+)")
SPELLING = re.compile(r"([a-z']+)(\d+)")
SIGNS = str.maketrans("", "", "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+*=")
EDGE = "."


@dataclass(frozen=True, slots=True)
class Sounds:
    """The dictionary: how words are cut into sounds, and how often sounds are spelt how."""

    words: dict[str, str]  # "the": "thJeC", letters and the sign of their sound
    spellings: dict[str, str]  # "sound", "before sound", "before sound after"


@cache
def sounds() -> Sounds:
    """Unpack the shipped table."""
    packed = (TABLES / "phonetic.txt.xz").read_bytes()
    table, aligned = lzma.decompress(packed).decode("ascii").split("\n\n")
    words = zip(aligned.translate(SIGNS).split("\n"), aligned.split("\n"), strict=True)
    return Sounds(dict(words), dict(row.split("\t") for row in table.split("\n")))


def sounding_words(text: str) -> list[Site]:
    """Find the words whose sound is known."""
    known = sounds().words
    return [run.span() for run in RUN.finditer(text) if run[0].lower() in known]


def respelling_odds(level: float) -> float:
    """Turn a level into the chance that a word, and each sound in it, is respelt."""
    return 1 - 1 / (20 * level + 1)


def respell(word: str, rng: Random, level: float) -> str:
    """Draw a spelling for each sound of a word; the capitals of the word are kept."""
    odds, shout = respelling_odds(level), word[:2].isupper() and len(word) > 1
    parts: list[str] = []
    last = 0
    for letters, key in chunks(word.lower()):
        old = word[last : last + len(letters)]
        new = spelling(key, level, rng.random())
        last += len(letters)
        kept = rng.random() >= odds or new == letters
        parts.append(old if kept else new.upper() if shout else like(old[:1], new))
    return "".join(parts)


@lru_cache(maxsize=65536)
def chunks(word: str) -> list[tuple[str, str]]:
    """Cut a known word into letters and the key under which their sound is found."""
    pairs = [match.groups() for match in CHUNK.finditer(sounds().words[word])]
    around = [EDGE, *(sound for _, sound in pairs), EDGE]
    return [
        (letters, closest(around[place], sound, around[place + 2]))
        for place, (letters, sound) in enumerate(pairs)
    ]


def closest(before: str, sound: str, after: str) -> str:
    """Take the longest surroundings that enough words attest."""
    known = sounds().spellings
    keys = (f"{before} {sound} {after}", f"{before} {sound}", sound)
    return next(key for key in keys if key in known)


def spelling(key: str, level: float, draw: float) -> str:
    """Draw a spelling of a sound; a higher level flattens the odds."""
    found, cumulated = spelling_odds(key, level)
    return found[min(bisect_right(cumulated, draw * cumulated[-1]), len(found) - 1)]


@lru_cache(maxsize=65536)
def spelling_odds(key: str, level: float) -> tuple[list[str], list[float]]:
    """Weigh the spellings of a sound by a softmax of their frequencies."""
    sharpness = 0.5 + 2 ** (5 * (1 - level)) / 8
    pairs = [match.groups() for match in SPELLING.finditer(sounds().spellings[key])]
    weights = [exp(sharpness * int(share) / 1000) for _, share in pairs]
    return [letters for letters, _ in pairs], list(accumulate(weights))
