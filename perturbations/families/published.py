"""The character attacks of Vu et al. (2022), without the side effects of their tokenizers.

Levels mean what they mean in the references published with the paper: for intrude,
disemvowel and keyboard-typo a share of all tokens, including punctuation marks; for
visual a probability per letter; for phonetic a probability that rises steeply with the level.
"""

from __future__ import annotations

import unicodedata
from functools import cache, partial
from random import Random
from string import punctuation

from shakeproof.perturbations.clusters import cluster_spans, clusters
from shakeproof.perturbations.editing import in_place, pick
from shakeproof.perturbations.families.phonetic import respell, respelling_odds, sounding_words
from shakeproof.perturbations.family import ENGLISH, Rule
from shakeproof.perturbations.replacements import Table, character_table
from shakeproof.perturbations.scripts import LATIN
from shakeproof.perturbations.spans import Site
from shakeproof.perturbations.treebank import tokens

VOWELS = frozenset("aeiouAEIOU")
LAST_LATIN = 0x24F  # the end of Latin Extended-B


def token_count(text: str) -> int:
    """Count the tokens of a text; a level is a share of them."""
    return len(tokens(text))


def tokens_with_gaps(text: str) -> list[Site]:
    """Find the tokens of two or more characters that have a letter or digit."""
    return [(a, z) for a, z in tokens(text) if z - a > 1 and any(map(str.isalnum, text[a:z]))]


def intrude(word: str, rng: Random, level: float) -> str:
    """Insert a mark between characters, in each gap with probability `level`, at least once.

    The number of gaps follows the zero-truncated binomial distribution. It is drawn by inversion,
    so that it grows with the level.
    """
    parts = clusters(word)
    gaps = range(1, len(parts))
    mark = pick(punctuation, rng)
    draw = rng.random()
    order = sorted(gaps, key=lambda _: rng.random())
    for gap in order[: truncated_binomial(len(gaps), level, draw)]:
        parts[gap] = mark + parts[gap]
    return "".join(parts)


def truncated_binomial(n: int, p: float, draw: float) -> int:
    """Return the quantile `draw` of the number of successes in `n` trials, given at least one."""
    if p >= 1:
        return n
    term = (1 - p) ** n
    below, target = term, term + draw * (1 - term)
    for k in range(1, n):
        term *= (n - k + 1) / k * p / (1 - p)
        below += term
        if target < below:
            return k
    return n


def tokens_with_vowels(text: str) -> list[Site]:
    """Find the tokens of three or more characters that have a vowel and another character."""
    return [
        (a, z)
        for a, z in tokens(text)
        if z - a > 2 and not VOWELS.isdisjoint(text[a:z]) and not VOWELS.issuperset(text[a:z])
    ]


def disemvowel(word: str, rng: Random, level: float) -> str:
    """Delete the vowels a, e, i, o and u."""
    return "".join(char for char in word if char not in VOWELS)


def typeable_tokens(text: str) -> list[Site]:
    """Find the tokens that have a letter in the keyboard table."""
    keys = character_table("keyboard.txt")
    return [(a, z) for a, z in tokens(text) if not keys.keys().isdisjoint(text[a:z].lower())]


def keyboard_typo(word: str, rng: Random, level: float) -> str:
    """Replace one letter of the word with a neighbouring key."""
    keys = character_table("keyboard.txt")
    places = [i for i, char in enumerate(word) if char.lower() in keys]
    place = pick(places, rng)
    key = pick(keys[word[place].lower()], rng)
    return word[:place] + (key.upper() if word[place].isupper() else key) + word[place + 1 :]


@cache
def visual_table() -> Table:
    """Read the replacements of each letter; an accented letter has those of its base letter."""
    rows = character_table("visual.txt").items()
    table = {letter: tuple(chr(int(code, 16)) for code in codes) for letter, codes in rows}
    for char in map(chr, range(0xC0, LAST_LATIN + 1)):
        base = unicodedata.normalize("NFD", char)[0]
        if base in table:
            table[char] = table[base]
    return table


def visual_letters(text: str) -> list[Site]:
    """Find the Latin letters, with the marks written after them."""
    table = visual_table()
    if text.isascii():
        return [(i, i + 1) for i, char in enumerate(text) if char in table]
    return [(a, z) for a, z in cluster_spans(text) if text[a] in table]


def visual(letter: str, rng: Random, level: float) -> str:
    """Draw a character whose Unicode name has the letter as a word; marks after it stay."""
    return pick(visual_table()[letter[0]], rng) + letter[1:]


TOKEN_SHARE = "level p changes ceil(p x n) words; n counts words and punctuation marks"

attack = partial(in_place, group="characters", keeps_meaning=True)
token_attack = partial(attack, rule=Rule.SHARE, total=token_count, unit="words")

PUBLISHED = (
    attack(
        "visual",
        "Replace letters with readable variants, found by their Unicode names (VIPER DCES).",
        visual_letters,
        visual,
        Rule.CHANCE,
        unit="letters",
        scripts=LATIN,
        scale="level p replaces each letter with probability p, sometimes with itself",
    ),
    token_attack(
        "intrude",
        "Insert a punctuation mark between the letters of words.",
        tokens_with_gaps,
        intrude,
        scale=f"{TOKEN_SHARE}; in each word every gap with probability p, at least one",
    ),
    token_attack(
        "disemvowel",
        "Delete the vowels of words.",
        tokens_with_vowels,
        disemvowel,
        scripts=LATIN,
        scale=f"{TOKEN_SHARE}; all their vowels are deleted",
    ),
    token_attack(
        "keyboard-typo",
        "Replace one letter of words with a neighbouring key of a US keyboard.",
        typeable_tokens,
        keyboard_typo,
        scripts=LATIN,
        scale=f"{TOKEN_SHARE}; one letter in each word",
    ),
    attack(
        "phonetic",
        "Respell words as they sound, with spellings from the CMU Pronouncing Dictionary.",
        sounding_words,
        respell,
        Rule.CHANCE,
        odds=respelling_odds,
        unit="words",
        languages=ENGLISH,
        scripts=LATIN,
        scale="level p respells each word, and each sound in it, with probability 1 - 1/(20p + 1)",
    ),
)
