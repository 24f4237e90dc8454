"""Families whose small edits change the meaning of a text."""

from __future__ import annotations

import re
from functools import partial
from random import Random

from shakeproof.perturbations.editing import (
    always,
    apply,
    in_place,
    matches,
    pick,
    rearrange,
    shuffled,
)
from shakeproof.perturbations.family import ENGLISH, Edit
from shakeproof.perturbations.replacements import (
    lexicon,
    lexicon_family,
    two_way_lexicon,
    word_list,
)
from shakeproof.perturbations.scripts import LATIN
from shakeproof.perturbations.spans import LETTER, Site, sentences, whole

meaning_family = partial(in_place, group="meaning", keeps_meaning=False)
english_family = partial(meaning_family, languages=ENGLISH, scripts=LATIN)
word_family = partial(lexicon_family, group="meaning", keeps_meaning=False)

numbers = matches(r"\d+(?:[.,]\d+)*")  # in digits of any script
# Verbs that "not" can follow.
NEGATABLE_VERBS = (
    "am|are|is|was|were|can|could|may|might|must|shall|should|will|would|has|have|had|do|does|did"
)
NEGATABLE = re.compile(
    rf"\b(?:cannot|can't|won't|(?:{NEGATABLE_VERBS})(?:n't| not)?)\b", re.IGNORECASE
)
IRREGULAR = {"cannot": "can", "can't": "can", "won't": "will"}
NAME = re.compile(r"(?<!\w)[A-Z][\w'-]+(?: [A-Z][\w'-]+)*")


def change_number(number: str, rng: Random, level: float) -> str:
    """Change one digit; the first of several digits does not become 0."""
    place = pick([i for i, char in enumerate(number) if char.isdigit()], rng)
    old = int(number[place])
    lowest = 1 if place == 0 and len(number) > 1 else 0
    new = pick([digit for digit in range(lowest, 10) if digit != old], rng)
    return number[:place] + chr(ord(number[place]) - old + new) + number[place + 1 :]


def negatable(text: str) -> list[Site]:
    """Find in each sentence the first verb that "not" can follow, or else the start."""
    spans = ((a, z) for a, z in sentences(text) if LETTER.search(text, a, z))
    return [match.span() if (match := NEGATABLE.search(text, a, z)) else (a, a) for a, z in spans]


def negate(verb: str) -> str:
    """Add "not" to a verb or remove it; without a verb, negate the whole sentence."""
    small = verb.lower()
    if not verb:
        return "It is not true that "
    if small in IRREGULAR:
        return verb[0] + IRREGULAR[small][1:]
    positive = verb.removesuffix(" not").removesuffix("n't")
    return f"{verb} not" if positive == verb else positive


def names(text: str) -> list[Site]:
    """Find runs of capitalised words, except common words and the first word of a sentence."""
    common = word_list("function-words.txt")
    starts = ((first_word_end(text, a), z) for a, z in sentences(text))
    runs = (match.span() for start, end in starts for match in NAME.finditer(text, start, end))
    return [(a, z) for a, z in runs if text[a:z].lower() not in common]


def first_word_end(text: str, start: int) -> int:
    """Return where the first word of a sentence ends."""
    space = text.find(" ", start)
    return len(text) if space < 0 else space


def rotate_names(text: str) -> str:
    """Replace every name with the next different name of the text."""
    sites = names(text)
    order = list(dict.fromkeys(text[a:z] for a, z in sites))
    following = dict(zip(order, order[1:] + order[:1], strict=True))
    return apply(text, [Edit(a, z, following[text[a:z]]) for a, z in sites])


def swap_numbers(text: str, rng: Random, level: float) -> str:
    """Shuffle the numbers of a text among their places."""
    return rearrange(text, numbers(text), lambda parts: shuffled(parts, rng))


MEANING = (
    meaning_family(
        "change-number",
        "Change one digit of every number.",
        numbers,
        change_number,
        unit="numbers",
        example="The 12 of them met 3,450 voters in 2019.",
    ),
    meaning_family(
        "swap-numbers",
        "Exchange the numbers of the text with each other.",
        whole,
        swap_numbers,
        example="The 12 of them met 3,450 voters in 2019.",
    ),
    english_family(
        "negate",
        "Negate English sentences, or remove their negation.",
        negatable,
        always(negate),
        random=False,
    ),
    meaning_family(
        "swap-names",
        "Exchange the names in the text with each other.",
        whole,
        always(rotate_names),
        random=False,
        scripts=LATIN,
        example="Yesterday Anna met Bill Gates in Paris.",
    ),
    word_family(
        "antonyms",
        "Replace English words with their opposites.",
        partial(two_way_lexicon, "antonyms.tsv"),
        "words in the list of antonyms",
        "The old bridge is safe after the war.",
    ),
    word_family(
        "quantifiers",
        "Replace English quantifiers with others, such as all with some.",
        partial(lexicon, "quantifiers.tsv"),
        "quantifiers",
        "All of them always bring something for everyone.",
    ),
    word_family(
        "modals",
        "Replace English modal verbs with others, such as must with may.",
        partial(lexicon, "modals.tsv"),
        "modal verbs",
        "You must leave, and they should stay.",
    ),
    word_family(
        "units",
        "Replace units of measure and money with others, such as miles with kilometres.",
        partial(lexicon, "units.tsv"),
        "units",
        "It is 3 miles away and costs 20 dollars.",
    ),
    word_family(
        "dates",
        "Replace days, months and times of day with others.",
        partial(lexicon, "dates.tsv"),
        "words for dates",
        "They met on Monday morning in June.",
    ),
    word_family(
        "pronouns",
        "Replace English pronouns and words for people with others, such as he with she.",
        partial(lexicon, "pronouns.tsv"),
        "pronouns and words for people",
        "She told her father that they had left.",
    ),
    meaning_family(
        "question",
        "Replace the final full stop with a question mark.",
        matches(r"\.(?=\s*\Z)"),
        always(lambda stop: "?"),
        random=False,
    ),
)
