"""Sites and alterations that come from a table: words, phrases or any pieces of text."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from functools import cache
from random import Random

from shakeproof.perturbations.editing import Alter, Find, like, pick
from shakeproof.perturbations.spans import Site, words
from shakeproof.perturbations.table_files import Table

Source = Callable[[], Table]  # tables are read at first use
SINGLE = re.compile(r"[\w'-]+")


def entries(source: Source) -> Find:
    """Find the words and phrases that a table knows, whole and in any case."""

    @cache
    def phrases() -> re.Pattern[str] | None:
        keys = source().keys()
        return None if all(map(SINGLE.fullmatch, keys)) else any_of(keys, whole=True)

    def find(text: str) -> list[Site]:
        pattern, table = phrases(), source()
        if pattern is None:
            return [(a, z) for a, z in words(text) if text[a:z].lower() in table]
        found = (match.span() for match in pattern.finditer(text))
        return [(a, z) for a, z in found if text[a:z].lower() in table]  # K may match k

    return find


def pieces(source: Source) -> Find:
    """Find the pieces of text that a table knows, wherever they stand, longest first."""

    @cache
    def pattern() -> re.Pattern[str]:
        return any_of(source().keys(), whole=False)

    return lambda text: [match.span() for match in pattern().finditer(text)]


def any_of(keys: Iterable[str], *, whole: bool) -> re.Pattern[str]:
    """Compile a choice between texts, the longest first."""
    choice = "|".join(map(re.escape, sorted(keys, key=len, reverse=True))) or "(?!)"
    return re.compile(rf"(?<!\w)(?i:{choice})(?!\w)" if whole else choice)


def exchanged(source: Source) -> Alter:
    """Put what the table gives for a word or phrase, with its capitals."""

    def alter(piece: str, rng: Random, level: float) -> str:
        return like(piece, pick(source()[piece.lower()], rng))

    return alter


def replaced(source: Source) -> Alter:
    """Put what the table gives for a piece of text, as it is."""
    return lambda piece, rng, level: pick(source()[piece], rng)
