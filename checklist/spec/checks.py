"""The checks of a checklist: what is perturbed, what is expected, of which metrics."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Annotated, Any

from pydantic import ConfigDict, Field

from shakeproof.errors import unknown
from shakeproof.expectations import Expectation
from shakeproof.perturbations.levels import ANY_LEVEL
from shakeproof.spec.diagnostics import Diagnostics
from shakeproof.spec.expect import check_fit, expect_type, read_expectation
from shakeproof.spec.model import Check, KnownFailure, Perturb, Severity
from shakeproof.spec.perturb import perturb_type, read_levels, read_perturbs
from shakeproof.spec.scope import Scope
from shakeproof.spec.written import (
    NAME_SCHEMA,
    SchemaOf,
    Text,
    Written,
    entries,
    level_type,
    one_or_more,
    with_schema,
)
from shakeproof.validation import Trail, shown

TOP: Trail = ("checks",)
EXAMPLE = "- check: …, perturb: …, expect: …"
CONDITIONS = ("cuda", "network")
CONDITION = f"^({'|'.join(CONDITIONS)}|model:.+)$"


class WrittenKnownFailure(Written):
    """A known failure as written in the file."""

    model_config = ConfigDict(json_schema_extra={"required": ["reason"]})

    metrics: Annotated[Any, SchemaOf(lambda: one_or_more(str))] = Field(
        None, description="The metrics that fail; all if left out."
    )
    levels: Annotated[Any, SchemaOf(lambda: one_or_more(level_type(ANY_LEVEL)))] = Field(
        None, description="The levels that fail; all if left out."
    )
    reason: str | None = Field(None, description="Why.")


class WrittenCheck(Written):
    """A check as written in the file."""

    model_config = ConfigDict(json_schema_extra={"required": ["check", "expect"]})

    check: str | None = Field(
        None, json_schema_extra=NAME_SCHEMA, description="Its name: the claim that is checked."
    )
    metrics: Annotated[Any, SchemaOf(lambda: one_or_more(str) | None)] = Field(
        None, description="The metrics it is about; all if left out."
    )
    perturb: Annotated[Any, SchemaOf(lambda: perturb_type(declared=True))] = Field(
        None, description="What is done to the texts."
    )
    expect: Annotated[Any, SchemaOf(expect_type)] = Field(
        None, description="What should then hold."
    )
    known_failure: Annotated[Any, SchemaOf(lambda: Text | WrittenKnownFailure)] = Field(
        None, description="Which metrics and levels fail, and why."
    )
    severity: Severity = Field("fail", description="Whether a failure fails or only warns.")
    requires: Annotated[
        Any, SchemaOf(lambda: one_or_more(with_schema(str, pattern=CONDITION)) | None)
    ] = Field(None, description="cuda, network or model:NAME; the check is skipped without them.")
    missing_at_most: Annotated[float, Field(ge=0, le=1)] | None = Field(
        None, description="The share of candidates without a score above which it is undecided."
    )


def read_checks(value: object, scope: Scope, diagnostics: Diagnostics) -> tuple[Check, ...]:
    """Read all checks; those with mistakes are left out."""
    if value is None or value == []:
        if not diagnostics.is_wrong(TOP):
            message = f"no checks; write checks: with entries {EXAMPLE}"
            diagnostics.add(TOP, message, key=True)
        return ()
    if not isinstance(value, list):
        diagnostics.add(TOP, f"checks must be a list, got {shown(value)}; write {EXAMPLE}")
        return ()
    lines: dict[str, int] = {}
    checks = [
        _check(entry, (*TOP, position), scope, lines, diagnostics)
        for position, entry in enumerate(value)
    ]
    return tuple(check for check in checks if check is not None)


def _check(
    value: object, trail: Trail, scope: Scope, lines: dict[str, int], diagnostics: Diagnostics
) -> Check | None:
    content = diagnostics.mapping(value, trail, EXAMPLE)
    if content is None:
        return None
    written = diagnostics.written(WrittenCheck, content, trail)
    _check_name(written.check, lines, (*trail, "check"), diagnostics)
    metrics = read_names(written.metrics, scope.metrics, (*trail, "metrics"), diagnostics)
    expect = read_expectation(content.get("expect"), scope, (*trail, "expect"), diagnostics)
    perturb = _perturb(written, expect, (*trail, "perturb"), scope, diagnostics)
    failure = _known_failure(written, metrics, perturb, (*trail, "known_failure"), diagnostics)
    requires = _requires(written.requires, (*trail, "requires"), diagnostics)
    if expect is None:
        return None
    check_fit(expect, metrics, perturb, scope, trail, diagnostics)
    return Check(
        name=written.check or "",
        line=diagnostics.line((*trail, "check")),
        metrics=metrics,
        perturb=perturb,
        expect=expect,
        known_failure=failure,
        severity=written.severity,
        requires=requires,
        missing_at_most=written.missing_at_most,
        names_metrics=written.metrics is not None,
    )


def _check_name(
    name: str | None, lines: dict[str, int], trail: Trail, diagnostics: Diagnostics
) -> None:
    if not name:
        if not diagnostics.is_wrong(trail):
            message = "the check has no name; write check: what is claimed"
            diagnostics.add(trail[:-1], message)
        return
    diagnostics.check_name("check", name, trail)
    if name in lines:
        diagnostics.add(trail, f"duplicate check {name!r}; the first is on line {lines[name]}")
    lines.setdefault(name, diagnostics.line(trail))


def _perturb(
    written: WrittenCheck,
    expect: Expectation | None,
    trail: Trail,
    scope: Scope,
    diagnostics: Diagnostics,
) -> tuple[Perturb, ...]:
    if "perturb" in written.model_fields_set:
        return read_perturbs(written.perturb, trail, scope, diagnostics)
    default = None if expect is None else expect.default_perturb
    return read_perturbs(dict(default), trail, scope, diagnostics) if default else ()


def read_names(
    value: object, known: Sequence[str], trail: Trail, diagnostics: Diagnostics
) -> tuple[str, ...]:
    """Read the names of metrics, one or a list; all known ones if left out."""
    if value is None:
        return tuple(known)
    if value == []:
        diagnostics.add(trail, "metrics is empty; name some, or leave it out for all")
    names: list[str] = []
    for name, at in entries(value, trail):
        if not isinstance(name, str):
            diagnostics.add(at, f"metrics must be a list of names, got {shown(name)}")
        elif name in names:
            diagnostics.add(at, f"metric {name!r} is listed twice")
        elif name not in known:
            diagnostics.add(at, str(unknown("metric", name, known)))
        else:
            names.append(name)
    return tuple(names)


def _known_failure(
    written: WrittenCheck,
    metrics: tuple[str, ...],
    perturb: tuple[Perturb, ...],
    trail: Trail,
    diagnostics: Diagnostics,
) -> KnownFailure | None:
    value = written.known_failure
    if "known_failure" not in written.model_fields_set:
        return None
    if isinstance(value, str) and value:
        return KnownFailure(value)
    content = diagnostics.mapping(value, trail, "known_failure: {metrics: […], reason: …}")
    if content is None:
        return None
    failure = diagnostics.written(WrittenKnownFailure, content, trail)
    if not failure.reason and not diagnostics.is_wrong((*trail, "reason")):
        diagnostics.add(trail, "a known failure needs a reason; write reason: why", key=True)
    names = levels = None
    if failure.metrics is not None:
        names = read_names(failure.metrics, metrics, (*trail, "metrics"), diagnostics)
    if failure.levels is not None:
        levels = _known_levels(failure.levels, perturb, (*trail, "levels"), diagnostics)
    return KnownFailure(failure.reason or "", names, levels)


def _known_levels(
    value: object, perturbs: tuple[Perturb, ...], trail: Trail, diagnostics: Diagnostics
) -> tuple[float, ...]:
    levels = read_levels(value, None, trail, diagnostics)
    tested = sorted({level for perturb in perturbs for level in perturb.levels})
    other = next((level for level in levels if level not in tested), None)
    if other is not None and perturbs:
        names = ", ".join(f"{level:g}" for level in tested) or "none"
        message = f"level {other:g} is not among the levels of this check: {names}"
        diagnostics.add(trail, message)
    return levels


def _requires(value: object, trail: Trail, diagnostics: Diagnostics) -> tuple[str, ...]:
    conditions = []
    for condition, at in [] if value is None else entries(value, trail):
        if not isinstance(condition, str):
            message = f"requires must be a list of conditions, got {shown(condition)}"
            diagnostics.add(at, message)
            continue
        if not re.match(CONDITION, condition):
            diagnostics.add(at, str(unknown("condition", condition, (*CONDITIONS, "model:NAME"))))
        conditions.append(condition)
    return tuple(conditions)
