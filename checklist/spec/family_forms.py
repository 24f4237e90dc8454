"""How a family of one's own is written down, and what becomes of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, ClassVar, Literal, TypeAlias

from pydantic import Field

from shakeproof.files import read_text
from shakeproof.metrics.functions import find_function, load_function
from shakeproof.perturbations.editing import Alter, Around, Find
from shakeproof.perturbations.families.declared import (
    from_object,
    lexicon_parts,
    own,
    regex_parts,
    replace_parts,
)
from shakeproof.spec.diagnostics import Written
from shakeproof.spec.scope import primary

Level: TypeAlias = Literal["share", "chance", "count", "switch"]
FieldName: TypeAlias = Literal["candidate", "reference", "source"]
Need: TypeAlias = Literal["source", "references", "neighbour"]
Texts: TypeAlias = tuple[str, ...]
Parts: TypeAlias = tuple[str, Find, Alter | Around]
RULES: Mapping[str, Rule] = {rule.name.lower(): rule for rule in Rule}


class WrittenFamily(Written):
    """What every declaration may say."""

    form: ClassVar[str]

    summary: str | None = Field(None, description="What it does, in a sentence for the report.")

    def amend(self, family: Family) -> Family:
        """Let what is written count more than what was inferred."""
        return replace(family, **self.declared())

    def declared(self) -> dict[str, Any]:
        """Name what is written as a family names it."""
        return {} if self.summary is None else {"summary": self.summary}


class WrittenChain(WrittenFamily):
    """Families one after the other; what they serve, the chain serves."""

    form = "chain"

    chain: Any = Field(None, description="Families, each by name or as {family: level}.")


class WrittenSites(WrittenFamily):
    """What a family can declare that no other family decides."""

    keeps_meaning: bool | None = Field(None, description="Whether people would rate it the same.")
    level: Level | None = Field(None, description="What a level is: a share of sites, a chance…")
    on: FieldName | tuple[FieldName, ...] | None = Field(None, description="Texts it is made for.")
    languages: Texts | None = Field(None, description="Languages it is made for, such as [en].")
    scripts: Texts | None = Field(None, description="Scripts it is made for, such as [Latn].")

    def declared(self) -> dict[str, Any]:
        """Name what is written as a family names it."""
        fields = (self.on,) if isinstance(self.on, str) else self.on
        given = {
            "keeps_meaning": self.keeps_meaning,
            "rule": RULES[self.level] if self.level else None,
            "fields": frozenset(fields) if fields else None,
            "languages": frozenset(map(primary, self.languages)) if self.languages else None,
            "scripts": frozenset(self.scripts) if self.scripts else None,
        }
        found = {key: value for key, value in given.items() if value is not None}
        return {**super().declared(), **found}

    def parts(self, folder: Path) -> Parts:
        """Give a summary, the sites and what stands there instead."""
        raise NotImplementedError

    def built(self, name: str, folders: Sequence[Path]) -> Family:
        """Make the family; whatever is wrong is a `ValueError` or `SpecError` of one line."""
        summary, find, alter = self.parts(folders[0])
        return own(name, find, alter, **{"summary": summary, **self.declared()})


class WrittenReplace(WrittenSites):
    """A table of texts and what stands for them."""

    form = "replace"

    replace: dict[str, str | Texts] = Field({}, description="Texts, each with what replaces it.")

    def parts(self, folder: Path) -> Parts:
        """Replace by the table."""
        return f"Replace by a table of {len(self.replace)}.", *replace_parts(self.replace)


class WrittenRegex(WrittenSites):
    """A regular expression, and what stands for its matches."""

    form = "regex"

    regex: str = Field("", description="A regular expression.")
    with_: str | None = Field(None, alias="with", description=r"What stands there; \1 is a group.")

    def parts(self, folder: Path) -> Parts:
        """Replace the matches."""
        if self.with_ is None:
            raise ValueError("a regex needs what stands for its matches; write with: …")
        return f"Replace what matches {self.regex}.", *regex_parts(self.regex, self.with_)


class WrittenLexicon(WrittenSites):
    """A file of words and what stands for them."""

    form = "lexicon"

    lexicon: str = Field("", description="A file: a word, a tab, what replaces it, on each line.")

    def parts(self, folder: Path) -> Parts:
        """Replace the words of the file."""
        path = folder / Path(self.lexicon).expanduser()
        read_text(path)  # says in one line what is wrong with the file
        return f"Replace words by {path.name}.", *lexicon_parts(path)


class WrittenPython(WrittenSites):
    """A function of (text, level, rng), also with the context, or a Family."""

    form = "python"

    python: str = Field(
        "", pattern=r"^[\w.]+:[\w.]+$", examples=["my_families:shout"], description="Its path."
    )
    random: bool | None = Field(None, description="Whether it draws from rng.")
    needs: tuple[Need, ...] | None = Field(None, description="What it needs of the context.")

    def declared(self) -> dict[str, Any]:
        """Name what is written as a family names it."""
        given = {"random": self.random, "needs": frozenset(self.needs) if self.needs else None}
        found = {key: value for key, value in given.items() if value is not None}
        return {**super().declared(), **found}

    def built(self, name: str, folders: Sequence[Path]) -> Family:
        """Import the function; a module that breaks is a mistake like any other."""
        function = find_function(self.python, folders)
        try:
            thing = load_function(function)
        except Exception as error:  # whatever the module raises
            reason = f"{type(error).__name__}: {error}"
            raise ValueError(f"{self.python!r} cannot be imported: {reason}") from None
        return self.amend(from_object(name, thing))


FORMS: Mapping[str, type[WrittenFamily]] = {
    one.form: one
    for one in (WrittenChain, WrittenReplace, WrittenRegex, WrittenLexicon, WrittenPython)
}
