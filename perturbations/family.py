"""What a perturbation is, and what a family of perturbations declares about itself."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from enum import StrEnum
from random import Random
from typing import NamedTuple, Protocol, runtime_checkable

from shakeproof.perturbations.scripts import NAMES, script_of


@dataclass(frozen=True, slots=True)
class Context:
    """What lies around a text: its segment, and one other segment to borrow from."""

    source: str | None = None
    references: tuple[str, ...] = ()
    candidates: tuple[str, ...] = ()
    neighbour: Context | None = None


class Rule(StrEnum):
    """What a level means."""

    SHARE = "share of sites"  # ceil(level * sites), at least one if the level is above zero
    CHANCE = "each site independently"  # every site with probability `level`
    COUNT = "number of edits"
    SWITCH = "on or off"  # no level in the checklist


class Edit(NamedTuple):
    """A site, from `start` to `end`, and what stands there instead."""

    start: int
    end: int
    text: str


class Perturbation(Protocol):
    """A pure function from a text to a damaged text; edits are made in place."""

    def __call__(self, text: str, level: float, rng: Random, context: Context, /) -> str:
        """Damage `text` at `level`, with randomness from `rng` alone."""
        ...


@runtime_checkable
class Editor(Protocol):
    """A perturbation that can say which sites it chose."""

    def edits(self, text: str, level: float, rng: Random, context: Context, /) -> list[Edit]:
        """List the chosen sites in the order of the text."""
        ...


FIELDS = frozenset({"candidate", "reference", "source"})
MANY = 5
EXAMPLE = "Now they have come to an agreement."


@dataclass(frozen=True, slots=True)
class Family:
    """A perturbation with a name, and what must be known to use it rightly."""

    name: str
    group: str  # characters, surface, words, sentences, meaning, degenerate, copying
    function: Perturbation
    summary: str  # what it does, in a sentence for the report
    keeps_meaning: bool
    rule: Rule = Rule.SWITCH
    unit: str = ""  # what a site is: letters, words, sentences
    random: bool = True
    languages: frozenset[str] | None = None  # BCP 47 primary tags; None: any
    scripts: frozenset[str] | None = None  # ISO 15924 codes such as "Latn"; None: any
    fields: frozenset[str] = FIELDS
    needs: frozenset[str] = frozenset()  # of the context: "source", "references", "neighbour"
    nested: bool = True  # a higher level alters all sites that a lower one alters
    scale: str = ""  # what a level means where the rule and the unit do not say it all
    example: str = EXAMPLE  # a text that it changes

    def __call__(self, text: str, level: float, rng: Random, context: Context | None = None) -> str:
        """Damage `text`; level 0 is the identity for every family."""
        if level == 0:
            return text
        return self.function(text, level, rng, context or Context())

    def edits(
        self, text: str, level: float, rng: Random, context: Context | None = None
    ) -> list[Edit]:
        """List the edits that the same call would make; one whole edit where it cannot say."""
        if level == 0:
            return []
        around = context or Context()
        if isinstance(self.function, Editor):
            return self.function.edits(text, level, rng, around)
        return [Edit(0, len(text), self.function(text, level, rng, around))]

    @property
    def level_means(self) -> str:
        """Say in a sentence what a level does."""
        return self.scale or MEANINGS[self.rule].format(unit=self.unit or "sites")

    def takes(self, level: float) -> bool:
        """Tell whether a level can be asked for: 0 to 1, or a whole number of edits."""
        if self.rule is Rule.COUNT:
            return level >= 0 and level == int(level)
        return level in (0, 1) if self.rule is Rule.SWITCH else 0 <= level <= 1

    def refusal(self, text: str = "", *, language: str | None = None) -> str | None:
        """Say in a line why the family does not serve this text, or nothing if it does.

        A declared language decides; without one a language-bound family goes by script.
        """
        if language is not None and self.languages is not None:
            primary = language.replace("_", "-").split("-")[0].lower()
            if primary not in self.languages:
                known = ", ".join(sorted(self.languages))
                return f"{self.name!r} does not serve language {language!r}; it serves {known}"
        script = script_of(text)
        if script is not None and self.scripts is not None and script not in self.scripts:
            named = NAMES.get(script, "this")
            return f"{self.name!r} does not serve {named} script; it serves {served(self.scripts)}"
        return None


MEANINGS = {
    Rule.SHARE: "level p alters ceil(p x n) of the n {unit}",
    Rule.CHANCE: "level p alters each of the {unit} with probability p",
    Rule.COUNT: "level k alters k of the {unit}",
    Rule.SWITCH: "on or off",
}


def served(scripts: Collection[str]) -> str:
    """Name the scripts of a family, or their number where they are many."""
    names = sorted(NAMES.get(code, code) for code in scripts)
    return ", ".join(names) if len(names) <= MANY else f"{len(names)} others"
