"""Families that a checklist declares for itself: chains, tables, patterns, lexicons, functions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from graphlib import TopologicalSorter
from pathlib import Path
from typing import Any

from shakeproof.errors import SpecError, unknown
from shakeproof.perturbations import PERTURBATIONS
from shakeproof.perturbations.families.declared import chain
from shakeproof.spec.diagnostics import Notebook
from shakeproof.spec.family_forms import FORMS, WrittenChain, WrittenFamily, WrittenSites
from shakeproof.spec.metrics import check_circles
from shakeproof.spec.perturb import FAMILIES, read_levels
from shakeproof.validation import Trail, shown

TOP: Trail = (FAMILIES,)
EXAMPLE = "families: {hurried: {chain: [lower-case, {keyboard-typo: 0.1}]}}"
STEP = "lower-case or {keyboard-typo: 0.1}"


def read_families(raw: object, folders: tuple[Path, ...], notebook: Notebook) -> dict[str, Family]:
    """Give all families that the checklist may use: its own after the others."""
    families = dict(PERTURBATIONS)
    written = {} if raw is None else notebook.mapping(raw, TOP, EXAMPLE) or {}
    for name in written:
        _check_name(name, notebook)
    read = {name: _written(name, one, notebook) for name, one in written.items()}
    graph = {name: [*_own_steps(one, written)] for name, one in read.items()}
    for name in _in_order(graph, notebook):
        if (one := read[name]) is not None:
            family = _built(name, one, families, folders, notebook)
            families.update({} if family is None else {name: family})
    return families


def _in_order(graph: Mapping[str, list[str]], notebook: Notebook) -> list[str]:
    """Put families after those they build on; in a circle only those that build on none."""
    if check_circles("family", graph, TOP, notebook):
        return list(TopologicalSorter(graph).static_order())
    return [name for name, steps in graph.items() if not steps]


def _check_name(name: str, notebook: Notebook) -> None:
    trail = (*TOP, name)
    notebook.check_name("family", name, trail, key=True)
    if name in PERTURBATIONS:
        notebook.note(trail, f"{name!r} is a family already; choose another name", key=True)


def _written(name: str, raw: object, notebook: Notebook) -> WrittenFamily | None:
    """Read a declaration by the one key that says what it is."""
    trail = (*TOP, name)
    content = notebook.mapping(raw, trail, "{replace: {ä: ae}}")
    if content is None:
        return None
    forms = [key for key in content if key in FORMS]
    if len(forms) == 1:
        return notebook.written(FORMS[forms[0]], content, trail)
    found = f"got {' and '.join(forms)}" if forms else "got none of them"
    message = f"family {name!r} must be declared by one of {', '.join(FORMS)}; {found}"
    notebook.note(trail, message, key=True)
    return None


def _own_steps(written: WrittenFamily | None, own: Mapping[str, object]) -> Iterator[str]:
    steps = written.chain if isinstance(written, WrittenChain) else None
    for step in steps if isinstance(steps, list) else ():
        for name in step if isinstance(step, dict) else [step]:
            if isinstance(name, str) and name in own:
                yield name


def _built(
    name: str,
    written: WrittenFamily,
    families: Mapping[str, Family],
    folders: tuple[Path, ...],
    notebook: Notebook,
) -> Family | None:
    trail = (*TOP, name)
    if notebook.within(trail):
        return None
    try:
        if isinstance(written, WrittenSites):
            return written.built(name, folders)
        if isinstance(written, WrittenChain):
            return _chain(name, written, families, notebook)
    except (ValueError, SpecError) as error:
        notebook.note((*trail, written.form), str(error))
    return None


def _chain(
    name: str, written: WrittenChain, families: Mapping[str, Family], notebook: Notebook
) -> Family | None:
    trail = (*TOP, name, written.form)
    if not isinstance(written.chain, list) or not written.chain:
        message = f"a chain must be a list of families, got {shown(written.chain or None)}"
        notebook.note(trail, f"{message}; write [{STEP.replace(' or', ',')}]")
        return None
    steps = [
        _step(one, (*trail, position), families, notebook)
        for position, one in enumerate(written.chain)
    ]
    known = [step for step in steps if step is not None]
    if len(known) < len(steps):
        return None
    return written.amend(_useful(chain(name, known)))


def _useful(family: Family) -> Family:
    """Refuse a chain whose steps have nothing in common that they serve."""
    for what in ("fields", "languages", "scripts"):
        if getattr(family, what) == frozenset():
            raise ValueError(f"there are no {what} that all steps of this chain serve")
    return family


def _step(
    raw: Any,  # noqa: ANN401 - YAML
    trail: Trail,
    families: Mapping[str, Family],
    notebook: Notebook,
) -> tuple[Family, float] | None:
    named = {raw: None} if isinstance(raw, str) else raw
    if not isinstance(named, dict) or len(named) != 1:
        message = f"each step of a chain is a family, {STEP}, got {shown(raw)}"
        notebook.note(trail, message)
        return None
    name, level = next(iter(named.items()))
    at = (*trail, name) if isinstance(raw, dict) else trail
    family = families.get(name)
    if family is None:
        if (*TOP, name) not in notebook.document.keys:  # else its mistakes are told there
            notebook.note(at, str(unknown("perturbation", name, families)), key=at != trail)
        return None
    read = _level(family, level, at, notebook)
    return None if read is None else (family, read)


def _level(family: Family, raw: object, trail: Trail, notebook: Notebook) -> float | None:
    if family.rule is Rule.SWITCH:
        if raw is not None:
            notebook.note(trail, f"{family.name!r} is on or off and takes no level")
        return 1.0
    if raw is None or isinstance(raw, list):
        example = 1 if family.rule is Rule.COUNT else 0.1
        message = f"{family.name!r} needs one level; write {{{family.name}: {example}}}"
        notebook.note(trail, message)
        return None
    return next(iter(read_levels(raw, family.rule, trail, notebook)), None)
