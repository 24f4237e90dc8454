"""Character noise that leaves a word readable; byte-mini is trained to ignore it.

Nothing here is taken from the table of an attack. Look-alikes are all Unicode characters whose
name contains the letter or whose decomposition contains it; neighbouring keys follow from the
geometry of the keyboard; respellings exchange spellings of the same sound.
"""

# ruff: noqa: RUF001  # look-alike letters are the subject of this module
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

# Changes a share of the letters of a word.
NoiseType = Callable[[str, float, Random], str]

VOWELS = frozenset("aeiouAEIOU")
KEY_ROWS = ("1234567890-=", "qwertyuiop[]", "asdfghjkl;'", "zxcvbnm,./")
LEET = dict(zip("abegiloqstz", "48361109572", strict=True))
# Letters of other alphabets that look like Latin ones although their names do not say so.
OTHER_ALPHABETS = {
    "a": "аαɑ", "b": "вЬβ", "c": "сϲ", "d": "ԁ", "e": "еєε", "f": "ϝ", "g": "ɡց", "h": "һнՀ",
    "i": "іιΙ", "j": "ј", "k": "кκ", "l": "ӏǀ", "m": "мΜ", "n": "пηΝ", "o": "оοσօ", "p": "рρ",
    "q": "ԛզ", "r": "гя", "s": "ѕՏ", "t": "тτ", "u": "υսц", "v": "νѵ", "w": "ԝωш", "x": "хχ",
    "y": "уγΥ", "z": "Ζʐ",
}  # fmt: skip
SOUNDS = (  # spellings of the same sound
    "a ai ay ei e", "e ee ea ie i y", "i y igh ie", "o oa ow oe aw au", "u oo ou ew ue", "a u o",
    "e i a", "ou ow", "oi oy", "er ir ur or ar", "le el al ul il", "en on an un in", "c k ck q ch",
    "s c ss z sc", "f ph ff gh", "j g dge ge", "sh ti ci ch si", "ch tch t", "x ks cks cs",
    "qu kw q", "w wh u", "th t d f", "t tt d ed", "d dd t", "n nn kn gn", "m mm mb", "l ll",
    "r rr wr", "p pp b", "b bb p", "g gg gh k", "v f w", "y i j", "z s zz x", "h wh", "ed d t",
)  # fmt: skip


def _change_letters(word: str, share: float, rng: Random, change: Callable[[str], str]) -> str:
    """Change each letter with probability `share`."""
    return "".join(
        change(char) if char.isalnum() and rng.random() < share else char for char in word
    )


@lru_cache(maxsize=1)
def look_alikes() -> dict[str, list[str]]:
    """List, for each letter, the characters whose name or decomposition contains it."""
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
    """List, for each letter, its Latin variants and look-alikes of other alphabets."""
    latin = {
        letter: [
            char
            for char in chars
            if re.search(r"LATIN (SMALL|CAPITAL|LETTER)", unicodedata.name(char))
        ]
        for letter, chars in look_alikes().items()
    }
    return {letter: [*chars, *(OTHER_ALPHABETS[letter] * 4)] for letter, chars in latin.items()}


@lru_cache(maxsize=1)
def diacritics() -> list[str]:
    """List the combining diacritics."""
    return [char for char in map(chr, range(0x300, 0x370)) if unicodedata.combining(char)]


@lru_cache(maxsize=1)
def neighbours() -> dict[str, str]:
    """List the keys around each key; each row is shifted by half a key."""
    found: dict[str, str] = defaultdict(str)
    places = {
        key: (row, i + row / 2) for row, keys in enumerate(KEY_ROWS) for i, key in enumerate(keys)
    }
    for key, (row, column) in places.items():
        for other, (above, across) in places.items():
            if other != key and abs(row - above) <= 1 and abs(column - across) <= 1:
                found[key] += other
    return found


def replace_with_look_alikes(word: str, share: float, rng: Random) -> str:
    """Replace letters by any look-alike of Unicode."""
    table = look_alikes()
    return _change_letters(word, share, rng, lambda c: rng.choice(table.get(c.lower(), [c])))


def replace_with_close_look_alikes(word: str, share: float, rng: Random) -> str:
    """Replace letters by Latin variants or look-alikes of other alphabets."""
    table = close_look_alikes()
    return _change_letters(word, share, rng, lambda c: rng.choice(table.get(c.lower(), [c])))


def add_diacritics(word: str, share: float, rng: Random) -> str:
    """Add diacritics to letters."""
    return _change_letters(word, share, rng, lambda c: c + rng.choice(diacritics()))


def hit_neighbouring_keys(word: str, share: float, rng: Random) -> str:
    """Replace letters by neighbouring keys."""
    table = neighbours()
    return _change_letters(word, share, rng, lambda c: rng.choice(table.get(c.lower(), c)))


def drop_letters(word: str, share: float, rng: Random) -> str:
    """Remove letters."""
    return _change_letters(word, share, rng, lambda _: "")


def drop_vowels(word: str, share: float, rng: Random) -> str:
    """Remove vowels with twice the probability `share`."""
    return "".join(c for c in word if not (c in VOWELS and rng.random() < 2 * share))


def repeat_letters(word: str, share: float, rng: Random) -> str:
    """Repeat letters."""
    return _change_letters(word, share, rng, lambda c: c * rng.choice((2, 2, 3)))


def swap_letters(word: str, share: float, rng: Random) -> str:
    """Swap letters with the next one."""
    chars = list(word)
    for i in range(len(chars) - 1):
        if rng.random() < share:
            chars[i], chars[i + 1] = chars[i + 1], chars[i]
    return "".join(chars)


def insert_punctuation(word: str, share: float, rng: Random) -> str:
    """Insert punctuation between letters, half of the time always the same character."""
    sign = rng.choice(string.punctuation)
    same = rng.random() < 0.5
    return _change_letters(
        word, share, rng, lambda c: c + (sign if same else rng.choice(string.punctuation))
    )


def insert_letters(word: str, share: float, rng: Random) -> str:
    """Insert random letters."""
    return _change_letters(word, share, rng, lambda c: c + rng.choice(string.ascii_lowercase))


def replace_letters(word: str, share: float, rng: Random) -> str:
    """Replace letters by random ones."""
    return _change_letters(word, share, rng, lambda _: rng.choice(string.ascii_lowercase))


def swap_case(word: str, share: float, rng: Random) -> str:
    """Swap upper and lower case."""
    return _change_letters(word, share, rng, str.swapcase)


def spell_with_digits(word: str, share: float, rng: Random) -> str:
    """Replace letters by digits of a similar shape."""
    return _change_letters(word, share, rng, lambda c: LEET.get(c.lower(), c))


@lru_cache(maxsize=1)
def spellings() -> tuple[re.Pattern[str], dict[str, list[str]]]:
    """Return a pattern of all spellings, longest first, and the alternatives of each."""
    table: dict[str, set[str]] = defaultdict(set)
    for group in map(str.split, SOUNDS):
        for spelling in group:
            table[spelling].update(group)
    pattern = re.compile("|".join(sorted(table, key=len, reverse=True)), re.IGNORECASE)
    return pattern, {spelling: sorted(others) for spelling, others in table.items()}


def respell_sounds(word: str, share: float, rng: Random) -> str:
    """Replace spellings by other spellings of the same sound."""
    pattern, table = spellings()

    def change(found: re.Match[str]) -> str:
        others = table.get(found[0].lower(), [found[0]])  # IGNORECASE also matches some look-alikes
        return rng.choice(others) if rng.random() < share else found[0]

    changed = pattern.sub(change, word)
    return changed.capitalize() if word[:1].isupper() and rng.random() < 0.7 else changed


NOISE_TYPES: tuple[NoiseType, ...] = (  # repeated entries are drawn more often
    replace_with_look_alikes,
    replace_with_look_alikes,
    replace_with_close_look_alikes,
    replace_with_close_look_alikes,
    add_diacritics,
    hit_neighbouring_keys,
    drop_letters,
    drop_vowels,
    drop_vowels,
    repeat_letters,
    swap_letters,
    insert_punctuation,
    insert_punctuation,
    insert_letters,
    replace_letters,
    swap_case,
    spell_with_digits,
    respell_sounds,
    respell_sounds,
)
ONE_CASE_SHARE = 0.04  # share of texts that are changed to one case


@dataclass(frozen=True, slots=True)
class NoiseLevel:
    """The shares of texts without noise and with two types, and the largest share of letters."""

    clean: float
    twice: float
    max_share: float


def add_noise(words: Iterable[str], noise_level: NoiseLevel, rng: Random) -> list[str]:
    """Add one or two types of noise to a text, each to some of its words; no word disappears."""
    noisy = list(words)
    if rng.random() < ONE_CASE_SHARE:
        noisy = [word.upper() if noisy[0].islower() else word.lower() for word in noisy]
    if rng.random() < noise_level.clean:
        return noisy
    for noise_type in rng.sample(NOISE_TYPES, 2 if rng.random() < noise_level.twice else 1):
        reach, share = rng.uniform(0.2, 1), rng.uniform(0.0, noise_level.max_share)
        noisy = [
            noise_type(word, share, rng) or word if rng.random() < reach else word for word in noisy
        ]
    return noisy
