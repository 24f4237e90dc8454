"""Families that delete, repeat, move, add or replace words."""

from __future__ import annotations

from functools import partial
from random import Random

from shakeproof.perturbations.editing import Find, always, in_place, pick, rearrange, shuffled
from shakeproof.perturbations.family import ENGLISH, Rule
from shakeproof.perturbations.replacements import (
    lexicon,
    lexicon_family,
    word_list,
    words_in,
)
from shakeproof.perturbations.scripts import LATIN
from shakeproof.perturbations.spans import Site, whole, words

word_family = partial(in_place, group="words", keeps_meaning=False)
english_family = partial(word_family, languages=ENGLISH, scripts=LATIN)
rewording_family = partial(lexicon_family, group="words", keeps_meaning=True)
FILLERS = ("well,", "like,", "you know,", "um,", "uh,", "actually,", "basically,", "I mean,")
ARTICLES = frozenset({"a", "an", "the"})
delete = always(lambda piece: "")


def later_words(text: str) -> list[Site]:
    """Find all words except the first, each with the spaces before it."""
    return [(len(text[:a].rstrip()), z) for a, z in words(text)[1:]]


def with_next_space(find: Find) -> Find:
    """Find the same sites, each with the space after it; leave out sites without one."""
    return lambda text: [(a, z + 1) for a, z in find(text) if text[z : z + 1] == " "]


def function_words(text: str) -> list[Site]:
    """Find the English function words, such as articles, prepositions and pronouns."""
    return words_in(text, word_list("function-words.txt"))


def articles(text: str) -> list[Site]:
    """Find the English articles."""
    return words_in(text, ARTICLES)


def pairs(text: str) -> list[Site]:
    """Find pairs of different neighbouring words with only spaces between them."""
    in_text, sites = words(text), []
    place = 0
    while place + 1 < len(in_text):
        (a, b), (c, d) = in_text[place], in_text[place + 1]
        fits = text[a:b] != text[c:d] and text[b:c].strip() == ""
        sites += [(a, d)] * fits
        place += 1 + fits
    return sites


def swap(pair: str, rng: Random, level: float) -> str:
    """Swap two words; the space between them stays."""
    (a, b), (c, d) = words(pair)
    return pair[c:d] + pair[b:c] + pair[a:b]


def shuffle_words(text: str, rng: Random, level: float) -> str:
    """Shuffle the words of a text; spaces and punctuation marks stay."""
    return rearrange(text, words(text), lambda parts: shuffled(parts, rng))


def reverse_words(text: str, rng: Random, level: float) -> str:
    """Reverse the order of the words of a text; spaces and punctuation marks stay."""
    return rearrange(text, words(text), lambda parts: parts[::-1])


def before_later_words(text: str) -> list[Site]:
    """Find the starts of all words except the first."""
    return [(a, a) for a, _ in words(text)[1:] if text[a - 1].isspace()]


def filler(place: str, rng: Random, level: float) -> str:
    """Choose a filler, with the space after it."""
    return f"{pick(FILLERS, rng)} "


WORDS = (
    word_family(
        "drop-word",
        "Delete words, but never the first one.",
        later_words,
        delete,
        Rule.SHARE,
        unit="words except the first",
    ),
    english_family(
        "drop-function-words",
        "Delete English articles, prepositions, pronouns and auxiliary verbs.",
        with_next_space(function_words),
        delete,
        Rule.SHARE,
        unit="function words",
    ),
    english_family(
        "drop-articles",
        "Delete English articles.",
        with_next_space(articles),
        delete,
        random=False,
        keeps_meaning=True,
    ),
    word_family(
        "repeat-word",
        "Write words twice.",
        words,
        always(lambda word: f"{word} {word}"),
        Rule.SHARE,
        unit="words",
    ),
    word_family(
        "swap-words", "Swap neighbouring words.", pairs, swap, Rule.SHARE, unit="word pairs"
    ),
    word_family("shuffle-words", "Put all words in random order.", whole, shuffle_words),
    word_family(
        "reverse-words", "Put all words in reverse order.", whole, reverse_words, random=False
    ),
    english_family(
        "fillers",
        "Insert English fillers between words, such as um or you know.",
        before_later_words,
        filler,
        Rule.SHARE,
        unit="words except the first",
        keeps_meaning=True,
    ),
    rewording_family(
        "synonyms",
        "Replace English words with others that mean the same in most sentences.",
        partial(lexicon, "synonyms.tsv"),
        "words in the list of synonyms",
        "They quickly built a huge house near the road.",
    ),
    rewording_family(
        "homophones",
        "Replace English words with others that sound the same.",
        partial(lexicon, "homophones.tsv"),
        "words in the list of homophones",
        "They knew which way to sail for an hour.",
    ),
    rewording_family(
        "abbreviate",
        "Abbreviate English words, as in chat messages and tables.",
        partial(lexicon, "abbreviations.tsv"),
        "words in the list of abbreviations",
        "Thanks for the message about your university, see you tomorrow.",
    ),
)
