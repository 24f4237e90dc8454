"""Texts that say nothing, or nothing about the matter: what no metric should reward."""

from __future__ import annotations

from functools import partial
from random import Random
from string import ascii_lowercase

from shakeproof.perturbations.editing import always, in_place, pick
from shakeproof.perturbations.families.published import ENGLISH, LATIN
from shakeproof.perturbations.families.sentences import NEIGHBOUR, borrowed
from shakeproof.perturbations.families.words import function_words
from shakeproof.perturbations.family import Context, Family
from shakeproof.perturbations.spans import letters, whole, words

degenerate = partial(in_place, group="degenerate", keeps_meaning=False)
fixed = partial(degenerate, random=False)
SOUP = ("of the", "in the", "to the", "on the", "for the", "and the", "it is", "at the", "to be")
OVER_LENGTH = 600  # words: more than the 512 positions of common encoders


def gibberish(text: str, rng: Random, level: float) -> str:
    """Draw a letter for every letter; everything else stays."""
    return pick(ascii_lowercase, rng)


def one_word(text: str) -> str:
    """Write the longest word in place of every word."""
    found = [text[a:z] for a, z in words(text)]
    return " ".join([max(found, key=len)] * len(found)) if found else text


def soup(text: str, rng: Random, level: float) -> str:
    """Join frequent word pairs until the text is as long as it was."""
    return " ".join(pick(SOUP, rng) for _ in range((len(words(text)) + 1) // 2))


def over_length(text: str) -> str:
    """Repeat the text until it is longer than encoders read."""
    times = OVER_LENGTH // max(1, len(words(text))) + 1
    return " ".join([text] * times)


def only_function_words(text: str) -> str:
    """Keep nothing but words that bind a sentence together."""
    return " ".join(text[a:z] for a, z in function_words(text))


def another(text: str, level: float, rng: Random, context: Context) -> str:
    """Take the text of another segment."""
    return borrowed(context)


DEGENERATE = (
    fixed("empty", "Leave nothing.", whole, always(lambda text: "")),
    fixed("only-a-stop", "Leave nothing but a full stop.", whole, always(lambda text: ".")),
    degenerate("gibberish", "Draw a letter for every letter.", letters, gibberish),
    fixed("one-word", "Write the longest word in place of every word.", whole, always(one_word)),
    degenerate(
        "soup",
        "Join frequent English word pairs, as many words as there were.",
        whole,
        soup,
        languages=ENGLISH,
        scripts=LATIN,
    ),
    fixed(
        "only-function-words",
        "Keep nothing but English articles, prepositions, pronouns and auxiliaries.",
        whole,
        always(only_function_words),
        languages=ENGLISH,
        scripts=LATIN,
    ),
    fixed(
        "over-length",
        f"Repeat the text until it has more than {OVER_LENGTH} words.",
        whole,
        always(over_length),
    ),
    Family(
        "another-segment",
        "degenerate",
        another,
        "Put the text of another segment.",
        keeps_meaning=False,
        random=False,
        needs=NEIGHBOUR,
    ),
)
