"""The families that a checklist declares: chains, tables, patterns, lexicons, functions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial, reduce
from graphlib import TopologicalSorter
from operator import or_
from pathlib import Path
from typing import Any

from shakeproof.errors import SpecError, unknown
from shakeproof.perturbations import PERTURBATIONS, Family, Rule
from shakeproof.perturbations.families.declared import chain
from shakeproof.spec.diagnostics import Diagnostics
from shakeproof.spec.family_forms import (
    FORMS,
    WrittenChain,
    WrittenEdits,
    WrittenFamily,
    WrittenPython,
)
from shakeproof.spec.metrics import check_circles
from shakeproof.spec.perturb import FAMILIES, read_levels
from shakeproof.spec.written import NAME_SCHEMA, mapping_of, with_schema
from shakeproof.validation import Trail, shown

TOP: Trail = (FAMILIES,)
EXAMPLE = "families: {hurried: {chain: [lower-case, {keyboard-typo: 0.1}]}}"
STEP = "lower-case or {keyboard-typo: 0.1}"


def families_type() -> Any:  # noqa: ANN401 - a type
    """Return the type of `families`: by a new name, one of the forms."""
    new = {"allOf": [NAME_SCHEMA, {"not": {"enum": sorted(PERTURBATIONS)}}]}
    declaration: Any = reduce(or_, FORMS.values())
    return with_schema(mapping_of(declaration), propertyNames=new) | None


def read_families(
    value: object, folders: tuple[Path, ...], diagnostics: Diagnostics, *, run_code: bool = True
) -> dict[str, Family]:
    """Return all families that the checklist may use: those it declares come last.

    Without `run_code` functions of the user are looked up, but not imported.
    """
    make = partial(_make, folders=folders, diagnostics=diagnostics, run_code=run_code)
    families = dict(PERTURBATIONS)
    written = {} if value is None else diagnostics.mapping(value, TOP, EXAMPLE) or {}
    for name in written:
        diagnostics.check_name("family", name, (*TOP, name), key=True)
        if name in PERTURBATIONS:
            message = f"there is a family {name!r} already; choose another name"
            diagnostics.add((*TOP, name), message, key=True)
    read = {name: _written(name, entry, diagnostics) for name, entry in written.items()}
    graph = {name: [*_declared_steps(entry, written)] for name, entry in read.items()}
    if check_circles("family", graph, TOP, diagnostics):
        order = list(TopologicalSorter(graph).static_order())  # families after their steps
    else:
        order = [name for name, steps in graph.items() if not steps]
    for name in order:
        entry = read[name]
        family = None if entry is None else make(name, entry, families)
        if family is not None:
            families[name] = family
    return families


def _written(name: str, value: object, diagnostics: Diagnostics) -> WrittenFamily | None:
    """Read a declaration by the one key that names its form."""
    trail = (*TOP, name)
    content = diagnostics.mapping(value, trail, "{replace: {ä: ae}}")
    if content is None:
        return None
    forms = [key for key in content if key in FORMS]
    if len(forms) == 1:
        return diagnostics.written(FORMS[forms[0]], content, trail)
    got = f"got {' and '.join(forms)}" if forms else "got none of them"
    message = f"family {name!r} must be declared by one of {', '.join(FORMS)}; {got}"
    diagnostics.add(trail, message, key=True)
    return None


def _declared_steps(written: WrittenFamily | None, names: Mapping[str, object]) -> Iterator[str]:
    """Yield the steps of a chain that the checklist declares too."""
    steps = written.chain if isinstance(written, WrittenChain) else None
    for step in steps if isinstance(steps, list) else ():
        for name in step if isinstance(step, dict) else [step]:
            if isinstance(name, str) and name in names:
                yield name


def _make(
    name: str,
    written: WrittenFamily,
    families: Mapping[str, Family],
    folders: tuple[Path, ...],
    diagnostics: Diagnostics,
    run_code: bool,
) -> Family | None:
    trail = (*TOP, name)
    if diagnostics.any_inside(trail):
        return None
    if base := diagnostics.base(trail):
        folders = (base.parent, *folders[1:])
    try:
        if isinstance(written, WrittenPython) and not run_code:
            return written.outline(name, folders)
        if isinstance(written, WrittenEdits):
            return written.make(name, folders)
        if isinstance(written, WrittenChain):
            return _make_chain(name, written, families, diagnostics)
    except (ValueError, SpecError) as error:
        diagnostics.add((*trail, written.form), str(error))
    return None


def _make_chain(
    name: str, written: WrittenChain, families: Mapping[str, Family], diagnostics: Diagnostics
) -> Family | None:
    trail = (*TOP, name, written.form)
    if not isinstance(written.chain, list) or not written.chain:
        message = f"a chain must be a list of families, got {shown(written.chain or None)}"
        diagnostics.add(trail, f"{message}; write [{STEP.replace(' or', ',')}]")
        return None
    steps = []
    for position, entry in enumerate(written.chain):
        step = _read_step(entry, (*trail, position), families, diagnostics)
        steps += [] if step is None else [step]
    if len(steps) < len(written.chain):
        return None
    family = chain(name, steps)
    for key in ("fields", "languages", "scripts"):
        if getattr(family, key) == frozenset():
            raise ValueError(f"the steps of this chain have no {key} in common")
    return written.amend(family)


def _read_step(
    value: object, trail: Trail, families: Mapping[str, Family], diagnostics: Diagnostics
) -> tuple[Family, float] | None:
    named = {value: None} if isinstance(value, str) else value
    if not isinstance(named, dict) or len(named) != 1:
        message = f"each step of a chain is a family, {STEP}, got {shown(value)}"
        diagnostics.add(trail, message)
        return None
    ((name, level),) = named.items()
    at = (*trail, name) if isinstance(value, dict) else trail
    family = families.get(name)
    if family is None:
        if not diagnostics.document.has_key((*TOP, name)):  # else its mistakes are reported there
            diagnostics.add(at, str(unknown("perturbation", name, families)), key=at != trail)
        return None
    if family.rule is Rule.SWITCH:
        if level is not None:
            diagnostics.add(at, f"{family.name!r} is on or off and takes no level")
        return family, 1.0
    if level is None or isinstance(level, list):
        example = 1 if family.rule is Rule.COUNT else 0.1
        message = f"{family.name!r} needs one level; write {{{family.name}: {example}}}"
        diagnostics.add(at, message)
        return None
    levels = read_levels(level, family.rule, at, diagnostics)
    return (family, levels[0]) if levels else None
