"""The forms in which a checklist can declare a family, and the family that each makes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Annotated, Any, ClassVar, Literal, TypeAlias

from pydantic import ConfigDict, Field

from shakeproof.files import expand_home, read_text
from shakeproof.metrics.functions import find_function, is_plain_function, load_function
from shakeproof.perturbations import Family, Rule
from shakeproof.perturbations.editing import Alter, Around, Find
from shakeproof.perturbations.families.declared import (
    from_object,
    lexicon_parts,
    own,
    regex_parts,
    replace_parts,
)
from shakeproof.perturbations.family import primary_language
from shakeproof.perturbations.levels import ANY_LEVEL
from shakeproof.spec.written import SchemaOf, Text, Written, level_type, list_of, mapping_of

Level: TypeAlias = Literal["share", "chance", "count", "switch"]
FieldName: TypeAlias = Literal["candidate", "reference", "source"]
Need: TypeAlias = Literal["source", "references", "neighbour"]
Texts: TypeAlias = tuple[str, ...]
Parts: TypeAlias = tuple[str, Find, Alter | Around]
RULES: Mapping[str, Rule] = {rule.name.lower(): rule for rule in Rule}


class WrittenFamily(Written):
    """A family as written in the file; `form` is the key that says how it is declared."""

    form: ClassVar[str]

    summary: str | None = Field(None, description="What it does, in a sentence for the report.")

    def amend(self, family: Family) -> Family:
        """Replace what was inferred of a family by what is written."""
        return replace(family, **self.declared())

    def declared(self) -> dict[str, Any]:
        """Return what is written, as fields of a `Family`."""
        return {} if self.summary is None else {"summary": self.summary}


def _chain_type() -> Any:  # noqa: ANN401 - a type
    step = mapping_of(level_type(ANY_LEVEL) | None, minProperties=1, maxProperties=1)
    return list_of(Text | step)


class WrittenChain(WrittenFamily):
    """Families one after the other; the chain works where all of them do."""

    model_config = ConfigDict(json_schema_extra={"required": ["chain"]})
    form = "chain"

    chain: Annotated[Any, SchemaOf(_chain_type)] = Field(
        None, description="Families, each by name or as {family: level}."
    )


class WrittenEdits(WrittenFamily):
    """What can be declared of a family that is not made of others."""

    keeps_meaning: bool | None = Field(None, description="Whether people would rate it the same.")
    level: Level | None = Field(None, description="What a level is: a share of sites, a chance…")
    on: FieldName | tuple[FieldName, ...] | None = Field(None, description="Texts it is made for.")
    languages: Texts | None = Field(None, description="Languages it is made for, such as [en].")
    scripts: Texts | None = Field(None, description="Scripts it is made for, such as [Latn].")

    def declared(self) -> dict[str, Any]:
        """Return what is written, as fields of a `Family`."""
        fields = (self.on,) if isinstance(self.on, str) else self.on
        languages = map(primary_language, self.languages or ())
        written = {
            "keeps_meaning": self.keeps_meaning,
            "rule": RULES[self.level] if self.level else None,
            "fields": frozenset(fields) if fields else None,
            "languages": frozenset(languages) or None,
            "scripts": frozenset(self.scripts) if self.scripts else None,
        }
        return {**super().declared(), **_given(written)}

    def parts(self, folder: Path) -> Parts:
        """Return a summary, what finds the sites, and what replaces them."""
        raise NotImplementedError

    def make(self, name: str, folders: Sequence[Path]) -> Family:
        """Make the family; a mistake is a `ValueError` or `SpecError` of one line."""
        summary, find, alter = self.parts(folders[0])
        return own(name, find, alter, **{"summary": summary, **self.declared()})


class WrittenReplace(WrittenEdits):
    """A table of texts and their replacements."""

    model_config = ConfigDict(json_schema_extra={"required": ["replace"]})
    form = "replace"

    replace: dict[str, str | Texts] = Field(
        {}, json_schema_extra={"minProperties": 1}, description="Texts, each with its replacement."
    )

    def parts(self, folder: Path) -> Parts:
        """Replace by the table."""
        return f"Replace by a table of {len(self.replace)}.", *replace_parts(self.replace)


class WrittenRegex(WrittenEdits):
    """A regular expression, and the replacement of its matches."""

    model_config = ConfigDict(json_schema_extra={"required": ["regex", "with"]})
    form = "regex"

    regex: str = Field("", description="A regular expression.")
    with_: str | None = Field(None, alias="with", description=r"The replacement; \1 is a group.")

    def parts(self, folder: Path) -> Parts:
        """Replace the matches."""
        if self.with_ is None:
            raise ValueError("a regex needs a replacement for its matches; write with: …")
        return f"Replace what matches {self.regex}.", *regex_parts(self.regex, self.with_)


class WrittenLexicon(WrittenEdits):
    """A file of words and their replacements."""

    model_config = ConfigDict(json_schema_extra={"required": ["lexicon"]})
    form = "lexicon"

    lexicon: str = Field("", description="A file: a word, a tab, what replaces it, on each line.")

    def parts(self, folder: Path) -> Parts:
        """Replace the words of the file."""
        path = folder / expand_home(self.lexicon)
        read_text(path)  # raises a SpecError of one line if the file cannot be read
        return f"Replace words by {path.name}.", *lexicon_parts(path)


class WrittenPython(WrittenEdits):
    """A function of (text, level, rng), also with the context, or a Family."""

    model_config = ConfigDict(json_schema_extra={"required": ["python"]})
    form = "python"

    python: str = Field(
        "", pattern=r"^[\w.]+:[\w.]+$", examples=["my_families:shout"], description="Its path."
    )
    random: bool | None = Field(None, description="Whether it draws from rng.")
    needs: tuple[Need, ...] | None = Field(None, description="What it needs of the context.")

    def declared(self) -> dict[str, Any]:
        """Return what is written, as fields of a `Family`."""
        needs = frozenset(self.needs) if self.needs else None
        return {**super().declared(), **_given({"random": self.random, "needs": needs})}

    def make(self, name: str, folders: Sequence[Path]) -> Family:
        """Import the function; a module that raises is a mistake like any other."""
        function = find_function(self.python, folders)
        try:
            thing = load_function(function)
        except Exception as error:  # whatever the module raises
            reason = f"{type(error).__name__}: {error}"
            raise ValueError(f"{self.python!r} cannot be imported: {reason}") from None
        return self.amend(from_object(name, thing))

    def outline(self, name: str, folders: Sequence[Path]) -> Family:
        """Make the family as far as it is known without running code; it leaves texts as they are.

        Of a function nothing else can be known; another object has to be imported.
        """
        if not is_plain_function(find_function(self.python, folders)):
            raise ValueError(
                f"{self.python!r} is not a plain function, so it must be imported to be checked; "
                "validate --run-code does"
            )
        return self.amend(from_object(name, _unchanged))


def _unchanged(text: str, level: float, rng: Random) -> str:
    """Apply the family."""
    return text


def _given(values: Mapping[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in values.items() if value is not None}


FORMS: Mapping[str, type[WrittenFamily]] = {
    written.form: written
    for written in (WrittenChain, WrittenReplace, WrittenRegex, WrittenLexicon, WrittenPython)
}
