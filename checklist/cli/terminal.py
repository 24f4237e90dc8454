"""Text for the terminal: lines, tables and colours."""

from __future__ import annotations

import os
import shutil
import sys
import textwrap
from collections.abc import Iterable, Sequence
from unicodedata import combining, east_asian_width

GAP = "  "
MIN_WIDTH = 24  # of the last column of a table, in characters
STYLES = {"added": "\x1b[1;32m", "removed": "\x1b[9;31m", "dimmed": "\x1b[2m"}
RESET = "\x1b[0m"


def say(text: str = "") -> None:
    """Write a line to standard output; what its encoding lacks is escaped."""
    encoding = sys.stdout.encoding or "utf-8"
    sys.stdout.write(f"{text}\n".encode(encoding, "backslashreplace").decode(encoding))


def complain(text: str) -> None:
    """Write a line to standard error."""
    encoding = sys.stderr.encoding or "utf-8"
    sys.stderr.write(f"{text}\n".encode(encoding, "backslashreplace").decode(encoding))


def coloured() -> bool:
    """Return whether to use colours: on a terminal, unless NO_COLOR is set."""
    return sys.stdout.isatty() and not os.environ.get("NO_COLOR")


def styled(text: str, style: str, *, colour: bool) -> str:
    """Return a text in a style, if colours are used."""
    return f"{STYLES[style]}{text}{RESET}" if colour and text else text


def width(text: str) -> int:
    """Return the width of a text in a terminal; some characters are two columns wide."""
    return sum(1 + (east_asian_width(char) in "WF") for char in text if not combining(char))


def table(header: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Align rows in columns; the last column wraps at the edge of the terminal."""
    lines = [list(header), *map(list, rows)]
    widths = [max(width(line[i]) for line in lines) for i in range(len(header) - 1)]
    indent = sum(widths) + len(GAP) * len(widths)
    room = max(MIN_WIDTH, shutil.get_terminal_size((100, 24)).columns - indent)
    return "\n".join(_align(line, widths, indent, room) for line in lines)


def _align(line: Sequence[str], widths: Sequence[int], indent: int, room: int) -> str:
    *firsts, last = line
    pairs = zip(firsts, widths, strict=True)
    start = "".join(f"{cell}{' ' * (wide - width(cell))}{GAP}" for cell, wide in pairs)
    wrapped = textwrap.wrap(last, room) or [""]
    return (start + f"\n{' ' * indent}".join(wrapped)).rstrip()


class Stderr:
    """Progress on standard error: lines, or one line that is rewritten."""

    def ensure_newline(self) -> None:
        """Do nothing: no other text is written between two lines of progress."""

    def rewrite(self, line: str, *, erase: bool) -> None:
        """Replace the last line."""
        rest = shutil.get_terminal_size().columns - width(line) - 1 if erase else 0
        sys.stderr.write(f"\r{line}{' ' * max(0, rest)}")
        sys.stderr.flush()

    def write_line(self, line: str) -> None:
        """Write a line with its line end."""
        complain(line)
