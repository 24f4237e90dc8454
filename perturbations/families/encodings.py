"""Families that change how characters are encoded: accents, Unicode forms, invisible signs."""

from __future__ import annotations

import html
import unicodedata
from collections.abc import Callable
from functools import cache, partial
from random import Random
from typing import Literal

from shakeproof.perturbations.clusters import cluster_spans, clusters
from shakeproof.perturbations.editing import Find, always, in_place, matches, pick
from shakeproof.perturbations.family import Family, Rule
from shakeproof.perturbations.scripts import LATIN, script_of_letter
from shakeproof.perturbations.spans import Site, letters, words

encoding_family = partial(in_place, group="surface", keeps_meaning=True)
fixed_family = partial(encoding_family, random=False)
ACCENTS = "\u0300\u0301\u0302\u0303\u0308\u030a\u030c\u0327"
ACCENTED = frozenset({"Latn", "Grek"})  # in other scripts the marks are part of the spelling
ACCENT_EXAMPLE = "Zoë's naïve résumé, Ångström and façade: ﬁve ½ ℃."
FULL_WIDTH = {code: code + 0xFEE0 for code in range(0x21, 0x7F)}
Form = Literal["NFC", "NFD", "NFKC"]
ZERO_WIDTH = "\u200b"
SOFT_HYPHEN = "\u00ad"


def changed_by(change: Callable[[str], str]) -> Find:
    """Find the characters that a function changes."""
    return lambda text: [(a, z) for a, z in cluster_spans(text) if change(text[a:z]) != text[a:z]]


def without_accents(letter: str) -> str:
    """Remove the accents from a Latin or Greek letter."""
    base = unicodedata.normalize("NFD", letter)[0]
    return base if script_of_letter(base) in ACCENTED else letter


@cache
def accented_forms(letter: str) -> tuple[str, ...]:
    """List the characters that are the letter with an accent."""
    composed = (unicodedata.normalize("NFC", letter + accent) for accent in ACCENTS)
    return tuple(char for char in composed if len(char) == 1)


def accentable(text: str) -> list[Site]:
    """Find the Latin letters that can take an accent and have none."""
    return [(a, z) for a, z in letters(text) if text[a:z].isascii() and accented_forms(text[a:z])]


def accent(letter: str, rng: Random, level: float) -> str:
    """Add an accent to a letter."""
    return pick(accented_forms(letter), rng)


def garble(run: str) -> str:
    """Read the UTF-8 bytes of a text as Windows-1252."""
    return run.encode("utf-8", "replace").decode("cp1252", "replace")


def insert_inside(sign: str) -> Callable[[str, Random, float], str]:
    """Insert a sign at a random position inside a word."""

    def insert(word: str, rng: Random, level: float) -> str:
        parts = clusters(word)
        parts.insert(1 + int(rng.random() * (len(parts) - 1)), sign)
        return "".join(parts)

    return insert


def words_of_two_characters(text: str) -> list[Site]:
    """Find the words of two or more characters."""
    return [(a, z) for a, z in words(text) if len(clusters(text[a:z])) > 1]


def normal_form(form: Form, summary: str, example: str = ACCENT_EXAMPLE) -> Family:
    """Declare a family that converts a text to a Unicode normal form."""
    normalise = partial(unicodedata.normalize, form)
    return fixed_family(
        form.lower(), summary, changed_by(normalise), always(normalise), example=example
    )


ENCODINGS = (
    fixed_family(
        "strip-accents",
        "Remove the accents from Latin and Greek letters.",
        changed_by(without_accents),
        always(without_accents),
        scripts=ACCENTED,
        example=ACCENT_EXAMPLE,
    ),
    encoding_family(
        "add-accents",
        "Add accents to letters.",
        accentable,
        accent,
        Rule.CHANCE,
        unit="letters that can take an accent",
        scripts=LATIN,
    ),
    normal_form("NFD", "Split accented letters into letter and accent (Unicode form NFD)."),
    normal_form(
        "NFC",
        "Join letters and their accents into one character (Unicode form NFC).",
        "Zoe\u0308's re\u0301sume\u0301.",
    ),
    normal_form(
        "NFKC",
        "Replace ligatures, fractions and the like with plain characters (Unicode form NFKC).",
    ),
    fixed_family(
        "full-width",
        "Replace ASCII characters with the full-width forms of East Asian text.",
        matches(r"[!-~]+"),
        always(lambda run: run.translate(FULL_WIDTH)),
    ),
    encoding_family(
        "zero-width",
        "Insert an invisible zero-width space into words.",
        words_of_two_characters,
        insert_inside(ZERO_WIDTH),
        Rule.SHARE,
        unit="words of two letters or more",
    ),
    encoding_family(
        "soft-hyphen",
        "Insert an invisible soft hyphen into words.",
        words_of_two_characters,
        insert_inside(SOFT_HYPHEN),
        Rule.SHARE,
        unit="words of two letters or more",
    ),
    fixed_family(
        "mojibake",
        "Garble all characters outside ASCII, like UTF-8 text read as Windows-1252.",
        matches(r"[^\x00-\x7f]+"),
        always(garble),
        example=ACCENT_EXAMPLE,
    ),
    fixed_family(
        "html-entities",
        "Replace quotation marks, ampersands and angle brackets with HTML entities.",
        matches(r"[&<>\"']"),
        always(html.escape),
        example='"Don\'t," said Bill & Co.',
    ),
)
