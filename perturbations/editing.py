"""Edit a text in place: find the sites of a family, choose some of them, replace their text."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import ceil
from random import Random
from typing import TypedDict, TypeVar, Unpack

from shakeproof.perturbations.clusters import seams, single
from shakeproof.perturbations.family import Context, Edit, Family, Rule
from shakeproof.perturbations.spans import Site

T = TypeVar("T")
Find = Callable[[str], Sequence[Site]]
Alter = Callable[[str, Random, float], str]  # the text at a site -> its replacement
Rewrite = Callable[[str, Site, Random, float, Context], str]  # the same, given the whole text
ROUNDING = 1e-9  # 0.07 * 100 is 7.000000000000001, and means 7


@dataclass(frozen=True, slots=True)
class InPlace:
    """A perturbation that replaces the text at some of its sites.

    Sites are put in a random order, the rule says how many of the first are taken, and these are
    replaced in that order. So a higher level takes all sites of a lower level and more, and the
    replacement at a site is the same at every level, unless it depends on the level.
    """

    find: Find
    rewrite: Rewrite
    rule: Rule
    random: bool = True
    total: Callable[[str], int] | None = None  # what a share is taken of, if not of the sites
    odds: Callable[[float], float] = float  # the probability that a level stands for

    def edits(self, text: str, level: float, rng: Random, context: Context) -> list[Edit]:
        """Choose sites and draw what replaces them."""
        sites = self.sites(text)
        chosen = [sites[i] for i in self.choose(text, len(sites), level, rng)]
        rewrite = self.rewrite
        return sorted(Edit(*site, rewrite(text, site, rng, level, context)) for site in chosen)

    def __call__(self, text: str, level: float, rng: Random, context: Context) -> str:
        """Replace the text at the chosen sites."""
        return apply(text, self.edits(text, level, rng, context))

    def sites(self, text: str) -> Sequence[Site]:
        """Find the sites, without those that begin or end inside a grapheme cluster."""
        return _sites(self.find, text)

    def choose(self, text: str, sites: int, level: float, rng: Random) -> Sequence[int]:
        """Choose sites by their numbers, in the order in which they are replaced."""
        if self.rule is Rule.SWITCH:
            return range(sites)
        if not self.random:
            return range(sites)[: self.cut(text, sites, level)]
        draw = rng.random
        keys = [draw() for _ in range(sites)]
        if self.rule is Rule.CHANCE:
            odds = self.odds(level)
            return sorted((i for i in range(sites) if keys[i] < odds), key=keys.__getitem__)
        return sorted(range(sites), key=keys.__getitem__)[: self.cut(text, sites, level)]

    def cut(self, text: str, sites: int, level: float) -> int:
        """Return how many sites a level changes."""
        if self.rule is Rule.COUNT:
            return int(level)
        return ceil(level * (self.total(text) if self.total else sites) - ROUNDING)


@lru_cache(maxsize=1)  # the levels of a text are drawn one after the other
def _sites(find: Find, text: str) -> Sequence[Site]:
    found = find(text)
    if single(text):
        return found
    ends = seams(text)
    return [(a, z) for a, z in found if a in ends and z in ends]


def apply(text: str, edits: Iterable[Edit]) -> str:
    """Make the edits; all other characters stay as they are."""
    parts: list[str] = []
    last = 0
    for start, end, new in edits:
        parts += text[last:start], new
        last = end
    parts.append(text[last:])
    return "".join(parts)


@dataclass(frozen=True, slots=True)
class Around:
    """Marks a replacement that depends on the text around its site or on the context."""

    rewrite: Rewrite


class Declared(TypedDict, total=False):
    """Optional fields of `Family`."""

    unit: str
    languages: frozenset[str] | None
    scripts: frozenset[str] | None
    fields: frozenset[str]
    needs: frozenset[str]
    nested: bool
    scale: str
    example: str


def in_place(
    name: str,
    summary: str,
    find: Find,
    alter: Alter | Around,
    rule: Rule = Rule.SWITCH,
    *,
    group: str,
    keeps_meaning: bool,
    total: Callable[[str], int] | None = None,
    odds: Callable[[float], float] = float,
    random: bool = True,
    **declared: Unpack[Declared],
) -> Family:
    """Declare a family that edits a text in place."""
    rewrite = alter.rewrite if isinstance(alter, Around) else at_site(alter)
    function = InPlace(find, rewrite, rule, random=random, total=total, odds=odds)
    return Family(
        name, group, function, summary, keeps_meaning, rule=rule, random=random, **declared
    )


def at_site(alter: Alter) -> Rewrite:
    """Pass on only the text at the site."""
    return lambda text, site, rng, level, context: alter(text[site[0] : site[1]], rng, level)


def always(change: Callable[[str], str]) -> Alter:
    """Replace the text at a site by a function of it, without randomness."""
    return lambda piece, rng, level: change(piece)


def matches(pattern: str) -> Find:
    """Find all matches of a regular expression."""
    compiled = re.compile(pattern)
    return lambda text: [match.span() for match in compiled.finditer(text)]


def pick(choices: Sequence[T], rng: Random) -> T:
    """Choose one at random."""
    return choices[int(rng.random() * len(choices))]


def shuffled(parts: Sequence[T], rng: Random) -> list[T]:
    """Shuffle until the order differs, unless all parts are equal."""
    mixed = list(parts)
    while mixed == list(parts) and len(set(parts)) > 1:
        rng.shuffle(mixed)
    return mixed


def rearrange(text: str, sites: Sequence[Site], order: Callable[[list[str]], Sequence[str]]) -> str:
    """Put the texts at the sites in another order; all other characters stay as they are."""
    moved = order([text[start:end] for start, end in sites])
    return apply(text, [Edit(*site, new) for site, new in zip(sites, moved, strict=True)])


def like(original: str, new: str) -> str:
    """Write `new` in capitals or with a capital first letter, if `original` is written so."""
    if original[:1].isupper():
        shouted = len(original) > 1 and original.isupper()
        return new.upper() if shouted else new[:1].upper() + new[1:]
    return new
