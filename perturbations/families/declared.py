"""Families that users declare: tables, lexicons, regular expressions, chains and functions.

A mistake raises `ValueError` with a message of one line, which is shown to the user.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from pathlib import Path
from random import Random
from typing import Unpack

from shakeproof.perturbations.editing import Alter, Around, Declared, Find, in_place, matches
from shakeproof.perturbations.family import Context, Family, Rule
from shakeproof.perturbations.replacements import (
    find_anywhere,
    find_words,
    parse_lexicon,
    replace_exactly,
    replace_word,
    table_lines,
)
from shakeproof.perturbations.spans import Site

OWN = "own"  # the group of families that users declare
Step = tuple[Family, float]
MAX_STEPS = 50
MAX_GROWTH = 100  # times the length of a text that a chain may make of it


class TextTooLong(ValueError):
    """A chain makes a text much longer than it was."""


def own(
    name: str,
    find: Find,
    alter: Alter | Around,
    *,
    summary: str,
    keeps_meaning: bool = False,
    rule: Rule = Rule.SHARE,
    **declared: Unpack[Declared],
) -> Family:
    """Declare a family of the user by its sites and their replacements."""
    declared.setdefault("unit", "matches")
    return in_place(
        name, summary, find, alter, rule, group=OWN, keeps_meaning=keeps_meaning, **declared
    )


def replace_parts(table: Mapping[str, str | Sequence[str]]) -> tuple[Find, Alter]:
    """Replace pieces of text by a table, also inside words."""
    choices = {key: (new,) if isinstance(new, str) else tuple(new) for key, new in table.items()}
    if not choices or not all(key and new for key, new in choices.items()):
        raise ValueError(f"a replace table needs texts and replacements, not {dict(table)!r}")
    return find_anywhere(lambda: choices), replace_exactly(lambda: choices)


def lexicon_parts(path: Path) -> tuple[Find, Alter]:
    """Replace whole words and phrases by a lexicon file."""
    table = parse_lexicon(table_lines(path.read_text(encoding="utf-8")))
    if not table:
        raise ValueError(f"lexicon {path.name!r} has no entries")
    return find_words(lambda: table), replace_word(lambda: table)


def regex_parts(pattern: str, substitution: str) -> tuple[Find, Around]:
    r"""Replace matches of a regular expression; the substitution may name groups (`\1`)."""
    try:
        compiled = re.compile(pattern)
        re.compile(f"{pattern}|").sub(substitution, "")
    except (re.error, IndexError) as error:
        raise ValueError(f"regex {pattern!r} with {substitution!r}: {error}") from None

    def rewrite(text: str, site: Site, rng: Random, level: float, context: Context) -> str:
        match = compiled.match(text, site[0])
        return match.expand(substitution) if match else text[site[0] : site[1]]

    return matches(pattern), Around(rewrite)


@dataclass(frozen=True, slots=True)
class Chain:
    """Several families, applied one after the other, each at its own level."""

    steps: tuple[Step, ...]

    def __call__(self, text: str, level: float, rng: Random, context: Context) -> str:
        """Apply one family after the other."""
        longest = MAX_GROWTH * max(len(text), MAX_GROWTH)
        for family, step in self.steps:
            text = family(text, step, rng, context)
            if len(text) > longest:
                raise TextTooLong(
                    f"{family.name!r} makes a text longer than {longest:,} characters in a chain; "
                    f"a chain may make a text {MAX_GROWTH} times as long"
                )
        return text


def chain(name: str, steps: Sequence[Step]) -> Family:
    """Declare a chain of families as one family; it serves the texts that all of them serve."""
    if not steps:
        raise ValueError(f"chain {name!r} has no steps")
    if count_steps(steps) > MAX_STEPS:
        raise ValueError(
            f"chain {name!r} has more than {MAX_STEPS} steps, those of chains in it counted"
        )
    families = [family for family, _ in steps]
    for family, level in steps:
        if not family.takes(level):
            asked = f"{family.name} at {level:g}"
            raise ValueError(f"chain {name!r} asks for {asked}; {family.level_means}")
    return Family(
        name,
        OWN,
        Chain(tuple(steps)),
        "Apply " + ", then ".join(f"{family.name} {level:g}" for family, level in steps) + ".",
        keeps_meaning=all(family.keeps_meaning for family in families),
        random=any(family.random for family in families),
        languages=common([family.languages for family in families]),
        scripts=common([family.scripts for family in families]),
        fields=frozenset.intersection(*(family.fields for family in families)),
        needs=frozenset[str]().union(*(family.needs for family in families)),
        example=families[0].example,
    )


def count_steps(steps: Sequence[Step]) -> int:
    """Count steps, those of chains among them too."""
    inner = (family.function for family, _ in steps)
    return sum(count_steps(f.steps) if isinstance(f, Chain) else 1 for f in inner)


def common(sets: Sequence[frozenset[str] | None]) -> frozenset[str] | None:
    """Intersect sets; None is the set of everything."""
    limits = [limit for limit in sets if limit is not None]
    return reduce(frozenset.intersection, limits) if limits else None


def from_object(name: str, thing: object) -> Family:
    """Make a family of an imported object: a `Family`, or a function of a text.

    A function declares nothing, so it is taken to change the meaning, and its level to be a share
    of sites.
    """
    if isinstance(thing, Family):
        return replace(thing, name=name)
    if not callable(thing):
        raise ValueError(f"{name!r} is a {type(thing).__name__}, not a function or a Family")
    summary = (inspect.getdoc(thing) or f"Apply {name}.").split("\n")[0]
    return Family(name, OWN, adapted(name, thing), summary, keeps_meaning=False, rule=Rule.SHARE)


def adapted(
    name: str, function: Callable[..., str]
) -> Callable[[str, float, Random, Context], str]:
    """Return a function of four arguments; one of three does not see the context."""
    taken = len(inspect.signature(function).parameters)
    if taken == 4:
        return function
    if taken != 3:
        raise ValueError(f"{name!r} must take (text, level, rng) or (text, level, rng, context)")
    return lambda text, level, rng, context: function(text, level, rng)
