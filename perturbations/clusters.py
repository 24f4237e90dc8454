"""Characters as a reader sees them: grapheme clusters, from the standard library alone."""

from __future__ import annotations

import re
import unicodedata
from functools import cache

JOINER = "\u200d"
VARIATION = "\ufe00-\ufe0f\U000e0100-\U000e01ef"
SKIN = "\U0001f3fb-\U0001f3ff"
TAGS = "\U000e0020-\U000e007f"
REGIONAL = "\U0001f1e6-\U0001f1ff"
PICTURES = "\u2190-\u2bff\U0001f000-\U0001faff"
# Signs that join the consonants around them into one conjunct (Unicode's GB9c).
VIRAMAS = "\u094d\u09cd\u0acd\u0b4d\u0c4d\u0d4d"
JAMO = "\u1100-\u11ff"
HIGHEST = 0x1E95F  # no mark or punctuation mark lies above, but for tags and selectors


@cache
def char_class(category: str) -> str:
    """Write the characters of a Unicode category as ranges of a character class."""
    ranges: list[list[int]] = []
    for code in range(0x80, HIGHEST + 1):
        if unicodedata.category(chr(code)).startswith(category):
            if ranges and ranges[-1][1] == code - 1:
                ranges[-1][1] = code
            else:
                ranges.append([code, code])
    return "".join(f"{chr(low)}-{chr(high)}" for low, high in ranges)


def marks() -> str:
    """Write all combining marks as ranges of a character class."""
    return char_class("M")


@cache
def joining_pattern() -> re.Pattern[str]:
    """Compile what can make a cluster of more than one character."""
    return re.compile(f"[{marks()}{VARIATION}{SKIN}{TAGS}{REGIONAL}{JAMO}\u200c{JOINER}\r]")


def single(text: str) -> bool:
    """Tell whether every character of a text is a cluster by itself."""
    if text.isascii():
        return "\r" not in text
    return joining_pattern().search(text) is None


@cache
def cluster_pattern() -> re.Pattern[str]:
    """Compile what one cluster is: a base and all that hangs on it."""
    extend = f"[{marks()}{VARIATION}{SKIN}{TAGS}\u200c{JOINER}]"
    jamo = "[\u1100-\u115f]*[\u1160-\u11a7]+[\u11a8-\u11ff]*|[\u1100-\u115f]+"
    flag = f"[{REGIONAL}]{{2}}"
    consonant = "[\u0904-\u0939\u0958-\u0961\u0985-\u0d3a]"
    conjunct = f"(?:(?:(?<=[{VIRAMAS}])|(?<=[{VIRAMAS}]{JOINER})){consonant}{extend}*)*"
    joined = f"(?:(?<={JOINER})[{PICTURES}]{extend}*)*"
    return re.compile(f"\r\n|(?:{flag}|{jamo}|[\\s\\S]){extend}*{conjunct}{joined}")


def clusters(text: str) -> list[str]:
    """Cut a text into its clusters; joined again they are the text."""
    return list(text) if single(text) else cluster_pattern().findall(text)


def cluster_spans(text: str) -> list[tuple[int, int]]:
    """Find where the clusters of a text begin and end."""
    if single(text):
        return [(i, i + 1) for i in range(len(text))]
    return [match.span() for match in cluster_pattern().finditer(text)]


def seams(text: str) -> frozenset[int]:
    """Find the places between clusters, both ends of the text included."""
    return frozenset(end for _, end in cluster_spans(text)) | {0}
