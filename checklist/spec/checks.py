"""The checks of a checklist: what is perturbed, what is expected, of which metrics."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pydantic import Field

from shakeproof.errors import unknown
from shakeproof.expectations import Expectation
from shakeproof.spec.diagnostics import Notebook, Written, entries
from shakeproof.spec.expect import check_fit, read_expectation
from shakeproof.spec.model import Check, KnownFailure, Perturb, Severity
from shakeproof.spec.perturb import read_levels, read_perturbs
from shakeproof.spec.scope import Known
from shakeproof.validation import Trail, shown

TOP: Trail = ("checks",)
EXAMPLE = "- check: …, perturb: …, expect: …"
CONDITIONS = ("cuda", "network")
MODEL = "model:"


class WrittenCheck(Written):
    """A check as it stands in the file."""

    check: str | None = Field(None, description="Its name: the claim that is checked.")
    metrics: Any = Field(None, description="The metrics it is about; all if left out.")
    perturb: Any = Field(None, description="What is done to the texts.")
    expect: Any = Field(None, description="What should then hold.")
    known_failure: Any = Field(None, description="Which metrics and levels fail, and why.")
    severity: Severity = Field("fail", description="Whether a failure fails or only warns.")
    requires: Any = Field(None, description="cuda, network or model:NAME; skipped without.")


class WrittenKnownFailure(Written):
    """A known failure as it stands in the file."""

    metrics: Any = Field(None, description="The metrics that fail; all if left out.")
    levels: Any = Field(None, description="The levels that fail; all if left out.")
    reason: str | None = Field(None, description="Why.")


def read_checks(raw: object, known: Known, notebook: Notebook) -> tuple[Check, ...]:
    """Read all checks; those with mistakes are noted and left out."""
    if raw is None or raw == []:
        if notebook.blamed(TOP):
            return ()
        notebook.note(TOP, f"no checks; write checks: with entries {EXAMPLE}", key=True)
        return ()
    if not isinstance(raw, list):
        notebook.note(TOP, f"checks must be a list, got {shown(raw)}; write {EXAMPLE}")
        return ()
    lines: dict[str, int] = {}
    read = [
        _check(one, (*TOP, position), known, lines, notebook) for position, one in enumerate(raw)
    ]
    return tuple(check for check in read if check is not None)


def _check(
    raw: object,
    trail: Trail,
    known: Known,
    lines: dict[str, int],
    notebook: Notebook,
) -> Check | None:
    content = notebook.mapping(raw, trail, EXAMPLE)
    if content is None:
        return None
    written = notebook.written(WrittenCheck, content, trail)
    name = _name(written, lines, trail, notebook)
    metrics = read_names(written.metrics, known.metrics, (*trail, "metrics"), notebook)
    expect = read_expectation(written.expect, known, (*trail, "expect"), notebook)
    perturb = _perturbs(written, expect, trail, known, notebook)
    failure = _known_failure(written, metrics, perturb, (*trail, "known_failure"), notebook)
    requires = _requires(written.requires, (*trail, "requires"), notebook)
    if expect is None:
        return None
    check_fit(expect, metrics, perturb, known, trail, notebook)
    line = notebook.line((*trail, "check"))
    return Check(name, line, metrics, perturb, expect, failure, written.severity, requires)


def _name(written: WrittenCheck, lines: dict[str, int], trail: Trail, notebook: Notebook) -> str:
    at = (*trail, "check")
    if not written.check:
        if not notebook.blamed(at):
            notebook.note(trail, "a check without a name; write check: what is claimed")
        return ""
    name = written.check
    notebook.check_name("check", name, at)
    if name in lines:
        notebook.note(at, f"check {name!r} stands on line {lines[name]} already")
    lines.setdefault(name, notebook.line(at))
    return name


def _perturbs(
    written: WrittenCheck,
    expect: Expectation | None,
    trail: Trail,
    known: Known,
    notebook: Notebook,
) -> tuple[Perturb, ...]:
    raw = written.perturb
    if "perturb" not in written.model_fields_set:
        raw = dict(expect.default_perturb or {}) if expect is not None else {}
        if not raw:
            return ()
    return read_perturbs(raw, (*trail, "perturb"), known, notebook)


def read_names(
    raw: object, known: Sequence[str], trail: Trail, notebook: Notebook
) -> tuple[str, ...]:
    """Read names of metrics, one or a list; all known ones if left out."""
    if raw is None:
        return tuple(known)
    if raw == []:
        notebook.note(trail, "metrics is empty; name some, or leave it out for all")
    names: list[str] = []
    for name, at in entries(raw, trail):
        if not isinstance(name, str):
            notebook.note(at, f"metrics must be a list of names, got {shown(name)}")
        elif name in names:
            notebook.note(at, f"metric {name!r} stands twice")
        elif name not in known:
            notebook.note(at, str(unknown("metric", name, known)))
        else:
            names.append(name)
    return tuple(names)


def _known_failure(
    written: WrittenCheck,
    metrics: tuple[str, ...],
    perturb: tuple[Perturb, ...],
    trail: Trail,
    notebook: Notebook,
) -> KnownFailure | None:
    raw = written.known_failure
    if "known_failure" not in written.model_fields_set:
        return None
    if isinstance(raw, str) and raw:
        return KnownFailure(raw)
    content = notebook.mapping(raw, trail, "known_failure: {metrics: […], reason: …}")
    if content is None:
        return None
    failure = notebook.written(WrittenKnownFailure, content, trail)
    if not failure.reason and not notebook.blamed((*trail, "reason")):
        notebook.note(trail, "a known failure needs a reason; write reason: why", key=True)
    names = levels = None
    if failure.metrics is not None:
        names = read_names(failure.metrics, metrics, (*trail, "metrics"), notebook)
    if failure.levels is not None:
        levels = _known_levels(failure.levels, perturb, trail, notebook)
    return KnownFailure(failure.reason or "", names, levels)


def _known_levels(
    raw: object, perturb: tuple[Perturb, ...], trail: Trail, notebook: Notebook
) -> tuple[float, ...]:
    at = (*trail, "levels")
    levels = read_levels(raw, None, at, notebook)
    asked = sorted({level for one in perturb for level in one.levels})
    strange = [f"{level:g}" for level in levels if level not in asked]
    if strange and perturb:
        there = ", ".join(f"{level:g}" for level in asked) or "none"
        notebook.note(at, f"level {strange[0]} is not among the levels of this check: {there}")
    return levels


def _requires(raw: object, trail: Trail, notebook: Notebook) -> tuple[str, ...]:
    if raw is None:
        return ()
    for one, at in entries(raw, trail):
        if not isinstance(one, str):
            notebook.note(at, f"requires must be a list of conditions, got {shown(one)}")
        elif one not in CONDITIONS and not (one.startswith(MODEL) and one != MODEL):
            notebook.note(at, str(unknown("condition", one, (*CONDITIONS, "model:NAME"))))
    return tuple(one for one, _ in entries(raw, trail) if isinstance(one, str))
