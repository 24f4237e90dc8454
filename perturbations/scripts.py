"""Which script a text is written in."""

from __future__ import annotations

import unicodedata
from collections import Counter
from functools import lru_cache

# The first word of a letter's Unicode name, and the ISO 15924 code of its script.
CODES = {
    "ARABIC": "Arab",
    "ARMENIAN": "Armn",
    "BENGALI": "Beng",
    "CJK": "Hani",
    "CYRILLIC": "Cyrl",
    "DEVANAGARI": "Deva",
    "ETHIOPIC": "Ethi",
    "GEORGIAN": "Geor",
    "GREEK": "Grek",
    "GUJARATI": "Gujr",
    "GURMUKHI": "Guru",
    "HANGUL": "Hang",
    "HEBREW": "Hebr",
    "HIRAGANA": "Hira",
    "KANNADA": "Knda",
    "KATAKANA": "Kana",
    "KHMER": "Khmr",
    "LAO": "Laoo",
    "LATIN": "Latn",
    "MALAYALAM": "Mlym",
    "MYANMAR": "Mymr",
    "ORIYA": "Orya",
    "SINHALA": "Sinh",
    "TAMIL": "Taml",
    "TELUGU": "Telu",
    "THAI": "Thai",
    "TIBETAN": "Tibt",
}
NAMES = {code: "Han" if code == "Hani" else name.title() for name, code in CODES.items()}
OTHER = "Zzzz"  # ISO 15924: uncoded script
CASED = frozenset({"Latn", "Grek", "Cyrl", "Armn"})  # capitals and small letters
UNSPACED = frozenset({"Hani", "Hira", "Kana", "Khmr", "Laoo", "Mymr", "Thai", "Tibt"})
SPACED = frozenset({*CODES.values(), OTHER}) - UNSPACED  # words of several letters


@lru_cache(maxsize=65536)
def script_of_letter(letter: str) -> str:
    """Look up the script of one letter by its Unicode name."""
    return CODES.get(unicodedata.name(letter, "").split(" ")[0], OTHER)


def script_of(text: str) -> str | None:
    """Find the script that most letters of a text belong to; none without letters.

    Between equally many letters the script that comes first in the text is taken.
    """
    if text.isascii():
        return "Latn" if any(map(str.isalpha, text)) else None
    counts = Counter(script_of_letter(char) for char in text if char.isalpha())
    return max(counts, key=counts.__getitem__, default=None)
