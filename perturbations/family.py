"""What a perturbation is, and what a family of perturbations declares about itself."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from random import Random
from typing import NamedTuple, Protocol, runtime_checkable

from shakeproof.perturbations.levels import COUNTS, ONLY_ONE, UP_TO_ONE, LevelRange
from shakeproof.perturbations.scripts import NAMES, script_of


@dataclass(frozen=True, slots=True)
class Context:
    """The segment that a text belongs to, and another segment of the same data set."""

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

    @property
    def levels(self) -> LevelRange:
        """Return the levels above 0 that a family with this rule can be applied at."""
        match self:
            case Rule.COUNT:
                return COUNTS
            case Rule.SWITCH:
                return ONLY_ONE
        return UP_TO_ONE


class Edit(NamedTuple):
    """A piece of a text, from `start` to `end`, and the text that replaces it."""

    start: int
    end: int
    text: str


class Perturbation(Protocol):
    """A function from a text to a damaged text, without side effects."""

    def __call__(self, text: str, level: float, rng: Random, context: Context, /) -> str:
        """Damage `text` at `level`; draw random numbers from `rng` only."""
        ...


@runtime_checkable
class Editor(Protocol):
    """A perturbation that can list its edits."""

    def edits(self, text: str, level: float, rng: Random, context: Context, /) -> list[Edit]:
        """List the edits in the order of the text."""
        ...


def primary_language(tag: str) -> str:
    """Return the language of a BCP 47 tag, without its region or script: pt-BR and pt_BR are pt."""
    return tag.replace("_", "-").split("-")[0].lower()


FIELDS = frozenset({"candidate", "reference", "source"})
ENGLISH = frozenset({"en"})
MAX_SCRIPTS_LISTED = 5
DEFAULT_EXAMPLE = "Now they have come to an agreement."


@dataclass(frozen=True, slots=True)
class Family:
    """A perturbation with its name and its conditions of use."""

    name: str
    group: str  # characters, surface, words, sentences, meaning, degenerate, copying, judges
    function: Perturbation
    summary: str  # what it does to a text, in one sentence for users
    keeps_meaning: bool
    rule: Rule = Rule.SWITCH
    unit: str = ""  # what is changed: letters, words, sentences
    random: bool = True
    languages: frozenset[str] | None = None  # BCP 47 primary tags; None: any
    scripts: frozenset[str] | None = None  # ISO 15924 codes such as "Latn"; None: any
    fields: frozenset[str] = FIELDS
    needs: frozenset[str] = frozenset()  # parts of the context: "source", "references", "neighbour"
    nested: bool = True  # a higher level changes all that a lower one changes
    scale: str = ""  # what a level means, where rule and unit do not say it all
    example: str = DEFAULT_EXAMPLE  # a text that the family changes
    control: bool = False  # changes nothing on purpose, so that the same texts are rated again

    def __call__(self, text: str, level: float, rng: Random, context: Context | None = None) -> str:
        """Damage `text`; level 0 leaves it as it is."""
        if level == 0:
            return text
        return self.function(text, level, rng, context or Context())

    def edits(
        self, text: str, level: float, rng: Random, context: Context | None = None
    ) -> list[Edit]:
        """List the edits that a call makes; one edit of the whole text if they are not known."""
        if level == 0:
            return []
        around = context or Context()
        if isinstance(self.function, Editor):
            return self.function.edits(text, level, rng, around)
        return [Edit(0, len(text), self.function(text, level, rng, around))]

    @property
    def level_means(self) -> str:
        """Describe in a sentence what a level does."""
        return self.scale or MEANINGS[self.rule].format(unit=self.unit or "sites")

    def takes(self, level: float) -> bool:
        """Return whether the family can be applied at a level; 0 leaves every text as it is."""
        return level == 0 or level in self.rule.levels

    def refusal(self, text: str = "", *, language: str | None = None) -> str | None:
        """Return a message if the family does not serve the language or script of a text.

        Without a declared language only the script counts.
        """
        if (
            language is not None
            and self.languages is not None
            and primary_language(language) not in self.languages
        ):
            known = ", ".join(sorted(self.languages))
            return f"{self.name!r} does not serve language {language!r}; it serves {known}"
        script = script_of(text)
        if script is not None and self.scripts is not None and script not in self.scripts:
            named = NAMES.get(script, "this")
            names = sorted(NAMES.get(code, code) for code in self.scripts)
            few = len(names) <= MAX_SCRIPTS_LISTED
            known = ", ".join(names) if few else f"{len(names)} other scripts"
            return f"{self.name!r} does not serve {named} script; it serves {known}"
        return None


MEANINGS = {
    Rule.SHARE: "level p changes ceil(p x n) of the n {unit}",
    Rule.CHANCE: "level p changes each of the {unit} with probability p",
    Rule.COUNT: "level k changes k of the {unit}",
    Rule.SWITCH: "on or off",
}
