"""Changes of form that a reader hardly notices: case, punctuation, blanks, spellings."""

from __future__ import annotations

from functools import partial
from random import Random

from shakeproof.perturbations.editing import always, in_place, matches, pick
from shakeproof.perturbations.families.published import ENGLISH, LATIN
from shakeproof.perturbations.family import Family, Rule
from shakeproof.perturbations.replacements import (
    TableReader,
    find_words,
    lexicon,
    replace_word,
    reversed_lexicon,
)
from shakeproof.perturbations.scripts import CASED
from shakeproof.perturbations.spans import (
    Site,
    letters,
    punctuation,
    sentences,
    spaces,
    whole,
    words,
)

surface = partial(in_place, group="surface", keeps_meaning=True)
fixed = partial(surface, random=False)
recased = partial(fixed, scripts=CASED)
MARKS = (",", ".", ";", ":", "!", "?", "-")
FINAL = r"[.!?\u2026\u0964\u06d4\u061f\u3002\uff01\uff1f]+(?=\s*\Z)"
OPENING = {'"': "\u201c", "'": "\u2018"}
CLOSING = {'"': "\u201d", "'": "\u2019"}
STRAIGHT = str.maketrans("\u201c\u201d\u2018\u2019", "\"\"''")
QUOTED = "She said: \"It's the dog's.\" We agreed."


def starts(text: str) -> list[Site]:
    """Find the capitals at which sentences begin."""
    firsts = (next((i for i in range(a, z) if text[i].isalpha()), a) for a, z in sentences(text))
    return [(i, i + 1) for i in firsts if text[i].isupper()]


def two_cased(text: str) -> list[Site]:
    """Find the letters that are written in two cases."""
    return [(a, z) for a, z in letters(text) if text[a:z].swapcase() != text[a:z]]


def after_words(text: str) -> list[Site]:
    """Find the places right after words that a blank follows."""
    return [(z, z) for _, z in words(text) if text[z : z + 1].isspace()]


def before_marks(text: str) -> list[Site]:
    """Find the places between a word and the mark that ends it."""
    return [(a, a) for a, _ in punctuation(text) if a and not text[a - 1].isspace()]


def curl(piece: str) -> str:
    """Turn straight quotes the way that the character before them asks for."""
    opens = piece[0] in OPENING or piece[0].isspace() or piece[0] in "([{"
    return "".join((OPENING if opens else CLOSING).get(char, char) for char in piece)


def capitalise(word: str) -> str:
    """Write a word with a capital and small letters."""
    return word[:1].upper() + word[1:].lower()


def some_mark(place: str, rng: Random, level: float) -> str:
    """Draw a punctuation mark."""
    return pick(MARKS, rng)


def respelt(name: str, summary: str, source: TableReader, example: str) -> Family:
    """Declare a family that writes English words in another accepted way, wherever it can."""
    return in_place(
        name,
        summary,
        find_words(source),
        replace_word(source),
        group="surface",
        keeps_meaning=True,
        random=False,
        languages=ENGLISH,
        scripts=LATIN,
        example=example,
    )


SURFACE = (
    recased("lower-case", "Write everything in small letters.", whole, always(str.lower)),
    recased("upper-case", "Write everything in capitals.", whole, always(str.upper)),
    recased("title-case", "Begin every word with a capital.", words, always(capitalise)),
    recased("swap-case", "Turn small letters into capitals and back.", whole, always(str.swapcase)),
    surface(
        "random-case",
        "Turn letters from small to capital or back, here and there.",
        two_cased,
        always(str.swapcase),
        Rule.CHANCE,
        unit="letters",
        scripts=CASED,
    ),
    recased("lower-start", "Begin sentences with a small letter.", starts, always(str.lower)),
    fixed(
        "strip-punctuation",
        "Leave out all punctuation marks but those inside words and numbers.",
        punctuation,
        always(lambda marks: ""),
    ),
    fixed("strip-final-stop", "Leave out the final stop.", matches(FINAL), always(lambda stop: "")),
    surface(
        "repeat-punctuation",
        "Write punctuation marks three times.",
        punctuation,
        always(lambda marks: marks * 3),
        Rule.SHARE,
        unit="runs of punctuation marks",
        example="Well, they came; they saw: nothing!",
    ),
    surface(
        "punctuation-noise",
        "Put punctuation marks after words that have none.",
        after_words,
        some_mark,
        Rule.SHARE,
        unit="words before a blank",
    ),
    fixed(
        "spaced-punctuation",
        "Put a blank before punctuation marks, as tokenisers do.",
        before_marks,
        always(lambda place: " "),
    ),
    fixed(
        "curly-quotes",
        "Turn straight quotes and apostrophes into curly ones.",
        matches(r"[^\"']?[\"']+"),
        always(curl),
        example=QUOTED,
    ),
    fixed(
        "straight-quotes",
        "Turn curly quotes and apostrophes into straight ones.",
        matches(r"[\u201c\u201d\u2018\u2019]"),
        always(lambda quote: quote.translate(STRAIGHT)),
        example="She said: “It\u2019s the dog\u2019s.” We agreed.",
    ),
    surface(
        "double-blank",
        "Write blanks twice.",
        spaces,
        always(lambda blank: blank * 2),
        Rule.SHARE,
        unit="blanks",
    ),
    surface(
        "line-break",
        "Break the line at blanks.",
        spaces,
        always(lambda blank: "\n"),
        Rule.SHARE,
        unit="blanks",
    ),
    fixed(
        "no-break-blank",
        "Write all blanks as no-break spaces.",
        spaces,
        always(lambda blank: "\u00a0" * len(blank)),
    ),
    respelt(
        "contract",
        "Contract English phrases: do not, don't.",
        partial(lexicon, "contractions.tsv"),
        "They do not know that it is late.",
    ),
    respelt(
        "expand",
        "Write English contractions in full: don't, do not.",
        partial(reversed_lexicon, "contractions.tsv"),
        "They don't know that it's late.",
    ),
    respelt(
        "number-words",
        "Write small numbers as English words: 12, twelve.",
        partial(lexicon, "numbers.tsv"),
        "The 12 of them met 3 times.",
    ),
    respelt(
        "number-digits",
        "Write small English number words in digits: twelve, 12.",
        partial(reversed_lexicon, "numbers.tsv"),
        "The twelve of them met three times.",
    ),
    respelt(
        "american-spelling",
        "Spell British English the American way.",
        partial(lexicon, "british.tsv"),
        "The colour of the harbour defence is grey.",
    ),
    respelt(
        "british-spelling",
        "Spell American English the British way.",
        partial(reversed_lexicon, "british.tsv"),
        "The color of the harbor defense is gray.",
    ),
)
