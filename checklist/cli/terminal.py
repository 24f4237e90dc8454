"""Plain text for the terminal: lines, tables and colours where they are welcome."""

from __future__ import annotations

import os
import shutil
import sys
import textwrap
from collections.abc import Iterable, Sequence
from unicodedata import combining, east_asian_width

GAP = "  "
NARROWEST = 24  # columns left to the last column of a table
STYLES = {"added": "\x1b[1;32m", "removed": "\x1b[9;31m", "aside": "\x1b[2m"}
RESET = "\x1b[0m"


def say(text: str = "") -> None:
    """Write a line to standard output, whatever its encoding can show."""
    encoding = sys.stdout.encoding or "utf-8"
    sys.stdout.write(f"{text}\n".encode(encoding, "backslashreplace").decode(encoding))


def complain(text: str) -> None:
    """Write a line to standard error."""
    encoding = sys.stderr.encoding or "utf-8"
    sys.stderr.write(f"{text}\n".encode(encoding, "backslashreplace").decode(encoding))


def coloured() -> bool:
    """Say whether colours are welcome: on a terminal, unless NO_COLOR is set."""
    return sys.stdout.isatty() and not os.environ.get("NO_COLOR")


def styled(text: str, style: str, *, colour: bool) -> str:
    """Put a text in a style, if colours are welcome."""
    return f"{STYLES[style]}{text}{RESET}" if colour and text else text


def width(text: str) -> int:
    """Count the columns that a text takes."""
    return sum(1 + (east_asian_width(char) in "WF") for char in text if not combining(char))


def table(header: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Set rows in columns; the last column wraps at the edge of the terminal."""
    lines = [list(header), *map(list, rows)]
    widths = [max(width(line[i]) for line in lines) for i in range(len(header) - 1)]
    indent = sum(widths) + len(GAP) * len(widths)
    room = max(NARROWEST, shutil.get_terminal_size((100, 24)).columns - indent)
    return "\n".join(_set(line, widths, indent, room) for line in lines)


def _set(line: Sequence[str], widths: Sequence[int], indent: int, room: int) -> str:
    *firsts, last = line
    pairs = zip(firsts, widths, strict=True)
    start = "".join(f"{compared}{' ' * (wide - width(compared))}{GAP}" for compared, wide in pairs)
    wrapped = textwrap.wrap(last, room) or [""]
    return (start + f"\n{' ' * indent}".join(wrapped)).rstrip()


class Stderr:
    """Standard error as a place for progress: lines, or one line that is rewritten."""

    def ensure_newline(self) -> None:
        """Begin a line; nothing else is written between two of ours."""

    def rewrite(self, line: str, *, erase: bool) -> None:
        """Put a line in the place of the last one."""
        blanks = " " * max(0, shutil.get_terminal_size().columns - width(line) - 1) if erase else ""
        sys.stderr.write(f"\r{line}{blanks}")
        sys.stderr.flush()

    def write_line(self, line: str) -> None:
        """Write a line and end it."""
        complain(line)
