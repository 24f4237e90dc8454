"""Limits on what is imported, so that a file made to harm neither fills the memory nor hangs."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import accumulate
from pathlib import Path

from shakeproof.files import MB, Limit, read_text, shown_path

MAX_FILE = Limit("SHAKEPROOF_MAX_IMPORT_MB", 10, "MB")
MAX_VALUES = Limit("SHAKEPROOF_MAX_IMPORT_VALUES", 800_000, "values (a row counts as 10 or more)")
ROW = 10  # values that a row counts as, at least: a short row needs as much memory as ten values


def limit_values(counts: Iterable[int], shown: str) -> None:
    """Refuse to go on at the first count that makes the sum too large."""
    most = MAX_VALUES.value()
    if any(total > most for total in accumulate(counts)):
        raise MAX_VALUES.error(shown)


def limit_sizes(paths: Iterable[Path], shown: str) -> None:
    """Refuse files that are too large together."""
    if sum(path.stat().st_size for path in paths) > MAX_FILE.value() * MB:
        raise MAX_FILE.error(shown)


def text_lines(path: Path) -> list[str]:
    """Read a file of one text per line; only a line feed ends a line."""
    text = read_text(path, megabytes=MAX_FILE)
    limit_values([text.count("\n")], shown_path(path))
    return text.removesuffix("\n").split("\n") if text else []
