"""Where the letters, words, blanks and sentences of a text lie."""

from __future__ import annotations

import re

from shakeproof.perturbations.clusters import CLUSTER, cluster_spans, single, unicode_pattern
from shakeproof.perturbations.scripts import UNSPACED

Site = tuple[int, int]

ALNUM = r"\p{L}\p{N}"  # what str.isalnum takes
# Letters of scripts without blanks between words; the Japanese length mark is of no script.
ALONE = "".join(rf"\p{{Script={code}}}" for code in sorted(UNSPACED)) + r"\u30fc"
LETTER_IN_RUN = f"[[{ALNUM}]--[{ALONE}]]"
RUN = rf"{LETTER_IN_RUN}[{LETTER_IN_RUN}\p{{M}}\u200c\u200d]*+"
WORD = rf"{RUN}(?:['\u2019-]{RUN})*+|(?=[{ALNUM}]){CLUSTER}"
# Punctuation marks that do not stand inside a word or number.
PUNCTUATION = rf"(?<![{ALNUM}_])\p{{P}}+|\p{{P}}+(?![{ALNUM}_])"
ASCII_WORD = re.compile(r"[A-Za-z0-9]+(?:['-][A-Za-z0-9]+)*")
LETTER = re.compile(r"[^\W\d_]")
BLANK = re.compile(r"\s+")
CLOSING = r"\"'\u201d\u2019)\]"
FULL_STOPS = r".!?\u2026"
OTHER_STOPS = r"\u0964\u06d4\u061f\u3002\uff01\uff1f"  # danda, Arabic, and full-width stops
# A sentence ends with its stop, closing quotes and all; a stop inside a word ends nothing.
SENTENCE = re.compile(
    rf"\S(?:[^{FULL_STOPS}{OTHER_STOPS}\n]|[{FULL_STOPS}](?![\s{CLOSING}{FULL_STOPS}]|$))*+"
    rf"[{FULL_STOPS}{OTHER_STOPS}]*[{CLOSING}]*"
)
ABBREVIATED = re.compile(
    r"(?<!\w)(?:[A-Z]|Mr|Mrs|Ms|Dr|St|Prof|Gen|Col|Lt|Sen|vs|e\.g|i\.e|etc)\.\Z"
)


def words(text: str) -> list[Site]:
    """Find the words of a text; inner apostrophes and hyphens belong to them.

    In scripts without blanks between words, every character counts as a word.
    """
    if text.isascii():
        return [match.span() for match in ASCII_WORD.finditer(text)]
    return [match.span() for match in unicode_pattern(WORD).finditer(text)]


def letters(text: str) -> list[Site]:
    """Find the letters of a text, each with its marks."""
    if single(text):
        return [match.span() for match in LETTER.finditer(text)]
    return [(start, end) for start, end in cluster_spans(text) if text[start].isalpha()]


def punctuation(text: str) -> list[Site]:
    """Find the runs of punctuation marks; an apostrophe inside a word is none."""
    return [match.span() for match in unicode_pattern(PUNCTUATION).finditer(text)]


def blanks(text: str) -> list[Site]:
    """Find the runs of white space between other characters."""
    inner = (match.span() for match in BLANK.finditer(text))
    return [(start, end) for start, end in inner if start > 0 and end < len(text)]


def sentences(text: str) -> list[Site]:
    """Find the sentences of a text by their stops, without the blanks between them."""
    found: list[Site] = []
    for match in SENTENCE.finditer(text):
        start, end = match.span()
        if found and continues(text, found[-1], start):
            found[-1] = (found[-1][0], end)
        else:
            found.append((start, end))
    return found


def continues(text: str, last: Site, start: int) -> bool:
    """Tell whether a sentence goes on after a stop: an abbreviation, or a small letter next."""
    if "\n" in text[last[1] : start]:
        return False
    return text[start].islower() or ABBREVIATED.search(text, *last) is not None


def whole(text: str) -> list[Site]:
    """Take the text as one site, even an empty one."""
    return [(0, len(text))]
