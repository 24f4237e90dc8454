"""Find the letters, words, punctuation marks, spaces and sentences of a text."""

from __future__ import annotations

import re

from shakeproof.perturbations.clusters import CLUSTER, cluster_spans, single, unicode_pattern
from shakeproof.perturbations.scripts import UNSPACED

Site = tuple[int, int]  # start and end

ALNUM = r"\p{L}\p{N}"  # what str.isalnum takes
# Characters of scripts without spaces between words, and the Japanese length mark, which belongs
# to no script.
UNSPACED_CHARACTER = "".join(rf"\p{{Script={code}}}" for code in sorted(UNSPACED)) + r"\u30fc"
IN_WORD = f"[[{ALNUM}]--[{UNSPACED_CHARACTER}]]"
RUN = rf"{IN_WORD}[{IN_WORD}\p{{M}}\u200c\u200d]*+"
WORD = rf"{RUN}(?:['\u2019-]{RUN})*+|(?=[{ALNUM}]){CLUSTER}"
PUNCTUATION = rf"(?<![{ALNUM}_])\p{{P}}+|\p{{P}}+(?![{ALNUM}_])"
ASCII_WORD = re.compile(r"[A-Za-z0-9]+(?:['-][A-Za-z0-9]+)*")
LETTER = re.compile(r"[^\W\d_]")
WHITE_SPACE = re.compile(r"\s+")
CLOSING = r"\"'\u201d\u2019)\]"
FULL_STOPS = r".!?\u2026"
OTHER_STOPS = r"\u0964\u06d4\u061f\u3002\uff01\uff1f"  # danda, Arabic and full-width full stops
# A sentence ends after its full stop and closing quotes; a full stop inside a word ends none.
SENTENCE = re.compile(
    rf"\S(?:[^{FULL_STOPS}{OTHER_STOPS}\n]|[{FULL_STOPS}](?![\s{CLOSING}{FULL_STOPS}]|$))*+"
    rf"[{FULL_STOPS}{OTHER_STOPS}]*[{CLOSING}]*"
)
TITLES = "Mr|Mrs|Ms|Dr|St|Prof|Gen|Col|Lt|Sen"
ABBREVIATION = re.compile(rf"(?<!\w)(?:[A-Z]|{TITLES}|vs|e\.g|i\.e|etc)\.\Z")


def words(text: str) -> list[Site]:
    """Find the words of a text; inner apostrophes and hyphens belong to them.

    In scripts without spaces between words, every character counts as a word.
    """
    if text.isascii():
        return [match.span() for match in ASCII_WORD.finditer(text)]
    return [match.span() for match in unicode_pattern(WORD).finditer(text)]


def words_of(text: str) -> list[str]:
    """Return the words of a text; faster than cutting the text at the sites of `words`."""
    if text.isascii():
        return ASCII_WORD.findall(text)
    return unicode_pattern(WORD).findall(text)


def letters(text: str) -> list[Site]:
    """Find the letters of a text, each with its marks."""
    if single(text):
        return [match.span() for match in LETTER.finditer(text)]
    return [(start, end) for start, end in cluster_spans(text) if text[start].isalpha()]


def punctuation(text: str) -> list[Site]:
    """Find the runs of punctuation marks, except inside words and numbers."""
    return [match.span() for match in unicode_pattern(PUNCTUATION).finditer(text)]


def spaces(text: str) -> list[Site]:
    """Find the runs of white space, except at the start and the end of the text."""
    runs = (match.span() for match in WHITE_SPACE.finditer(text))
    return [(start, end) for start, end in runs if start > 0 and end < len(text)]


def sentences(text: str) -> list[Site]:
    """Find the sentences of a text, without the spaces between them."""
    sites: list[Site] = []
    for match in SENTENCE.finditer(text):
        start, end = match.span()
        if sites and continues(text, sites[-1], start):
            sites[-1] = (sites[-1][0], end)
        else:
            sites.append((start, end))
    return sites


def continues(text: str, last: Site, start: int) -> bool:
    """Return whether a sentence goes on after a full stop.

    It does after an abbreviation, and before a lower-case letter.
    """
    if "\n" in text[last[1] : start]:
        return False
    return text[start].islower() or ABBREVIATION.search(text, *last) is not None


def whole(text: str) -> list[Site]:
    """Return the whole text as one site, even if it is empty."""
    return [(0, len(text))]
