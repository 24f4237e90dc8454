"""Characters as readers see them: nothing hidden, and what belongs together kept together."""

from __future__ import annotations

import unicodedata

KEPT = frozenset("\n\t")
JOINERS = frozenset("\N{ZERO WIDTH JOINER}\N{ZERO WIDTH NON-JOINER}")
FIRST_JOINED_SCRIPT = 0x0590  # Hebrew; Latin, Greek and Cyrillic letters are never joined
EXTENDERS = frozenset(("Mn", "Me", "Mc"))
SKIN_TONES = frozenset(map(chr, range(0x1F3FB, 0x1F400)))
FLAG_LETTERS = frozenset(map(chr, range(0x1F1E6, 0x1F200)))  # two of them make a flag


def hidden(char: str, before: str) -> bool:
    """Tell characters that show nothing or reorder what follows."""
    if char in JOINERS:
        return not before or ord(before) < FIRST_JOINED_SCRIPT
    category = unicodedata.category(char)
    return category in ("Cc", "Cf", "Cs", "Co", "Zl", "Zp") and char not in KEPT


def visible(text: str) -> str:
    """Replace hidden characters by their code points, as in ⟨U+202E⟩."""
    if text.isprintable():
        return text
    pairs = zip(text, "\0" + text, strict=False)
    return "".join(f"⟨U+{ord(c):04X}⟩" if hidden(c, b.strip("\0")) else c for c, b in pairs)


def extends(char: str, before: str) -> bool:
    """Tell whether a character belongs to the one before it."""
    return (
        unicodedata.category(char) in EXTENDERS
        or char in SKIN_TONES
        or before[-1] == "\N{ZERO WIDTH JOINER}"
        or (char in JOINERS and not hidden(char, before[-1]))
        or (char in FLAG_LETTERS and before in FLAG_LETTERS)
    )


def clusters(text: str) -> list[str]:
    """Cut a text into what readers see as characters."""
    found: list[str] = []
    for char in text:
        if found and extends(char, found[-1]):
            found[-1] += char
        else:
            found.append(char)
    return found


def units(text: str) -> list[str]:
    """Cut a text into characters and whole numbers: one digit changed is another number."""
    found: list[str] = []
    for cluster in clusters(text):
        if found and cluster.isdecimal() and found[-1].isdecimal():
            found[-1] += cluster
        else:
            found.append(cluster)
    return found
