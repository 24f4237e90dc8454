"""Families whose texts are empty, nonsense or off topic: no metric should reward them."""

from __future__ import annotations

from functools import partial
from random import Random
from string import ascii_lowercase

from shakeproof.perturbations.editing import always, in_place, pick
from shakeproof.perturbations.families.sentences import NEIGHBOUR, borrowed
from shakeproof.perturbations.families.words import function_words
from shakeproof.perturbations.family import ENGLISH, Context, Family
from shakeproof.perturbations.scripts import LATIN
from shakeproof.perturbations.spans import letters, whole, words

degenerate_family = partial(in_place, group="degenerate", keeps_meaning=False)
fixed_family = partial(degenerate_family, random=False)
WORD_PAIRS = (
    "of the",
    "in the",
    "to the",
    "on the",
    "for the",
    "and the",
    "it is",
    "at the",
    "to be",
)
MORE_WORDS_THAN_ENCODERS_READ = 600  # common encoders read 512 tokens


def random_letter(letter: str, rng: Random, level: float) -> str:
    """Choose a random letter."""
    return pick(ascii_lowercase, rng)


def one_word(text: str) -> str:
    """Replace every word with the longest one."""
    in_text = [text[a:z] for a, z in words(text)]
    return " ".join([max(in_text, key=len)] * len(in_text)) if in_text else text


def soup(text: str, rng: Random, level: float) -> str:
    """Join random pairs of frequent words, until there are as many words as in the text."""
    return " ".join(pick(WORD_PAIRS, rng) for _ in range((len(words(text)) + 1) // 2))


def over_length(text: str) -> str:
    """Repeat the text until it is longer than encoders can read."""
    times = MORE_WORDS_THAN_ENCODERS_READ // max(1, len(words(text))) + 1
    return " ".join([text] * times)


def only_function_words(text: str) -> str:
    """Keep only the function words of a text."""
    return " ".join(text[a:z] for a, z in function_words(text))


def another(text: str, level: float, rng: Random, context: Context) -> str:
    """Return the text of another segment."""
    return borrowed(context)


DEGENERATE = (
    fixed_family("empty", "Delete the whole text.", whole, always(lambda text: "")),
    fixed_family(
        "only-a-stop", "Replace the text with a full stop.", whole, always(lambda text: ".")
    ),
    degenerate_family(
        "gibberish", "Replace every letter with a random letter.", letters, random_letter
    ),
    fixed_family(
        "one-word", "Replace every word with the longest word of the text.", whole, always(one_word)
    ),
    degenerate_family(
        "soup",
        "Replace the text with pairs of frequent English words, as many words as before.",
        whole,
        soup,
        languages=ENGLISH,
        scripts=LATIN,
    ),
    fixed_family(
        "only-function-words",
        "Keep only English articles, prepositions, pronouns and auxiliary verbs.",
        whole,
        always(only_function_words),
        languages=ENGLISH,
        scripts=LATIN,
    ),
    fixed_family(
        "over-length",
        f"Repeat the text until it has more than {MORE_WORDS_THAN_ENCODERS_READ} words.",
        whole,
        always(over_length),
    ),
    Family(
        "another-segment",
        "degenerate",
        another,
        "Replace the text with the text of another segment.",
        keeps_meaning=False,
        random=False,
        needs=NEIGHBOUR,
    ),
)
