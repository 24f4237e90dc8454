"""The tables and word lists that ship with the package, read at first use.

A lexicon has one entry per line: a word or phrase, a tab, and what may stand for it,
tabs between the choices. `# ` begins a comment line. Users write theirs the same way.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files

Table = Mapping[str, Sequence[str]]


def lines(text: str) -> list[str]:
    """Keep the lines of a table that hold something."""
    found = (line.strip("\r") for line in text.split("\n"))
    return [line for line in found if line.strip() and not line.startswith("# ")]


def read(name: str) -> str:
    """Read a shipped table as text."""
    return (files(__package__) / "tables" / name).read_text(encoding="utf-8")


@cache
def columns(name: str) -> Table:
    """Read a shipped table of characters, blanks between the columns."""
    return {key: tuple(values) for key, *values in map(str.split, lines(read(name)))}


@cache
def lexicon(name: str) -> Table:
    """Read a shipped lexicon."""
    return parsed(read(name))


@cache
def both_ways(name: str) -> Table:
    """Read a shipped lexicon in both directions."""
    table: dict[str, list[str]] = {}
    for word, others in lexicon(name).items():
        for other in others:
            table.setdefault(word, []).append(other)
            table.setdefault(other.lower(), []).append(word)
    return table


@cache
def backwards(name: str) -> Table:
    """Read a shipped lexicon from right to left."""
    return {other.lower(): (word,) for word, others in lexicon(name).items() for other in others}


@cache
def listed_words(name: str) -> frozenset[str]:
    """Read a shipped list of words, any number to a line."""
    return frozenset(word for line in lines(read(name)) for word in line.split())


def parsed(text: str) -> Table:
    """Read a lexicon; keys are taken in small letters."""
    table: dict[str, tuple[str, ...]] = {}
    for line in lines(text):
        key, *values = line.split("\t")
        if not values:
            raise ValueError(f"entry {line!r} of the lexicon has no tab and no replacement")
        table[key.lower()] = tuple(values)
    return table
