"""Families that change letters: typing and scanning errors, misspellings, look-alikes."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from itertools import pairwise
from random import Random
from string import ascii_lowercase

from shakeproof.perturbations.clusters import clusters
from shakeproof.perturbations.editing import Find, always, in_place, like, pick, shuffled
from shakeproof.perturbations.families.published import keyboard_typo
from shakeproof.perturbations.family import Rule
from shakeproof.perturbations.replacements import (
    character_table,
    find_anywhere,
    lexicon,
    lexicon_family,
    replace_exactly,
)
from shakeproof.perturbations.scripts import LATIN, SPACED
from shakeproof.perturbations.spans import Site, letters, words

letter_family = partial(in_place, group="characters", keeps_meaning=True)
word_family = partial(letter_family, rule=Rule.SHARE, unit="words", scripts=SPACED)


def words_where(fit: Callable[[list[str]], bool]) -> Find:
    """Find the words without digits whose characters pass a test."""

    def find(text: str) -> list[Site]:
        return [
            (a, z)
            for a, z in words(text)
            if fit(clusters(text[a:z])) and not any(map(str.isdigit, text[a:z]))
        ]

    return find


def spaces_between_words(text: str) -> list[Site]:
    """Find the spaces between two words, where no punctuation mark stands between them."""
    gaps = ((end, start) for (_, end), (start, _) in pairwise(words(text)))
    return [(start, end) for start, end in gaps if start < end and text[start:end].isspace()]


def shuffle_inside(word: str, rng: Random, level: float) -> str:
    """Shuffle the characters of a word, except the first and the last."""
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
    """Delete one character of a word."""
    parts = clusters(word)
    del parts[int(rng.random() * len(parts))]
    return "".join(parts)


def insert_letter(word: str, rng: Random, level: float) -> str:
    """Insert a letter from a to z; into a word that is not ASCII, one of its own characters."""
    parts = clusters(word)
    place = int(rng.random() * (len(parts) + 1))
    parts.insert(place, pick(ascii_lowercase if word.isascii() else parts, rng))
    return "".join(parts)


def replace_letter(word: str, rng: Random, level: float) -> str:
    """Replace one character of a word with a letter, chosen as in `insert_letter`."""
    parts = clusters(word)
    place = int(rng.random() * len(parts))
    old = parts[place].lower()
    others = ascii_lowercase if word.isascii() else sorted({part.lower() for part in parts})
    parts[place] = like(parts[place], pick([new for new in others if new != old], rng))
    return "".join(parts)


def typeable_letters(text: str) -> list[Site]:
    """Find the letters that are in the keyboard table."""
    keys = character_table("keyboard.txt")
    return [(a, z) for a, z in letters(text) if text[a:z].lower() in keys]


def repeat_letter(letter: str, rng: Random, level: float) -> str:
    """Write a letter twice or three times."""
    return letter * pick((2, 3), rng)


def split_word(word: str, rng: Random, level: float) -> str:
    """Insert a space inside a word."""
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

CHARACTERS = (
    letter_family(
        "look-alike",
        "Replace Latin letters with letters of other scripts that look the same.",
        find_anywhere(look_alikes),
        replace_exactly(look_alikes),
        Rule.CHANCE,
        unit="letters that have a look-alike",
        scripts=LATIN,
    ),
    word_family(
        "inner-shuffle",
        "Shuffle the letters of words, except the first and the last.",
        words_where(lambda parts: len(set(parts[1:-1])) > 1),
        shuffle_inside,
        unit="words that can be shuffled inside",
    ),
    word_family(
        "full-shuffle",
        "Shuffle all letters of words.",
        words_where(lambda parts: len(set(parts)) > 1),
        shuffle_all,
        unit="words of two letters or more",
    ),
    word_family(
        "swap-letters",
        "Swap two neighbouring letters in words.",
        words_where(lambda parts: len(set(parts)) > 1),
        swap_letters,
        unit="words of two letters or more",
    ),
    word_family(
        "delete-letter",
        "Delete one letter from words.",
        words_where(lambda parts: len(parts) > 1),
        delete_letter,
        unit="words of two letters or more",
    ),
    word_family(
        "insert-letter", "Insert a random letter into words.", words_where(bool), insert_letter
    ),
    word_family(
        "replace-letter",
        "Replace one letter of words with a random letter.",
        words_where(lambda parts: len(set(map(str.lower, parts))) > 1),
        replace_letter,
        unit="words of two letters or more",
    ),
    letter_family(
        "typos",
        "Replace a number of letters with neighbouring keys of a US keyboard.",
        typeable_letters,
        keyboard_typo,
        Rule.COUNT,
        unit="letters",
        scripts=LATIN,
    ),
    letter_family(
        "repeat-letter",
        "Write letters two or three times, like a key that sticks.",
        letters,
        repeat_letter,
        Rule.CHANCE,
        unit="letters",
    ),
    letter_family(
        "scan-error",
        "Replace letters and digits as optical character recognition misreads them.",
        find_anywhere(scanning),
        replace_exactly(scanning),
        Rule.CHANCE,
        unit="letters, digits and pairs in the list of scanning errors",
        scripts=LATIN,
    ),
    letter_family(
        "leetspeak",
        "Replace letters with digits and symbols that look similar, such as e with 3.",
        find_anywhere(leetspeak),
        replace_exactly(leetspeak),
        Rule.CHANCE,
        unit="letters in the leetspeak table",
        scripts=LATIN,
    ),
    word_family(
        "join-words",
        "Delete spaces between words.",
        spaces_between_words,
        always(lambda space: ""),
        unit="spaces between words",
    ),
    word_family(
        "split-word",
        "Insert a space inside words.",
        words_where(lambda parts: len(parts) > 3),
        split_word,
        unit="words of four letters or more",
    ),
    word_family(
        "truncate-word",
        "Cut words off after their first half.",
        words_where(lambda parts: len(parts) > 3),
        truncate_word,
        unit="words of four letters or more",
    ),
    lexicon_family(
        "misspell",
        "Replace English words with common misspellings.",
        partial(lexicon, "misspellings.tsv"),
        "words in the list of misspellings",
        "They believe that the government will definitely receive it.",
        group="characters",
        keeps_meaning=True,
    ),
)
