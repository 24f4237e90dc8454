"""Replacement tables: read them, find their entries in a text, and replace those.

A lexicon has one entry per line: a word or phrase, a tab, and its replacements with tabs between
them. A line that starts with `# ` is a comment. Users write their own lexicons the same way.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from functools import cache
from importlib.resources import files
from random import Random

from shakeproof.perturbations.editing import Alter, Find, in_place, like, pick
from shakeproof.perturbations.family import ENGLISH, Family, Rule
from shakeproof.perturbations.scripts import LATIN
from shakeproof.perturbations.spans import Site, words

Table = Mapping[str, Sequence[str]]  # the replacements of each entry
TableReader = Callable[[], Table]  # tables are read at first use

TABLES = files(__package__) / "tables"
SINGLE_WORD = re.compile(r"[\w'-]+")


def table_lines(text: str) -> list[str]:
    """Return the lines of a table without comments and empty lines."""
    rows = (line.strip("\r") for line in text.split("\n"))
    return [row for row in rows if row.strip() and not row.startswith("# ")]


def read_table(name: str) -> list[str]:
    """Read the lines of a table that ships with the package."""
    return table_lines((TABLES / name).read_text(encoding="utf-8"))


@cache
def character_table(name: str) -> Table:
    """Read a shipped table of characters, with white space between the columns."""
    return {key: tuple(values) for key, *values in map(str.split, read_table(name))}


@cache
def word_list(name: str) -> frozenset[str]:
    """Read a shipped list of words; a line may hold several."""
    return frozenset(word for line in read_table(name) for word in line.split())


@cache
def lexicon(name: str) -> Table:
    """Read a shipped lexicon."""
    return parse_lexicon(read_table(name))


@cache
def reversed_lexicon(name: str) -> Table:
    """Read a shipped lexicon from right to left."""
    return {other.lower(): (word,) for word, others in lexicon(name).items() for other in others}


@cache
def two_way_lexicon(name: str) -> Table:
    """Read a shipped lexicon in both directions."""
    table: dict[str, list[str]] = {}
    for word, others in lexicon(name).items():
        for other in others:
            table.setdefault(word, []).append(other)
            table.setdefault(other.lower(), []).append(word)
    return table


def parse_lexicon(lines: Iterable[str]) -> Table:
    """Parse the lines of a lexicon; entries become lower case."""
    table: dict[str, tuple[str, ...]] = {}
    for line in lines:
        key, *values = line.split("\t")
        if not values:
            raise ValueError(f"entry {line!r} of the lexicon has no tab and no replacement")
        table[key.lower()] = tuple(values)
    return table


def words_in(text: str, known: Container[str]) -> list[Site]:
    """Find the words that are among the known ones, in upper or lower case."""
    return [(a, z) for a, z in words(text) if text[a:z].lower() in known]


def find_words(read: TableReader) -> Find:
    """Find the entries of a table as whole words or phrases, in upper or lower case."""

    @cache
    def phrases() -> re.Pattern[str] | None:
        if all(map(SINGLE_WORD.fullmatch, read())):
            return None
        return re.compile(rf"(?<!\w)(?i:{any_of(read())})(?!\w)")

    def find(text: str) -> list[Site]:
        pattern, table = phrases(), read()
        if pattern is None:
            return words_in(text, table)
        sites = (match.span() for match in pattern.finditer(text))
        # The pattern ignores case by more rules than str.lower: the long s matches s.
        return [(a, z) for a, z in sites if text[a:z].lower() in table]

    return find


def find_anywhere(read: TableReader) -> Find:
    """Find the entries of a table anywhere in a text, also inside words; long entries first."""

    @cache
    def pattern() -> re.Pattern[str]:
        return re.compile(any_of(read()))

    return lambda text: [match.span() for match in pattern().finditer(text)]


def any_of(entries: Iterable[str]) -> str:
    """Write a regular expression that matches any of the entries, preferring the longest."""
    return "|".join(map(re.escape, sorted(entries, key=len, reverse=True))) or "(?!)"


def replace_word(read: TableReader) -> Alter:
    """Replace a word or phrase by the table and keep its capitals."""

    def alter(word: str, rng: Random, level: float) -> str:
        return like(word, pick(read()[word.lower()], rng))

    return alter


def replace_exactly(read: TableReader) -> Alter:
    """Replace a piece of text by the table as it is."""
    return lambda piece, rng, level: pick(read()[piece], rng)


def lexicon_family(
    name: str,
    summary: str,
    read: TableReader,
    unit: str,
    example: str,
    *,
    group: str,
    keeps_meaning: bool,
) -> Family:
    """Declare a family that replaces a share of the English words and phrases of a table."""
    return in_place(
        name,
        summary,
        find_words(read),
        replace_word(read),
        Rule.SHARE,
        group=group,
        keeps_meaning=keeps_meaning,
        unit=unit,
        languages=ENGLISH,
        scripts=LATIN,
        example=example,
    )
