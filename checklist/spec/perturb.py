"""What a check perturbs: families, the field they are put on, and levels."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from math import isfinite
from typing import Any

from pydantic import Field

from shakeproof.errors import hint, unknown
from shakeproof.perturbations.contract import FIELDS, Family, Rule
from shakeproof.spec.diagnostics import Notebook, Written, entries
from shakeproof.spec.family_forms import FORMS
from shakeproof.spec.model import Perturb
from shakeproof.spec.scope import Known, primary
from shakeproof.validation import Trail, shown

FAMILIES = "families"  # the key under which a checklist declares its own
COPYING = "copying"  # the group of families that copy the source
EXAMPLE = "perturb: {visual: {on: reference, levels: [0.1, 0.2, 0.3]}}"


class WrittenPerturb(Written):
    """How one family is applied."""

    on: str | None = Field(None, description="Which text: candidate, reference or source.")
    levels: Any = Field(None, description="How much of the text; each level is one item.")
    stored: bool = Field(False, description="Replay the perturbed texts that the data carry.")


def read_perturbs(
    raw: object, trail: Trail, known: Known, notebook: Notebook
) -> tuple[Perturb, ...]:
    """Read one family or several, by name, as a mapping or as a list of these."""
    seen: set[str] = set()
    read = []
    for name, one, at in _entries(raw, trail, notebook):
        if name in seen:
            message = f"{name!r} is named twice in this check; write a check for each"
            notebook.note(at, message, key=True)
        elif (perturb := _perturb(name, one, at, known, notebook)) is not None:
            read.append(perturb)
        seen.add(name)
    return tuple(read)


def _entries(raw: object, trail: Trail, notebook: Notebook) -> Iterator[tuple[str, object, Trail]]:
    if isinstance(raw, list) and raw:
        for position, one in enumerate(raw):
            yield from _entries(one, (*trail, position), notebook)
    elif isinstance(raw, str) and raw:
        yield raw, None, trail
    elif isinstance(raw, dict) and raw:
        for name, one in raw.items():
            yield name, one, (*trail, name)
    else:
        notebook.note(trail, f"perturb must name a family, got {shown(raw)}; write {EXAMPLE}")


def _perturb(
    name: str, raw: object, trail: Trail, known: Known, notebook: Notebook
) -> Perturb | None:
    if name in FORMS and name not in known.families:
        message = f"a {name} is declared under families: {{my-name: {{{name}: …}}}} and named here"
        notebook.note(trail, message, key=True)
        return None
    how = notebook.mapping({} if raw is None else raw, trail, "{on: reference, levels: [0.3]}")
    if how is None:
        return None
    written = notebook.written(WrittenPerturb, how, trail)
    family = known.families.get(name)
    if family is None and not written.stored:
        if (FAMILIES, name) in notebook.document.keys:
            notebook.excuse(trail)
        else:
            notebook.note(trail, str(unknown("perturbation", name, known.families)), key=True)
        return None
    on = _field(name, family, written.on, trail, notebook)
    levels = read_levels(written.levels, _rule(family), (*trail, "levels"), notebook)
    if family is not None and written.levels is None and not notebook.blamed((*trail, "levels")):
        _check_missing_levels(family, trail, notebook)
    if on is None:
        return None
    if family is not None and not written.stored:
        _check_language(family, on, known, trail, notebook)
    return Perturb(name, on, levels, written.stored)


def _rule(family: Family | None) -> Rule | None:
    return None if family is None else family.rule


def _field(
    name: str,
    family: Family | None,
    on: str | None,
    trail: Trail,
    notebook: Notebook,
) -> str | None:
    fields = FIELDS if family is None else family.fields
    if on is None and len(fields) == 1:
        return next(iter(fields))
    if on is None:
        if not notebook.blamed((*trail, "on")):
            message = f"{name!r} does not say on which text; write on: {_either(fields)}"
            notebook.note(trail, message, key=True)
        return None
    if on in fields:
        return on
    if on in FIELDS:
        message = f"{name!r} does not work on the {on}; it works on the {_either(fields)}"
    else:
        message = f"unknown field {on!r}; {hint(on, fields)}"
    notebook.note((*trail, "on"), message)
    return None


def _either(names: frozenset[str]) -> str:
    *others, last = sorted(names)
    return f"{', '.join(others)} or {last}" if others else last


def _check_missing_levels(family: Family, trail: Trail, notebook: Notebook) -> None:
    if family.rule is Rule.SWITCH:
        return
    levels = "[1, 2, 3]" if family.rule is Rule.COUNT else "[0.1, 0.2, 0.3]"
    meaning = f"{family.rule}; sites are {family.unit}" if family.unit else str(family.rule)
    message = f"{family.name!r} needs levels ({meaning}); write levels: {levels}"
    notebook.note(trail, message, key=True)


def _check_language(
    family: Family, on: str, known: Known, trail: Trail, notebook: Notebook
) -> None:
    refusal = family.refusal(language=known.language_of(on)) or foreign_copy(
        family, known.source_language, known.language
    )
    if refusal is not None:
        notebook.note(trail, refusal, key=True)


def foreign_copy(family: Family, source: str | None, language: str | None) -> str | None:
    """Refuse to copy a source of another language: no candidate would ever look like it."""
    if family.group != COPYING or source is None or language is None:
        return None
    if primary(source) == primary(language):
        return None
    where = f"({source}, not {language})"
    return f"{family.name!r} copies the source, which is in another language {where}"


def read_levels(
    raw: object, rule: Rule | None, trail: Trail, notebook: Notebook
) -> tuple[float, ...]:
    """Read levels, one or a list; `rule` None is a family that only the data know."""
    if raw is None:
        return ()
    if rule is Rule.SWITCH:
        notebook.note(trail, f"{trail[-2]!r} is on or off and takes no levels", key=True)
        return ()
    if raw == []:
        notebook.note(trail, "levels is empty; write levels: [0.1, 0.2, 0.3]")
    levels: dict[str, float] = {}
    for one, at in entries(raw, trail):
        _read_level(one, rule, at, levels, notebook)
    return tuple(sorted(levels.values()))


def _read_level(
    raw: object, rule: Rule | None, trail: Trail, levels: dict[str, float], notebook: Notebook
) -> None:
    number = isinstance(raw, int | float) and not isinstance(raw, bool) and isfinite(raw)
    level = float(raw) if number else -1.0  # type: ignore[arg-type]  # a number, as just seen
    if not in_range(level, rule):
        notebook.note(trail, f"levels must be {WANTED[rule]}, got {shown(raw)}")
    elif f"{level:g}" in levels:
        notebook.note(trail, f"level {level:g} stands twice")
    else:
        levels[f"{level:g}"] = level


WANTED: Mapping[Rule | None, str] = {
    Rule.COUNT: "whole numbers of 1 or more",
    None: "numbers above 0",
    **dict.fromkeys((Rule.SHARE, Rule.CHANCE), "numbers above 0 and up to 1"),
}


def in_range(level: float, rule: Rule | None) -> bool:
    """Say whether a level makes sense; 0 does not, because it changes nothing."""
    if rule is Rule.COUNT:
        return level >= 1 and level.is_integer()
    return level > 0 and (rule is None or level <= 1)
