"""The script that a text is written in."""

from __future__ import annotations

from collections import Counter
from functools import lru_cache

from shakeproof.perturbations.clusters import unicode_pattern

# ISO 15924 codes of the scripts that families tell apart, and their English names.
NAMES = {
    "Arab": "Arabic",
    "Armn": "Armenian",
    "Beng": "Bengali",
    "Cyrl": "Cyrillic",
    "Deva": "Devanagari",
    "Ethi": "Ethiopic",
    "Geor": "Georgian",
    "Grek": "Greek",
    "Gujr": "Gujarati",
    "Guru": "Gurmukhi",
    "Hang": "Hangul",
    "Hani": "Han",
    "Hebr": "Hebrew",
    "Hira": "Hiragana",
    "Kana": "Katakana",
    "Khmr": "Khmer",
    "Knda": "Kannada",
    "Laoo": "Lao",
    "Latn": "Latin",
    "Mlym": "Malayalam",
    "Mymr": "Myanmar",
    "Orya": "Oriya",
    "Sinh": "Sinhala",
    "Taml": "Tamil",
    "Telu": "Telugu",
    "Thai": "Thai",
    "Tibt": "Tibetan",
}
OTHER = "Zzzz"  # ISO 15924: uncoded script
LATIN = frozenset({"Latn"})
CASED = frozenset({"Latn", "Grek", "Cyrl", "Armn"})  # upper and lower case
UNSPACED = frozenset({"Hani", "Hira", "Kana", "Khmr", "Laoo", "Mymr", "Thai", "Tibt"})
SPACED = frozenset({*NAMES, OTHER}) - UNSPACED  # spaces between words


ANY_NAMED = "|".join(rf"(?P<{code}>\p{{Script={code}}})" for code in NAMES)


@lru_cache(maxsize=65536)
def script_of_letter(letter: str) -> str:
    """Look up the script of one letter."""
    match = unicode_pattern(ANY_NAMED).match(letter)
    return (match and match.lastgroup) or OTHER


def script_of(text: str) -> str | None:
    """Return the script of most letters of a text, or None for a text without letters.

    If two scripts have equally many letters, the one that comes first in the text counts.
    """
    if text.isascii():
        return "Latn" if any(map(str.isalpha, text)) else None
    counts = Counter(script_of_letter(char) for char in text if char.isalpha())
    return max(counts, key=counts.__getitem__, default=None)
