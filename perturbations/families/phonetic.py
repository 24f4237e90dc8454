"""The phonetic attack: respell words as they sound, by the usual English spellings of each sound.

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

WORD = re.compile(r"(?<!\w)[A-Za-z]+(?:'[A-Za-z]+)*(?!\w)")
CHUNK = re.compile(r"([a-z']+)([^a-z']+)")
SPELLING = re.compile(r"([a-z']+)(\d+)")
SIGNS = str.maketrans("", "", "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+*=")
EDGE = "."


@dataclass(frozen=True, slots=True)
class Sounds:
    """The pronouncing dictionary, and how often English spells a sound in which way."""

    words: dict[str, str]  # "the": "thJeC", each letter group with the sign of its sound
    spellings: dict[str, str]  # by "sound", "before sound" or "before sound after"


@cache
def sounds() -> Sounds:
    """Read the table that ships with the package."""
    packed = (TABLES / "phonetic.txt.xz").read_bytes()
    table, aligned = lzma.decompress(packed).decode("ascii").split("\n\n")
    words = zip(aligned.translate(SIGNS).split("\n"), aligned.split("\n"), strict=True)
    return Sounds(dict(words), dict(row.split("\t") for row in table.split("\n")))


def sounding_words(text: str) -> list[Site]:
    """Find the words that are in the dictionary."""
    known = sounds().words
    return [match.span() for match in WORD.finditer(text) if match[0].lower() in known]


def respelling_odds(level: float) -> float:
    """Return the probability that a word, and each sound in it, is respelt at a level."""
    return 1 - 1 / (20 * level + 1)


def respell(word: str, rng: Random, level: float) -> str:
    """Draw a spelling for each sound of a word; capitals stay."""
    odds, shout = respelling_odds(level), word[:2].isupper() and len(word) > 1
    parts: list[str] = []
    last = 0
    for letters, key in chunks(word.lower()):
        old = word[last : last + len(letters)]
        new = draw_spelling(key, level, rng.random())
        last += len(letters)
        kept = rng.random() >= odds or new == letters
        parts.append(old if kept else new.upper() if shout else like(old[:1], new))
    return "".join(parts)


@lru_cache(maxsize=65536)
def chunks(word: str) -> list[tuple[str, str]]:
    """Cut a word into letter groups, each with the key of its sound in the spellings."""
    pairs = [match.groups() for match in CHUNK.finditer(sounds().words[word])]
    around = [EDGE, *(sound for _, sound in pairs), EDGE]
    return [
        (letters, spelling_key(around[place], sound, around[place + 2]))
        for place, (letters, sound) in enumerate(pairs)
    ]


def spelling_key(before: str, sound: str, after: str) -> str:
    """Return the key of a sound with as many neighbouring sounds as the spellings have."""
    known = sounds().spellings
    keys = (f"{before} {sound} {after}", f"{before} {sound}", sound)
    return next(key for key in keys if key in known)


def draw_spelling(key: str, level: float, draw: float) -> str:
    """Draw a spelling of a sound; at a higher level rare spellings are more likely."""
    choices, weights = spelling_odds(key, level)
    return choices[min(bisect_right(weights, draw * weights[-1]), len(choices) - 1)]


@lru_cache(maxsize=65536)
def spelling_odds(key: str, level: float) -> tuple[list[str], list[float]]:
    """List the spellings of a sound with cumulative weights, a softmax of their frequencies."""
    sharpness = 0.5 + 2 ** (5 * (1 - level)) / 8
    pairs = [match.groups() for match in SPELLING.finditer(sounds().spellings[key])]
    weights = [exp(sharpness * int(share) / 1000) for _, share in pairs]
    return [letters for letters, _ in pairs], list(accumulate(weights))
