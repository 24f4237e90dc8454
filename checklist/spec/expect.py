"""What a check expects, and whether that fits what it perturbs."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import Field

from shakeproof.errors import unknown
from shakeproof.expectations import EXPECTATIONS, Expectation
from shakeproof.expectations.base import Bounded
from shakeproof.expectations.comparisons import BetterThanOthers
from shakeproof.expectations.user_statistic import OwnStatistic
from shakeproof.metrics.functions import FunctionNotFound, find_function
from shakeproof.spec.diagnostics import Diagnostics
from shakeproof.spec.metrics import trails_to
from shakeproof.spec.model import Perturb
from shakeproof.spec.scope import Scope
from shakeproof.spec.written import has_defaults, one_named, with_schema
from shakeproof.validation import Trail, shown

KEEPS = ", or write keeps_meaning: true if people would rate the stored texts the same"
EXAMPLE = "expect: {score_change: {at_most: 0.2}}"


def expect_type() -> Any:  # noqa: ANN401 - a type
    """Return the type of `expect`: the name of an expectation, alone or with its settings."""
    types = {name: _settings_type(model) for name, model in EXPECTATIONS.items()}
    bare = [name for name, model in EXPECTATIONS.items() if _may_be_bare(model)]
    return one_named("expect", types, bare)


def _settings_type(model: type[Expectation]) -> Any:  # noqa: ANN401 - a type
    settings: Any = model
    if _needs_bound(model):
        bounds = [{"required": [bound]} for bound in Bounded.model_fields]
        settings = with_schema(model, anyOf=bounds)
    if _may_be_bare(model):
        settings = settings | None
    return Annotated[settings, Field(description=model.summary)]


def _needs_bound(model: type[Expectation]) -> bool:
    """Return whether a model takes bounds and has none by default."""
    return issubclass(model, Bounded) and all(
        model.model_fields[bound].default is None for bound in Bounded.model_fields
    )


def _may_be_bare(model: type[Expectation]) -> bool:
    return not _needs_bound(model) and has_defaults(model)


def read_expectation(
    value: object, scope: Scope, trail: Trail, diagnostics: Diagnostics
) -> Expectation | None:
    """Read the one expectation of a check: by name, with its settings, or made in code."""
    if isinstance(value, Expectation):
        return _check(value, value.model_dump(mode="json"), scope, trail, diagnostics)
    if value is None or value == {}:
        if not diagnostics.is_wrong(trail):
            diagnostics.add(trail, f"the check has no expectation; write {EXAMPLE}", key=True)
        return None
    if isinstance(value, str) and value:
        name, settings, at = value, None, trail
    elif not isinstance(value, dict):
        message = f"expect must be a mapping, got {shown(value)}; write {EXAMPLE}"
        diagnostics.add(trail, message)
        return None
    elif len(value) > 1:
        message = f"a check has one expectation, got {', '.join(value)}; write a check for each"
        diagnostics.add(trail, message)
        return None
    else:
        ((name, settings),) = value.items()
        at = (*trail, name)
    if name not in EXPECTATIONS:
        message = str(unknown("expectation", name, EXPECTATIONS))
        diagnostics.add(at, message, key=at != trail)
        return None
    if settings is not None and not isinstance(settings, dict):
        message = f"{name} must be a mapping, got {shown(settings)}; write {{at_most: …}}"
        diagnostics.add(at, message)
        return None
    expect = diagnostics.model(EXPECTATIONS[name], settings or {}, at)
    return None if expect is None else _check(expect, settings, scope, at, diagnostics)


def _check(
    expect: Expectation, settings: object, scope: Scope, trail: Trail, diagnostics: Diagnostics
) -> Expectation:
    """Check what pydantic does not: bounds, names of metrics, functions."""
    if isinstance(expect, Bounded) and (message := expect.bounds_problem):
        missing = expect.at_least is None
        diagnostics.add(trail if missing else (*trail, "at_least"), message, key=missing)
    for name in expect.other_metrics:
        if name not in scope.metrics:
            at = next(trails_to(name, settings, trail), trail)
            diagnostics.add(at, str(unknown("metric", name, scope.metrics)))
    if not isinstance(expect, OwnStatistic):
        return expect
    try:
        find_function(expect.function, scope.folders)
    except FunctionNotFound as error:
        diagnostics.add((*trail, "statistic"), str(error))
    return expect.look_in(scope.folders)


def check_fit(
    expect: Expectation,
    metrics: tuple[str, ...],
    perturbs: tuple[Perturb, ...],
    scope: Scope,
    trail: Trail,
    diagnostics: Diagnostics,
) -> None:
    """Refuse an expectation that does not fit the metrics or the perturbations of its check."""
    name = expect.name
    at = (*trail, "perturb")
    if expect.needs_perturb and not perturbs and not diagnostics.any_inside(at):
        message = f"{name} compares with perturbed texts; write perturb: {{family: {{on: …}}}}"
        diagnostics.add((*trail, "expect"), message, key=True)
    if isinstance(expect, BetterThanOthers) and (
        itself := set(metrics) & set(expect.other_metrics)
    ):
        message = f"{name} would compare {min(itself)!r} with itself; name the others in metrics: …"
        diagnostics.add((*trail, "expect"), message, key=True)
    for perturb in perturbs if expect.correlational else ():
        if perturb.on == "candidate" and not _keeps_meaning(perturb, scope):
            message = (
                f"{perturb.family!r} changes what candidates mean, so their human ratings no "
                f"longer hold for {name}; expect score_drop or score_change instead, or perturb "
                f"the reference{KEEPS if perturb.stored else ''}"
            )
            diagnostics.add((*at, perturb.family), message, key=True)


def _keeps_meaning(perturb: Perturb, scope: Scope) -> bool:
    """Return whether human ratings hold for the perturbed candidates too."""
    if perturb.keeps_meaning is not None:
        return perturb.keeps_meaning
    family = scope.families.get(perturb.family)
    return family is not None and family.keeps_meaning
