"""Slips of the key, the eye and the scanner, beside the published attacks."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from itertools import pairwise
from random import Random
from string import ascii_lowercase

from shakeproof.perturbations.clusters import clusters
from shakeproof.perturbations.editing import Find, always, in_place, like, pick, shuffled
from shakeproof.perturbations.families.published import ENGLISH, LATIN, keyboard_typo
from shakeproof.perturbations.family import Rule
from shakeproof.perturbations.replacements import (
    character_table,
    find_anywhere,
    find_words,
    lexicon,
    replace_exactly,
    replace_word,
)
from shakeproof.perturbations.scripts import SPACED
from shakeproof.perturbations.spans import Site, letters, words

spelt = partial(in_place, group="characters", keeps_meaning=True)
by_word = partial(spelt, rule=Rule.SHARE, unit="words", scripts=SPACED)


def words_where(fit: Callable[[list[str]], bool]) -> Find:
    """Find the words without digits whose characters pass a test."""

    def find(text: str) -> list[Site]:
        return [
            (a, z)
            for a, z in words(text)
            if fit(clusters(text[a:z])) and not any(map(str.isdigit, text[a:z]))
        ]

    return find


def blanks_between_words(text: str) -> list[Site]:
    """Find the blanks that alone part two words."""
    found = words(text)
    gaps = ((end, start) for (_, end), (start, _) in pairwise(found))
    return [(start, end) for start, end in gaps if start < end and text[start:end].isspace()]


def shuffle_inside(word: str, rng: Random, level: float) -> str:
    """Shuffle all characters but the first and the last."""
    first, *inner, last = clusters(word)
    return "".join([first, *shuffled(inner, rng), last])


def shuffle_all(word: str, rng: Random, level: float) -> str:
    """Shuffle the characters of a word."""
    return "".join(shuffled(clusters(word), rng))


def swap_letters(word: str, rng: Random, level: float) -> str:
    """Swap two neighbouring characters that differ."""
    parts = clusters(word)
    place = pick([i for i in range(len(parts) - 1) if parts[i] != parts[i + 1]], rng)
    parts[place : place + 2] = parts[place + 1], parts[place]
    return "".join(parts)


def delete_letter(word: str, rng: Random, level: float) -> str:
    """Leave out one character of a word."""
    parts = clusters(word)
    del parts[int(rng.random() * len(parts))]
    return "".join(parts)


def some_letter(word: str, rng: Random) -> str:
    """Draw a letter of the alphabet, or of the word itself where it is not written in a to z."""
    return pick(ascii_lowercase if word.isascii() else clusters(word), rng)


def insert_letter(word: str, rng: Random, level: float) -> str:
    """Insert a letter anywhere in a word."""
    parts = clusters(word)
    parts.insert(int(rng.random() * (len(parts) + 1)), some_letter(word, rng))
    return "".join(parts)


def replace_letter(word: str, rng: Random, level: float) -> str:
    """Replace one character of a word by another letter."""
    parts = clusters(word)
    place = int(rng.random() * len(parts))
    old = parts[place].lower()
    others = ascii_lowercase if word.isascii() else sorted({part.lower() for part in parts})
    parts[place] = like(parts[place], pick([new for new in others if new != old], rng))
    return "".join(parts)


def typeable_letters(text: str) -> list[Site]:
    """Find the letters that the keyboard table knows."""
    keys = character_table("keyboard.txt")
    return [(a, z) for a, z in letters(text) if text[a:z].lower() in keys]


def repeat_letter(letter: str, rng: Random, level: float) -> str:
    """Write a letter twice or three times."""
    return letter * pick((2, 3), rng)


def split_word(word: str, rng: Random, level: float) -> str:
    """Put a blank inside a word."""
    parts = clusters(word)
    place = 1 + int(rng.random() * (len(parts) - 1))
    return "".join(parts[:place]) + " " + "".join(parts[place:])


def truncate_word(word: str, rng: Random, level: float) -> str:
    """Keep the first half of a word, or a little more."""
    parts = clusters(word)
    return "".join(parts[: (len(parts) + 2) // 2])


look_alikes = partial(character_table, "look-alikes.tsv")
scanning = partial(character_table, "scanning.tsv")
leetspeak = partial(character_table, "leetspeak.tsv")
misspellings = partial(lexicon, "misspellings.tsv")

CHARACTERS = (
    spelt(
        "look-alike",
        "Replace Latin letters by letters of other scripts that are drawn alike.",
        find_anywhere(look_alikes),
        replace_exactly(look_alikes),
        Rule.CHANCE,
        unit="letters that have a look-alike",
        scripts=LATIN,
    ),
    by_word(
        "inner-shuffle",
        "Shuffle the letters of words, first and last letter kept.",
        words_where(lambda parts: len(set(parts[1:-1])) > 1),
        shuffle_inside,
        unit="words that can be shuffled inside",
    ),
    by_word(
        "full-shuffle",
        "Shuffle all letters of words.",
        words_where(lambda parts: len(set(parts)) > 1),
        shuffle_all,
        unit="words of two letters or more",
    ),
    by_word(
        "swap-letters",
        "Swap two neighbouring letters of words.",
        words_where(lambda parts: len(set(parts)) > 1),
        swap_letters,
        unit="words of two letters or more",
    ),
    by_word(
        "delete-letter",
        "Leave out one letter of words.",
        words_where(lambda parts: len(parts) > 1),
        delete_letter,
        unit="words of two letters or more",
    ),
    by_word("insert-letter", "Insert one letter into words.", words_where(bool), insert_letter),
    by_word(
        "replace-letter",
        "Replace one letter of words by another.",
        words_where(lambda parts: len(set(map(str.lower, parts))) > 1),
        replace_letter,
        unit="words of two letters or more",
    ),
    spelt(
        "typos",
        "Hit a neighbouring key of a US keyboard, a given number of times.",
        typeable_letters,
        keyboard_typo,
        Rule.COUNT,
        unit="letters",
        scripts=LATIN,
    ),
    spelt(
        "repeat-letter",
        "Write letters two or three times, as keys that stick do.",
        letters,
        repeat_letter,
        Rule.CHANCE,
        unit="letters",
    ),
    spelt(
        "scan-error",
        "Take letters for others as optical character recognition does.",
        find_anywhere(scanning),
        replace_exactly(scanning),
        Rule.CHANCE,
        unit="letters and pairs that scanners confuse",
        scripts=LATIN,
    ),
    spelt(
        "leetspeak",
        "Write digits and signs for letters.",
        find_anywhere(leetspeak),
        replace_exactly(leetspeak),
        Rule.CHANCE,
        unit="letters that leetspeak knows",
        scripts=LATIN,
    ),
    by_word(
        "join-words",
        "Leave out blanks between words.",
        blanks_between_words,
        always(lambda blank: ""),
        unit="blanks between words",
    ),
    by_word(
        "split-word",
        "Put a blank inside words.",
        words_where(lambda parts: len(parts) > 3),
        split_word,
        unit="words of four letters or more",
    ),
    by_word(
        "truncate-word",
        "Cut words off after their first half.",
        words_where(lambda parts: len(parts) > 3),
        truncate_word,
        unit="words of four letters or more",
    ),
    by_word(
        "misspell",
        "Misspell words as people often do.",
        find_words(misspellings),
        replace_word(misspellings),
        unit="words that the list of misspellings knows",
        languages=ENGLISH,
        scripts=LATIN,
        example="They believe that the government will definitely receive it.",
    ),
)
