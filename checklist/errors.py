"""Mistakes of users, reported in one line each."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches

__all__ = ["DataErrors", "SpecError", "SpecErrors", "closest", "cut", "hint", "one_line", "unknown"]

MAX_NAMES = 20  # in a hint
MAX_LINE = 800  # characters of a message
MAX_END = 200  # of these, at its end


class SpecError(Exception):
    """A mistake in a checklist or its data; the message is one line and says what to do."""

    def __init__(self, message: str) -> None:
        super().__init__(one_line(message))


class SpecErrors(SpecError):
    """All mistakes of a file at once, one line each."""

    def __init__(self, lines: Iterable[str]) -> None:
        self.lines = tuple(map(one_line, lines))
        Exception.__init__(self, "\n".join(self.lines))


class DataErrors(SpecErrors):
    """Mistakes in data; `without_texts` says where they are and quotes nothing of the data."""

    def __init__(self, lines: Iterable[str], places: Iterable[str]) -> None:
        super().__init__(lines)
        way_out = "not valid; shakeproof validate shows why, with parts of the data"
        self.without_texts = "\n".join(f"{one_line(place)}: {way_out}" for place in places)


def one_line(message: str) -> str:
    """Escape line ends and other invisible characters of a message, and shorten it if it is long.

    A long message keeps its beginning, with the place of a mistake, and its end, with the way out.
    """
    if len(message) > MAX_LINE:
        message = f"{message[: MAX_LINE - MAX_END]} … {message[-MAX_END:]}"
    return "".join(char if char.isprintable() else repr(char)[1:-1] for char in message)


def cut(text: str, most: int = 200) -> str:
    """Replace the end of a long text by three dots."""
    return text if len(text) <= most else f"{text[: most - 1]}…"


def closest(name: str, known: Iterable[str]) -> str | None:
    """Return the known name that is most similar, ignoring case, if any is similar."""
    names = {other.lower(): other for other in sorted(known)}
    close = get_close_matches(name.lower(), names, n=1)
    return names[close[0]] if close else None


def suggestion(name: str, known: Iterable[str]) -> str:
    """Suggest the most similar known name; "" if no name is similar."""
    close = closest(name, known)
    return "" if close is None else f"did you mean {close!r}?"


def hint(name: str, known: Iterable[str]) -> str:
    """Suggest the most similar known name, or else list the known names."""
    names = sorted(known)
    if suggested := suggestion(name, names):
        return suggested
    if not names:
        return "none is known here"
    more = ", …" if len(names) > MAX_NAMES else ""
    return f"known: {', '.join(names[:MAX_NAMES])}{more}"


def unknown(what: str, name: str, known: Iterable[str]) -> SpecError:
    """Return an error for an unknown `name` of a `what`, with a suggestion."""
    return SpecError(f"unknown {what} {cut(repr(name))}; {hint(name, known)}")
