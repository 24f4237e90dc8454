"""Families that change case, punctuation, spaces and spelling, but not the meaning."""

from __future__ import annotations

from functools import partial
from random import Random

from shakeproof.perturbations.editing import always, in_place, matches, pick
from shakeproof.perturbations.family import ENGLISH, Family, Rule
from shakeproof.perturbations.replacements import (
    TableReader,
    find_words,
    lexicon,
    replace_word,
    reversed_lexicon,
)
from shakeproof.perturbations.scripts import CASED, LATIN
from shakeproof.perturbations.spans import (
    FULL_STOPS,
    OTHER_STOPS,
    Site,
    letters,
    punctuation,
    sentences,
    spaces,
    whole,
    words,
)

surface_family = partial(in_place, group="surface", keeps_meaning=True)
fixed_family = partial(surface_family, random=False)
case_family = partial(fixed_family, scripts=CASED)
MARKS = (",", ".", ";", ":", "!", "?", "-")
FINAL_MARKS = rf"[{FULL_STOPS}{OTHER_STOPS}]+(?=\s*\Z)"
OPENING = {'"': "\u201c", "'": "\u2018"}
CLOSING = {'"': "\u201d", "'": "\u2019"}
STRAIGHT = str.maketrans("\u201c\u201d\u2018\u2019", "\"\"''")
QUOTED = "She said: \"It's the dog's.\" We agreed."


def sentence_capitals(text: str) -> list[Site]:
    """Find the capital letters at which sentences begin."""
    firsts = (next((i for i in range(a, z) if text[i].isalpha()), a) for a, z in sentences(text))
    return [(i, i + 1) for i in firsts if text[i].isupper()]


def cased_letters(text: str) -> list[Site]:
    """Find the letters that have an upper and a lower case."""
    return [(a, z) for a, z in letters(text) if text[a:z].swapcase() != text[a:z]]


def after_words(text: str) -> list[Site]:
    """Find the ends of words that are followed by a space."""
    return [(z, z) for _, z in words(text) if text[z : z + 1].isspace()]


def before_marks(text: str) -> list[Site]:
    """Find the starts of punctuation marks that have no space before them."""
    return [(a, a) for a, _ in punctuation(text) if a and not text[a - 1].isspace()]


def curl(piece: str) -> str:
    """Make straight quotes curly; the character before them tells opening from closing."""
    opens = piece[0] in OPENING or piece[0].isspace() or piece[0] in "([{"
    return "".join((OPENING if opens else CLOSING).get(char, char) for char in piece)


def capitalise(word: str) -> str:
    """Write the first letter of a word in upper case and the rest in lower case."""
    return word[:1].upper() + word[1:].lower()


def random_mark(place: str, rng: Random, level: float) -> str:
    """Choose a punctuation mark."""
    return pick(MARKS, rng)


def spelling_family(name: str, summary: str, read: TableReader, example: str) -> Family:
    """Declare a family that writes all English words of a table in another correct way."""
    return in_place(
        name,
        summary,
        find_words(read),
        replace_word(read),
        group="surface",
        keeps_meaning=True,
        random=False,
        languages=ENGLISH,
        scripts=LATIN,
        example=example,
    )


SURFACE = (
    case_family("lower-case", "Write the whole text in lower case.", whole, always(str.lower)),
    case_family("upper-case", "Write the whole text in upper case.", whole, always(str.upper)),
    case_family("title-case", "Begin every word with a capital letter.", words, always(capitalise)),
    case_family("swap-case", "Exchange upper and lower case.", whole, always(str.swapcase)),
    surface_family(
        "random-case",
        "Switch some letters between upper and lower case.",
        cased_letters,
        always(str.swapcase),
        Rule.CHANCE,
        unit="letters",
        scripts=CASED,
    ),
    case_family(
        "lower-start",
        "Begin sentences with a lower-case letter.",
        sentence_capitals,
        always(str.lower),
    ),
    fixed_family(
        "strip-punctuation",
        "Delete all punctuation marks except those inside words and numbers.",
        punctuation,
        always(lambda marks: ""),
    ),
    fixed_family(
        "strip-final-stop",
        "Delete the final full stop, question mark or exclamation mark.",
        matches(FINAL_MARKS),
        always(lambda marks: ""),
    ),
    surface_family(
        "repeat-punctuation",
        "Write punctuation marks three times.",
        punctuation,
        always(lambda marks: marks * 3),
        Rule.SHARE,
        unit="runs of punctuation marks",
        example="Well, they came; they saw: nothing!",
    ),
    surface_family(
        "punctuation-noise",
        "Insert random punctuation marks after words.",
        after_words,
        random_mark,
        Rule.SHARE,
        unit="words before a space",
    ),
    fixed_family(
        "spaced-punctuation",
        "Insert a space before punctuation marks, as tokenizers do.",
        before_marks,
        always(lambda place: " "),
    ),
    fixed_family(
        "curly-quotes",
        "Replace straight quotes and apostrophes with curly ones.",
        matches(r"[^\"']?[\"']+"),
        always(curl),
        example=QUOTED,
    ),
    fixed_family(
        "straight-quotes",
        "Replace curly quotes and apostrophes with straight ones.",
        matches(r"[\u201c\u201d\u2018\u2019]"),
        always(lambda quote: quote.translate(STRAIGHT)),
        example="She said: “It\u2019s the dog\u2019s.” We agreed.",
    ),
    surface_family(
        "double-blank",
        "Double the spaces between words.",
        spaces,
        always(lambda space: space * 2),
        Rule.SHARE,
        unit="spaces",
    ),
    surface_family(
        "line-break",
        "Replace spaces with line breaks.",
        spaces,
        always(lambda space: "\n"),
        Rule.SHARE,
        unit="spaces",
    ),
    fixed_family(
        "no-break-blank",
        "Replace all spaces with no-break spaces.",
        spaces,
        always(lambda space: "\u00a0" * len(space)),
    ),
    spelling_family(
        "contract",
        "Contract English phrases, such as do not to don't.",
        partial(lexicon, "contractions.tsv"),
        "They do not know that it is late.",
    ),
    spelling_family(
        "expand",
        "Write English contractions in full, such as don't as do not.",
        partial(reversed_lexicon, "contractions.tsv"),
        "They don't know that it's late.",
    ),
    spelling_family(
        "number-words",
        "Write small numbers as English words, such as 12 as twelve.",
        partial(lexicon, "numbers.tsv"),
        "The 12 of them met 3 times.",
    ),
    spelling_family(
        "number-digits",
        "Write small English number words as digits, such as twelve as 12.",
        partial(reversed_lexicon, "numbers.tsv"),
        "The twelve of them met three times.",
    ),
    spelling_family(
        "american-spelling",
        "Replace British spellings with American ones, such as colour with color.",
        partial(lexicon, "british.tsv"),
        "The colour of the harbour defence is grey.",
    ),
    spelling_family(
        "british-spelling",
        "Replace American spellings with British ones, such as color with colour.",
        partial(reversed_lexicon, "british.tsv"),
        "The color of the harbor defense is gray.",
    ),
)
