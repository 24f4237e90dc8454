"""Where the letters, words, blanks and sentences of a text lie."""

from __future__ import annotations

import re
from functools import cache

from shakeproof.perturbations.clusters import char_class, cluster_spans, marks, single

Site = tuple[int, int]

# Scripts written without blanks: Thai, Lao, Tibetan, Burmese, Khmer, Kana, Han.
UNSPACED = (
    "\u0e00-\u0eff\u0f00-\u0fff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff"
    "\U00020000-\U0003ffff"
)
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


@cache
def word_pattern() -> re.Pattern[str]:
    """Compile what a word is; where no blanks are written, each character counts as one."""
    lasting = f"[{marks()}\u200c\u200d]"
    run = f"(?:[^\\W_{UNSPACED}]++{lasting}*+)++"
    return re.compile(f"{run}(?:['\u2019-]{run})*|[{UNSPACED}](?<=\\w){lasting}*")


def words(text: str) -> list[Site]:
    """Find the words of a text in any script; inner apostrophes and hyphens belong to them."""
    pattern = ASCII_WORD if text.isascii() else word_pattern()
    return [match.span() for match in pattern.finditer(text)]


def letters(text: str) -> list[Site]:
    """Find the letters of a text, each with its marks."""
    if single(text):
        return [match.span() for match in LETTER.finditer(text)]
    return [(start, end) for start, end in cluster_spans(text) if text[start].isalpha()]


@cache
def punctuation_pattern() -> re.Pattern[str]:
    """Compile runs of punctuation marks that do not stand inside a word or number."""
    mark = f"[!-#%-*,-/:;?@\\[-\\]_{{}}{char_class('P')}]"
    return re.compile(f"(?<!\\w){mark}+|{mark}+(?!\\w)")


def punctuation(text: str) -> list[Site]:
    """Find the runs of punctuation marks; an apostrophe inside a word is none."""
    return [match.span() for match in punctuation_pattern().finditer(text)]


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
