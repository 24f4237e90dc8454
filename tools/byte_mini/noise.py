"""Damage of every kind that leaves a word readable: what byte-mini learns to see through.

Nothing here is taken from an attack's table. Look-alikes are all characters of Unicode whose
name mentions the letter or whose decomposition contains it; keys are neighbours by the
geometry of the keyboard; respellings swap spellings of one sound.
"""

# ruff: noqa: RUF001  # letters that look like others are what this is about
from __future__ import annotations

import re
import string
import sys
import unicodedata
from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import lru_cache
from random import Random

Damage = Callable[[str, float, Random], str]  # a word, the share of it to damage, the dice

VOWELS = frozenset("aeiouAEIOU")
ROWS = ("1234567890-=", "qwertyuiop[]", "asdfghjkl;'", "zxcvbnm,./")
LEET = dict(zip("abegiloqstz", "48361109572", strict=True))
# Letters of other alphabets that look like Latin ones and say so nowhere in their names.
FOREIGN = {
    "a": "аαɑ", "b": "вЬβ", "c": "сϲ", "d": "ԁ", "e": "еєε", "f": "ϝ", "g": "ɡց", "h": "һнՀ",
    "i": "іιΙ", "j": "ј", "k": "кκ", "l": "ӏǀ", "m": "мΜ", "n": "пηΝ", "o": "оοσօ", "p": "рρ",
    "q": "ԛզ", "r": "гя", "s": "ѕՏ", "t": "тτ", "u": "υսц", "v": "νѵ", "w": "ԝωш", "x": "хχ",
    "y": "уγΥ", "z": "Ζʐ",
}  # fmt: skip
SOUNDS = (  # spellings of one sound, one of which may stand for another
    "a ai ay ei e", "e ee ea ie i y", "i y igh ie", "o oa ow oe aw au", "u oo ou ew ue", "a u o",
    "e i a", "ou ow", "oi oy", "er ir ur or ar", "le el al ul il", "en on an un in", "c k ck q ch",
    "s c ss z sc", "f ph ff gh", "j g dge ge", "sh ti ci ch si", "ch tch t", "x ks cks cs",
    "qu kw q", "w wh u", "th t d f", "t tt d ed", "d dd t", "n nn kn gn", "m mm mb", "l ll",
    "r rr wr", "p pp b", "b bb p", "g gg gh k", "v f w", "y i j", "z s zz x", "h wh", "ed d t",
)  # fmt: skip


def _each(word: str, share: float, rng: Random, change: Callable[[str], str]) -> str:
    """Change a share of the letters, each by its own throw of the dice."""
    return "".join(
        change(char) if char.isalnum() and rng.random() < share else char for char in word
    )


@lru_cache(maxsize=1)
def look_alikes() -> dict[str, list[str]]:
    """List, for each letter, the characters named after it or composed of it."""
    found: dict[str, set[str]] = defaultdict(set)
    for char in map(chr, range(0x80, sys.maxunicode + 1)):
        name = unicodedata.name(char, "")
        named = set(re.findall(r"\b[A-Z]\b", name)) if name else set()
        parts = unicodedata.normalize("NFKD", char) if name else ""
        for letter in {*map(str.lower, named), *(p.lower() for p in parts if p.isascii())}:
            if letter in string.ascii_lowercase:
                found[letter].add(char)
    return {letter: sorted(chars) for letter, chars in found.items()}


@lru_cache(maxsize=1)
def close_look_alikes() -> dict[str, list[str]]:
    """List the Latin letters with marks and the letters of other alphabets for each letter."""
    latin = {
        letter: [
            char
            for char in chars
            if re.search(r"LATIN (SMALL|CAPITAL|LETTER)", unicodedata.name(char))
        ]
        for letter, chars in look_alikes().items()
    }
    return {letter: [*chars, *(FOREIGN[letter] * 4)] for letter, chars in latin.items()}


@lru_cache(maxsize=1)
def marks() -> list[str]:
    """List the marks that join the letter before them."""
    return [char for char in map(chr, range(0x300, 0x370)) if unicodedata.combining(char)]


@lru_cache(maxsize=1)
def neighbours() -> dict[str, str]:
    """List the keys around each key: rows are shifted by half a key."""
    found: dict[str, str] = defaultdict(str)
    places = {
        key: (row, i + row / 2) for row, keys in enumerate(ROWS) for i, key in enumerate(keys)
    }
    for key, (row, column) in places.items():
        for other, (above, across) in places.items():
            if other != key and abs(row - above) <= 1 and abs(column - across) <= 1:
                found[key] += other
    return found


def disguise(word: str, share: float, rng: Random) -> str:
    """Replace letters by any character of Unicode that is named after them."""
    table = look_alikes()
    return _each(word, share, rng, lambda c: rng.choice(table.get(c.lower(), [c])))


def disguise_closely(word: str, share: float, rng: Random) -> str:
    """Replace letters by Latin ones with marks, or by those of other alphabets."""
    table = close_look_alikes()
    return _each(word, share, rng, lambda c: rng.choice(table.get(c.lower(), [c])))


def add_marks(word: str, share: float, rng: Random) -> str:
    """Put marks above and below letters."""
    return _each(word, share, rng, lambda c: c + rng.choice(marks()))


def miss_keys(word: str, share: float, rng: Random) -> str:
    """Hit the key beside the right one."""
    table = neighbours()
    return _each(word, share, rng, lambda c: rng.choice(table.get(c.lower(), c)))


def lose(word: str, share: float, rng: Random) -> str:
    """Lose letters."""
    return _each(word, share, rng, lambda _: "")


def lose_vowels(word: str, share: float, rng: Random) -> str:
    """Lose vowels, twice as many as the share says: up to all of them."""
    return "".join(c for c in word if not (c in VOWELS and rng.random() < 2 * share))


def double(word: str, share: float, rng: Random) -> str:
    """Repeat letters."""
    return _each(word, share, rng, lambda c: c * rng.choice((2, 2, 3)))


def swap(word: str, share: float, rng: Random) -> str:
    """Exchange letters with their neighbours."""
    chars = list(word)
    for i in range(len(chars) - 1):
        if rng.random() < share:
            chars[i], chars[i + 1] = chars[i + 1], chars[i]
    return "".join(chars)


def intersperse(word: str, share: float, rng: Random) -> str:
    """Put signs between letters, often the same one."""
    sign = rng.choice(string.punctuation)
    one = rng.random() < 0.5
    return _each(word, share, rng, lambda c: c + (sign if one else rng.choice(string.punctuation)))


def add_letters(word: str, share: float, rng: Random) -> str:
    """Put letters between letters."""
    return _each(word, share, rng, lambda c: c + rng.choice(string.ascii_lowercase))


def mistake(word: str, share: float, rng: Random) -> str:
    """Replace letters by any others."""
    return _each(word, share, rng, lambda _: rng.choice(string.ascii_lowercase))


def flip_case(word: str, share: float, rng: Random) -> str:
    """Exchange capitals and small letters."""
    return _each(word, share, rng, str.swapcase)


def spell_with_digits(word: str, share: float, rng: Random) -> str:
    """Write digits for letters of a like shape."""
    return _each(word, share, rng, lambda c: LEET.get(c.lower(), c))


@lru_cache(maxsize=1)
def spellings() -> tuple[re.Pattern[str], dict[str, list[str]]]:
    """Compile the spellings of sounds, longest first, with what may stand for each."""
    table: dict[str, set[str]] = defaultdict(set)
    for group in map(str.split, SOUNDS):
        for spelling in group:
            table[spelling].update(group)
    pattern = re.compile("|".join(sorted(table, key=len, reverse=True)), re.IGNORECASE)
    return pattern, {spelling: sorted(others) for spelling, others in table.items()}


def respell(word: str, share: float, rng: Random) -> str:
    """Write sounds by other spellings of theirs."""
    pattern, table = spellings()

    def change(found: re.Match[str]) -> str:
        others = table.get(found[0].lower(), [found[0]])  # look-alikes match too, in any case
        return rng.choice(others) if rng.random() < share else found[0]

    changed = pattern.sub(change, word)
    return changed.capitalize() if word[:1].isupper() and rng.random() < 0.7 else changed


DAMAGES: tuple[Damage, ...] = (
    disguise, disguise, disguise_closely, disguise_closely, add_marks, miss_keys, lose, lose_vowels,
    lose_vowels, double, swap, intersperse, intersperse, add_letters, mistake, flip_case,
    spell_with_digits, respell, respell,
)  # fmt: skip  # the more ways there are to do something, the more often it is done
UPPER = 0.04  # share of texts in capitals, or in small letters


@dataclass(frozen=True, slots=True)
class Hardness:
    """How often texts stay clean or are damaged twice, and the largest share of letters hit."""

    clean: float
    twice: float
    hardest: float


def damage(words: Iterable[str], hardness: Hardness, rng: Random) -> list[str]:
    """Damage a text in one or two ways, each in some of its words; no word disappears."""
    kept = list(words)
    if rng.random() < UPPER:
        kept = [word.upper() if kept[0].islower() else word.lower() for word in kept]
    if rng.random() < hardness.clean:
        return kept
    for way in rng.sample(DAMAGES, 2 if rng.random() < hardness.twice else 1):
        reach, share = rng.uniform(0.2, 1), rng.uniform(0.0, hardness.hardest)
        kept = [way(word, share, rng) or word if rng.random() < reach else word for word in kept]
    return kept
