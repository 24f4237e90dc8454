"""Numbers with their nouns."""

from __future__ import annotations

SIBILANTS = ("s", "x", "ch", "sh")  # endings that take "es"


def counted(number: int, noun: str) -> str:
    """Write a number of things: 1 check, 2,000 checks, 2 passes."""
    return f"{number:,} {plural(number, noun)}"


def plural(number: int, noun: str) -> str:
    """Return the form of a noun that follows a number."""
    if number == 1:
        return noun
    return f"{noun}{'es' if noun.endswith(SIBILANTS) else 's'}"
