"""Numbers with their nouns."""

from __future__ import annotations

SIBILANTS = ("s", "x", "ch", "sh")  # endings that take "es"


def counted(number: int, noun: str) -> str:
    """Write a number of things: 1 check, 2,000 checks, 2 passes."""
    if number == 1:
        return f"1 {noun}"
    return f"{number:,} {noun}{'es' if noun.endswith(SIBILANTS) else 's'}"
