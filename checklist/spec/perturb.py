"""What a check perturbs: families, the field each is applied to, and levels."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, ConfigDict, Field, RootModel, create_model

from shakeproof.errors import hint, unknown
from shakeproof.perturbations import PERTURBATIONS, Family, Rule
from shakeproof.perturbations.family import FIELDS, primary_language
from shakeproof.perturbations.levels import ANY_LEVEL
from shakeproof.spec.diagnostics import Diagnostics
from shakeproof.spec.family_forms import FORMS
from shakeproof.spec.model import Perturb
from shakeproof.spec.scope import Scope
from shakeproof.spec.written import (
    SchemaOf,
    Text,
    Written,
    entries,
    keyed,
    level_type,
    list_of,
    one_of,
    one_or_more,
    with_schema,
)
from shakeproof.validation import Trail, shown

FAMILIES = "families"  # the key under which a checklist declares families
COPYING = "copying"  # the group of families that copy the source
MAX_LEVELS = 100  # of a family in a check; each is an item for each metric
EXAMPLE = "perturb: {visual: {on: reference, levels: [0.1, 0.2, 0.3]}}"


def _only_entry(value: object) -> object:
    """Return the field in a list of one; a list of several is a mistake."""
    if not isinstance(value, list) or not value:
        return value
    if len(value) > 1:
        example = "{on: candidate} in one and {on: reference} in another"
        raise ValueError(
            f"on must be one text, got a list of {len(value)}; write a check for each: {example}"
        )
    return value[0]


@cache
def _field_type(fields: frozenset[str]) -> Any:  # noqa: ANN401 - a type
    """Return the type of `on`: a field, or a list of one. A model is written once in the schema."""
    field = one_of(fields)
    root: Any = RootModel
    base = root[field | with_schema(list_of(field), maxItems=1)]
    return create_model(f"on-{_fields_name(fields)}", __base__=base)


def _fields_name(fields: frozenset[str]) -> str:
    """Name some fields in the schema, shortly: the name stands beside every family."""
    return "any" if fields == FIELDS else "-".join(sorted(fields))


class WrittenPerturb(Written):
    """How a family is applied, as written in the file."""

    on: Annotated[
        str | None, BeforeValidator(_only_entry), SchemaOf(lambda: _field_type(FIELDS) | None)
    ] = Field(None, description="Which text: candidate, reference or source.")
    levels: Annotated[Any, SchemaOf(lambda: one_or_more(level_type(ANY_LEVEL)) | None)] = Field(
        None, description="How much of the text; each level is one item."
    )
    stored: bool = Field(False, description="Use the perturbed texts in the data set.")
    keeps_meaning: bool | None = Field(
        None, description="Whether people would rate the texts in the data set the same."
    )


class WrittenStored(WrittenPerturb):
    """A family that only the data set knows, by its perturbed texts; as written in the file."""

    model_config = ConfigDict(json_schema_extra={"required": ["on", "stored"]})

    stored: Literal[True] = Field(True, description="Use the perturbed texts in the data set.")


def perturb_type(*, declared: bool) -> Any:  # noqa: ANN401 - a type
    """Return the type of `perturb`; `declared` says that the checklist may declare families.

    Without it, only names are checked: the schema applies both types, one after the other.
    """
    types = {
        family.name: Annotated[_family_type(family), Field(description=family.summary)]
        if declared
        else Any
        for family in PERTURBATIONS.values()
    }
    bare = [name for name, family in PERTURBATIONS.items() if not _required_keys(family)]
    name = Text if declared else one_of(bare)
    others: Any = WrittenPerturb | None if declared else WrittenStored
    families = keyed("perturb-any" if declared else "perturb", types, others=others)
    return name | families | list_of(name | families)


def _required_keys(family: Family) -> tuple[str, ...]:
    on = () if len(family.fields) == 1 else ("on",)
    return on if family.rule is Rule.SWITCH else (*on, "levels")


def _family_type(family: Family) -> Any:  # noqa: ANN401 - a type
    how = _written_type(family.fields, family.rule, _required_keys(family))
    return how if _required_keys(family) else how | None


@cache
def _written_type(fields: frozenset[str], rule: Rule, required: tuple[str, ...]) -> Any:  # noqa: ANN401
    """Narrow `WrittenPerturb` down to what families with these fields and this rule take."""
    description = {key: field.description for key, field in WrittenPerturb.model_fields.items()}
    levels = None if rule is Rule.SWITCH else one_or_more(level_type(rule.levels))
    types = {"on": _field_type(fields), "levels": levels}
    narrowed: dict[str, Any] = {
        key: (kind, Field(... if key in required else None, description=description[key]))
        for key, kind in types.items()
    }
    title = f"perturb-{rule.name.lower()}-{_fields_name(fields)}"
    return create_model(title, __base__=WrittenPerturb, **narrowed)


def read_perturbs(
    value: object, trail: Trail, scope: Scope, diagnostics: Diagnostics
) -> tuple[Perturb, ...]:
    """Read one family or several, by name, as a mapping or as a list of these."""
    names: set[str] = set()
    perturbs = []
    for name, how, at in _families(value, trail, diagnostics):
        if name in names:
            message = f"{name!r} is named twice in this check; write a check for each"
            diagnostics.add(at, message, key=True)
        elif (perturb := _perturb(name, how, at, scope, diagnostics)) is not None:
            perturbs.append(perturb)
        names.add(name)
    return tuple(perturbs)


def _families(
    value: object, trail: Trail, diagnostics: Diagnostics
) -> Iterator[tuple[str, object, Trail]]:
    """Yield the name of each family, how it is applied, and where that is written."""
    if isinstance(value, list) and value:
        for position, entry in enumerate(value):
            yield from _families(entry, (*trail, position), diagnostics)
    elif isinstance(value, str) and value:
        yield value, None, trail
    elif isinstance(value, dict) and value:
        for name, how in value.items():
            yield name, how, (*trail, name)
    else:
        diagnostics.add(trail, f"perturb must name a family, got {shown(value)}; write {EXAMPLE}")


def _perturb(
    name: str, value: object, trail: Trail, scope: Scope, diagnostics: Diagnostics
) -> Perturb | None:
    family = scope.families.get(name)
    if name in FORMS and family is None:
        message = f"declare a {name} under families: {{my-name: {{{name}: …}}}} and name it here"
        diagnostics.add(trail, message, key=True)
        return None
    example = "{on: reference, levels: [0.3]}"
    how = diagnostics.mapping({} if value is None else value, trail, example)
    if how is None:
        return None
    written = diagnostics.written(WrittenPerturb, how, trail)
    if family is None and not written.stored:
        if (FAMILIES, name) in diagnostics.document.keys:  # declared, with mistakes
            diagnostics.mark_wrong(trail)
        else:
            diagnostics.add(trail, str(unknown("perturbation", name, scope.families)), key=True)
        return None
    if written.keeps_meaning is not None and not written.stored:
        message = f"keeps_meaning is for stored: true; {name!r} itself says if it keeps the meaning"
        diagnostics.add((*trail, "keeps_meaning"), message, key=True)
    on = _field(name, family, written.on, trail, diagnostics)
    at = (*trail, "levels")
    levels = read_levels(written.levels, family.rule if family else None, at, diagnostics)
    if family is not None and written.levels is None and not diagnostics.is_wrong(at):
        _check_missing_levels(family, trail, diagnostics)
    if on is None:
        return None
    if family is not None and not written.stored:
        refusal = family.refusal(language=scope.language_of(on)) or foreign_copy(
            family, scope.source_language, scope.language
        )
        if refusal is not None:
            diagnostics.add(trail, refusal, key=True)
    return Perturb(name, on, levels, written.stored, written.keeps_meaning)


def _field(
    name: str, family: Family | None, on: str | None, trail: Trail, diagnostics: Diagnostics
) -> str | None:
    fields = FIELDS if family is None else family.fields
    *others, last = sorted(fields)
    either = f"{', '.join(others)} or {last}" if others else last
    if on is None and not others:
        return last
    if on is None:
        if not diagnostics.is_wrong((*trail, "on")):
            message = f"{name!r} does not say on which text; write on: {either}"
            diagnostics.add(trail, message, key=True)
        return None
    if on in fields:
        return on
    if on in FIELDS:
        message = f"{name!r} does not work on the {on}; it works on the {either}"
    else:
        message = f"unknown field {on!r}; {hint(on, fields)}"
    diagnostics.add((*trail, "on"), message)
    return None


def _check_missing_levels(family: Family, trail: Trail, diagnostics: Diagnostics) -> None:
    if family.rule is Rule.SWITCH:
        return
    levels = "[1, 2, 3]" if family.rule is Rule.COUNT else "[0.1, 0.2, 0.3]"
    meaning = f"{family.rule}; sites are {family.unit}" if family.unit else str(family.rule)
    message = f"{family.name!r} needs levels ({meaning}); write levels: {levels}"
    diagnostics.add(trail, message, key=True)


def foreign_copy(family: Family, source: str | None, language: str | None) -> str | None:
    """Refuse to copy a source in another language: no candidate would look like it."""
    if family.group != COPYING or source is None or language is None:
        return None
    if primary_language(source) == primary_language(language):
        return None
    where = f"({source}, not {language})"
    return f"{family.name!r} copies the source, which is in another language {where}"


def read_levels(
    value: object, rule: Rule | None, trail: Trail, diagnostics: Diagnostics
) -> tuple[float, ...]:
    """Read one level or a list; `rule` is None for a family that only the data set knows."""
    if value is None:
        return ()
    if rule is Rule.SWITCH:
        diagnostics.add(trail, f"{trail[-2]!r} is on or off and takes no levels", key=True)
        return ()
    if value == []:
        diagnostics.add(trail, "levels is empty; write levels: [0.1, 0.2, 0.3]")
    if isinstance(value, list) and len(value) > MAX_LEVELS:
        diagnostics.add(trail, f"levels must be a list of {MAX_LEVELS} at most, got {len(value):,}")
        return ()
    levels: dict[str, float] = {}
    allowed = rule.levels if rule is not None else ANY_LEVEL
    for level, at in entries(value, trail):
        number = isinstance(level, int | float) and not isinstance(level, bool)
        if not number or level not in allowed:
            diagnostics.add(at, f"levels must be {allowed}, got {shown(level)}")
        elif f"{level:g}" in levels:
            diagnostics.add(at, f"level {level:g} is listed twice")
        else:
            levels[f"{level:g}"] = float(level)
    return tuple(sorted(levels.values()))
