"""Words left out, doubled, moved, added or replaced."""

from __future__ import annotations

from functools import partial
from random import Random

from shakeproof.perturbations.editing import Find, always, apply, in_place, pick, shuffled
from shakeproof.perturbations.families.published import ENGLISH, LATIN
from shakeproof.perturbations.family import Edit, Rule
from shakeproof.perturbations.replacements import find_words, lexicon, replace_word, word_list
from shakeproof.perturbations.spans import Site, whole, words

worded = partial(in_place, group="words", keeps_meaning=False)
english = partial(worded, languages=ENGLISH, scripts=LATIN)
FILLERS = ("well,", "like,", "you know,", "um,", "uh,", "actually,", "basically,", "I mean,")
ARTICLES = frozenset({"a", "an", "the"})
dropped = always(lambda piece: "")
synonyms = partial(lexicon, "synonyms.tsv")
homophones = partial(lexicon, "homophones.tsv")
abbreviations = partial(lexicon, "abbreviations.tsv")


def later_words(text: str) -> list[Site]:
    """Find all words but the first, each with the blanks before it."""
    return [(len(text[:a].rstrip()), z) for a, z in words(text)[1:]]


def listed_with_blank(known: Find) -> Find:
    """Widen sites by the blank after them; those without one are left out."""
    return lambda text: [(a, z + 1) for a, z in known(text) if text[z : z + 1] == " "]


def function_words(text: str) -> list[Site]:
    """Find the English words that bind a sentence together."""
    known = word_list("function-words.txt")
    return [(a, z) for a, z in words(text) if text[a:z].lower() in known]


def articles(text: str) -> list[Site]:
    """Find the English articles."""
    return [(a, z) for a, z in words(text) if text[a:z].lower() in ARTICLES]


def pairs(text: str) -> list[Site]:
    """Find pairs of neighbouring words that differ and have only blanks between them."""
    found, sites = words(text), []
    place = 0
    while place + 1 < len(found):
        (a, b), (c, d) = found[place], found[place + 1]
        fits = text[a:b] != text[c:d] and text[b:c].strip() == ""
        sites += [(a, d)] * fits
        place += 1 + fits
    return sites


def swap(pair: str, rng: Random, level: float) -> str:
    """Swap two words around the blank between them."""
    (a, b), (c, d) = words(pair)
    return pair[c:d] + pair[b:c] + pair[a:b]


def shuffle_words(text: str, rng: Random, level: float) -> str:
    """Put all words of a text in another order; blanks and marks stay in place."""
    sites = words(text)
    mixed = shuffled([text[a:z] for a, z in sites], rng)
    return apply(text, [Edit(*site, word) for site, word in zip(sites, mixed, strict=True)])


def reverse_words(text: str, rng: Random, level: float) -> str:
    """Put the words of a text in reverse; blanks and marks stay in place."""
    sites = words(text)
    last_first = [text[a:z] for a, z in reversed(sites)]
    return apply(text, [Edit(*site, new) for site, new in zip(sites, last_first, strict=True)])


def before_later_words(text: str) -> list[Site]:
    """Find the places before all words but the first."""
    return [(a, a) for a, _ in words(text)[1:] if text[a - 1].isspace()]


def filler(place: str, rng: Random, level: float) -> str:
    """Draw a filler that goes before a word."""
    return f"{pick(FILLERS, rng)} "


WORDS = (
    worded(
        "drop-word",
        "Leave out words, never the first one.",
        later_words,
        dropped,
        Rule.SHARE,
        unit="words but the first",
    ),
    english(
        "drop-function-words",
        "Leave out English articles, prepositions, pronouns and auxiliaries.",
        listed_with_blank(function_words),
        dropped,
        Rule.SHARE,
        unit="function words",
    ),
    english(
        "drop-articles",
        "Leave out English articles.",
        listed_with_blank(articles),
        dropped,
        random=False,
        keeps_meaning=True,
    ),
    worded(
        "repeat-word",
        "Write words twice.",
        words,
        always(lambda word: f"{word} {word}"),
        Rule.SHARE,
        unit="words",
    ),
    worded("swap-words", "Swap neighbouring words.", pairs, swap, Rule.SHARE, unit="word pairs"),
    worded("shuffle-words", "Put all words in another order.", whole, shuffle_words),
    worded("reverse-words", "Put all words in reverse.", whole, reverse_words, random=False),
    english(
        "fillers",
        "Put English fillers between words, as people speak.",
        before_later_words,
        filler,
        Rule.SHARE,
        unit="words but the first",
        keeps_meaning=True,
    ),
    english(
        "synonyms",
        "Replace English words by others that mean the same in most sentences.",
        find_words(synonyms),
        replace_word(synonyms),
        Rule.SHARE,
        unit="words that the list of synonyms knows",
        example="They quickly built a huge house near the road.",
        keeps_meaning=True,
    ),
    english(
        "homophones",
        "Replace English words by others that sound alike.",
        find_words(homophones),
        replace_word(homophones),
        Rule.SHARE,
        unit="words that the list of homophones knows",
        example="They knew which way to sail for an hour.",
        keeps_meaning=True,
    ),
    english(
        "abbreviate",
        "Abbreviate English words as in chats and tables.",
        find_words(abbreviations),
        replace_word(abbreviations),
        Rule.SHARE,
        unit="words that the list of abbreviations knows",
        example="Thanks for the message about your university, see you tomorrow.",
        keeps_meaning=True,
    ),
)
