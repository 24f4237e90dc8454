"""Mistakes of users, told in one line each."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches

MOST = 20  # names listed in a hint


class SpecError(Exception):
    """A mistake in a checklist or its data; the message is one line and names the way out."""


class SpecErrors(SpecError):
    """All mistakes of a file at once, one line each."""

    def __init__(self, lines: Iterable[str]) -> None:
        self.lines = tuple(lines)
        super().__init__("\n".join(self.lines))


def one_line(message: str) -> str:
    """Write a message without line ends or other characters that do not show."""
    return "".join(char if char.isprintable() else repr(char)[1:-1] for char in message)


def closest(name: str, known: Iterable[str]) -> str | None:
    """Find the known name that was likely meant, whatever its case."""
    names = {other.lower(): other for other in sorted(known)}
    close = get_close_matches(name.lower(), names, n=1)
    return names[close[0]] if close else None


def hint(name: str, known: Iterable[str]) -> str:
    """Name what was likely meant, or else all that could have been."""
    names = sorted(known)
    close = closest(name, names)
    if close is not None:
        return f"did you mean {close!r}?"
    if not names:
        return "none is known here"
    more = ", …" if len(names) > MOST else ""
    return f"known: {', '.join(names[:MOST])}{more}"


def unknown(what: str, name: str, known: Iterable[str]) -> SpecError:
    """Say that `name` is not a known `what`, and which name was likely meant."""
    return SpecError(f"unknown {what} {name!r}; {hint(name, known)}")
