"""The same text in other characters: accents, Unicode forms, invisible and broken ones."""

from __future__ import annotations

import html
import unicodedata
from collections.abc import Callable
from functools import cache, partial
from random import Random
from typing import Literal

from shakeproof.perturbations.clusters import cluster_spans, clusters
from shakeproof.perturbations.editing import Find, always, in_place, matches, pick
from shakeproof.perturbations.families.published import LATIN
from shakeproof.perturbations.family import Family, Rule
from shakeproof.perturbations.scripts import script_of_letter
from shakeproof.perturbations.spans import Site, letters, words

encoded = partial(in_place, group="surface", keeps_meaning=True)
fixed = partial(encoded, random=False)
ACCENTS = "\u0300\u0301\u0302\u0303\u0308\u030a\u030c\u0327"
ACCENTED = frozenset({"Latn", "Grek"})  # in other scripts the marks are letters of their own
ACCENT_EXAMPLE = "Zoë's naïve résumé, Ångström and façade: ﬁve ½ ℃."
FULL_WIDTH = {code: code + 0xFEE0 for code in range(0x21, 0x7F)}
Form = Literal["NFC", "NFD", "NFKC"]
ZERO_WIDTH = "\u200b"
SOFT_HYPHEN = "\u00ad"


def changed_by(change: Callable[[str], str]) -> Find:
    """Find the characters that a function changes."""
    return lambda text: [(a, z) for a, z in cluster_spans(text) if change(text[a:z]) != text[a:z]]


def plain(letter: str) -> str:
    """Take the accents off a Latin or Greek letter."""
    base = unicodedata.normalize("NFD", letter)[0]
    return base if script_of_letter(base) in ACCENTED else letter


@cache
def accented(letter: str) -> tuple[str, ...]:
    """List a letter with each accent that makes one character with it."""
    composed = (unicodedata.normalize("NFC", letter + accent) for accent in ACCENTS)
    return tuple(char for char in composed if len(char) == 1)


def accentable(text: str) -> list[Site]:
    """Find the Latin letters that can take an accent and have none."""
    return [(a, z) for a, z in letters(text) if text[a:z].isascii() and accented(text[a:z])]


def accent(letter: str, rng: Random, level: float) -> str:
    """Put an accent on a letter."""
    return pick(accented(letter), rng)


def garble(char: str) -> str:
    """Read the bytes of a UTF-8 character as Windows-1252, as broken pipelines do."""
    return char.encode("utf-8", "replace").decode("cp1252", "replace")


def inside(sign: str) -> Callable[[str, Random, float], str]:
    """Insert a sign somewhere inside a word."""

    def insert(word: str, rng: Random, level: float) -> str:
        parts = clusters(word)
        parts.insert(1 + int(rng.random() * (len(parts) - 1)), sign)
        return "".join(parts)

    return insert


def with_an_inside(text: str) -> list[Site]:
    """Find the words of two characters or more."""
    return [(a, z) for a, z in words(text) if len(clusters(text[a:z])) > 1]


def normal_form(form: Form, summary: str, example: str = ACCENT_EXAMPLE) -> Family:
    """Declare a family that brings a text into a Unicode normal form."""
    normalise = partial(unicodedata.normalize, form)
    return fixed(form.lower(), summary, changed_by(normalise), always(normalise), example=example)


ENCODINGS = (
    fixed(
        "strip-accents",
        "Take the accents off Latin and Greek letters.",
        changed_by(plain),
        always(plain),
        scripts=ACCENTED,
        example=ACCENT_EXAMPLE,
    ),
    encoded(
        "add-accents",
        "Put accents on letters.",
        accentable,
        accent,
        Rule.CHANCE,
        unit="letters that can take an accent",
        scripts=LATIN,
    ),
    normal_form("NFD", "Write accents as characters of their own (Unicode form NFD)."),
    normal_form(
        "NFC",
        "Write letters and accents as one character (Unicode form NFC).",
        "Zoe\u0308's re\u0301sume\u0301.",
    ),
    normal_form("NFKC", "Write ligatures, fractions and the like plainly (Unicode form NFKC)."),
    fixed(
        "full-width",
        "Write ASCII characters in the full width of East Asian typesetting.",
        matches(r"[!-~]+"),
        always(lambda run: run.translate(FULL_WIDTH)),
    ),
    encoded(
        "zero-width",
        "Insert an invisible zero-width space into words.",
        with_an_inside,
        inside(ZERO_WIDTH),
        Rule.SHARE,
        unit="words of two letters or more",
    ),
    encoded(
        "soft-hyphen",
        "Insert an invisible soft hyphen into words.",
        with_an_inside,
        inside(SOFT_HYPHEN),
        Rule.SHARE,
        unit="words of two letters or more",
    ),
    fixed(
        "mojibake",
        "Garble all but ASCII characters, as a text read in the wrong encoding.",
        matches(r"[^\x00-\x7f]+"),
        always(garble),
        example=ACCENT_EXAMPLE,
    ),
    fixed(
        "html-entities",
        "Write quotes and signs as HTML entities.",
        matches(r"[&<>\"']"),
        always(html.escape),
        example='"Don\'t," said Bill & Co.',
    ),
)
