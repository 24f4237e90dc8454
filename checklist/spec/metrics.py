"""The metrics of a checklist: names, kinds, options, and which builds on which."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from graphlib import CycleError, TopologicalSorter
from pathlib import Path
from typing import Annotated, Any

from pydantic import Field

from shakeproof.errors import SpecError, unknown
from shakeproof.metrics.options import Options
from shakeproof.metrics.registry import METRICS
from shakeproof.metrics.settings import Settings
from shakeproof.spec.diagnostics import Diagnostics
from shakeproof.spec.model import MetricSpec
from shakeproof.spec.variables import expand_variables
from shakeproof.spec.written import NAME_SCHEMA, has_defaults, mapping_of, one_named, with_schema
from shakeproof.validation import Problem, Trail, shown, validate

TOP: Trail = ("metrics",)
EXAMPLE = "metrics: {deep: {bertscore: {model: minilm, layer: last}}}"
KIND = "{bertscore: {layer: last}}"


def metrics_type() -> Any:  # noqa: ANN401 - a type
    """Return the type of `metrics`: by name, a kind or a kind with its options."""
    kinds = {
        kind: Annotated[_options_type(model), Field(description=model.summary)]
        for kind, model in METRICS.items()
    }
    bare = [kind for kind, model in METRICS.items() if has_defaults(model)]
    metric = one_named("metric", kinds, bare)
    return with_schema(mapping_of(metric, minProperties=1), propertyNames=NAME_SCHEMA)


def _options_type(model: type[Options]) -> Any:  # noqa: ANN401 - a type
    options: Any = model | None if has_defaults(model) else model
    if model.scalar is None:
        return options
    field = model.model_fields[model.scalar]
    return options | Annotated[(field.annotation, Field(), *field.metadata)]


def read_options(kind: str, value: object) -> tuple[Options | None, list[Problem]]:
    """Read the options of a known kind: a mapping, nothing, or a plain value for its one field."""
    model = METRICS[kind]
    if isinstance(value, Mapping) or value is None:
        return validate(model, dict(value or {}))
    if model.scalar is None:
        message = f"the options of {kind} must be a mapping, got {shown(value)}"
        return None, [Problem((), message)]
    return validate(model, {model.scalar: value})


def kind_of(options: Options) -> str:
    """Return the kind under which a class of options is registered."""
    for kind, model in METRICS.items():
        if model is type(options):
            return kind
    raise SpecError(f"{type(options).__name__} is not registered as a kind of metric")


def read_metrics(
    value: object, folders: tuple[Path, ...], diagnostics: Diagnostics
) -> dict[str, MetricSpec]:
    """Read all metrics; those with mistakes are left out."""
    if value is None or value == {}:
        if not diagnostics.is_wrong(TOP):
            diagnostics.add(TOP, f"no metrics; write {EXAMPLE}", key=True)
        return {}
    written = diagnostics.mapping(value, TOP, EXAMPLE) or {}
    specs = {}
    for name, entry in written.items():
        diagnostics.check_name("metric", name, (*TOP, name), key=True)
        if (spec := _metric(name, entry, folders, diagnostics)) is not None:
            specs[name] = spec
    _check_references(specs, written, diagnostics)
    return specs


def _metric(
    name: str, value: object, folders: tuple[Path, ...], diagnostics: Diagnostics
) -> MetricSpec | None:
    """Read a kind with its options, a kind alone, or options made in code."""
    trail = (*TOP, name)
    line, file = diagnostics.line(trail), diagnostics.base(trail)
    if isinstance(value, Options):
        return MetricSpec(name, kind_of(value), value, line)
    got = shown(value)
    if isinstance(value, dict) and len(value) > 1:
        got = f"{len(value)} ({', '.join(value)})"
    if isinstance(value, str) and value:
        kind, written, at = value, None, trail
    elif isinstance(value, dict) and len(value) == 1:
        ((kind, written),) = value.items()
        at = (*trail, kind)
    else:
        message = f"metric {name!r} must have one kind with its options, such as {KIND}, got {got}"
        diagnostics.add(trail, message, key=True)
        return None
    if kind not in METRICS:
        diagnostics.add(at, str(unknown("metric kind", kind, METRICS)), key=at != trail)
        return None
    options, problems = read_options(kind, written)
    if isinstance(written, dict) or written is None:
        problems = [_explain_nested_metric(problem, kind, written or {}) for problem in problems]
        diagnostics.add_problems(problems, (*trail, kind))
    else:  # a plain value for the one field has no trail of its own
        for problem in problems:
            diagnostics.add((*trail, kind), problem.message)
    if options is None:
        return None
    settings = Settings(folder=file.parent if file else folders[0], rootdir=folders[-1])
    problems = [*_variables_not_set(options), *_not_in_files(options, settings)]
    diagnostics.add_problems(problems, (*trail, kind))
    return MetricSpec(name, kind, options, line, file)


def expanded(options: Options, variables: Mapping[str, str]) -> Options:
    """Put in the values of environment variables; one that is not set is a ValueError."""
    values = {
        name: expand_variables(getattr(options, name), variables) for name in options.with_variables
    }
    return options.model_copy(update=values) if values else options


def _variables_not_set(options: Options) -> Iterator[Problem]:
    """Yield a problem for each option whose environment variable is not set."""
    for name in options.with_variables:
        try:
            expand_variables(getattr(options, name), os.environ)
        except ValueError as error:
            yield Problem((name,), str(error))


def _not_in_files(options: Options, settings: Settings) -> Iterator[Problem]:
    """Yield a problem for each option that names what is not in the user's files."""
    for field, message in options.mistakes(settings):
        yield Problem((field,), message)


def _explain_nested_metric(problem: Problem, kind: str, options: Mapping[str, object]) -> Problem:
    """Say how to name another metric, if an option holds that metric itself, as {kind: …}."""
    option = problem.trail[0] if len(problem.trail) == 1 else None
    value = options.get(option) if isinstance(option, str) else None
    if not isinstance(option, str) or not isinstance(value, dict):
        return problem
    nested = next((key for key in value if key in METRICS), "bertscore")
    name = f"my-{nested}"
    named, _ = validate(METRICS[kind], {option: name})
    if named is None or name not in named.refers:  # this option does not name a metric
        return problem
    declaration = f"metrics: {{{name}: {{{nested}: …}}}}"
    message = f"{option} must be the name of a metric; declare it under {declaration}"
    return replace(problem, message=f"{message} and write {option}: {name}")


def _check_references(
    specs: Mapping[str, MetricSpec], written: Mapping[str, object], diagnostics: Diagnostics
) -> None:
    graph = {}
    for name, spec in specs.items():
        graph[name] = [other for other in spec.options.refers if other in written]
        for other in spec.options.refers:
            if other not in written:
                trail = next(trails_to(other, written[name], (*TOP, name)), (*TOP, name))
                diagnostics.add(trail, str(unknown("metric", other, written)))
    check_circles("metric", graph, TOP, diagnostics)


def check_circles(
    what: str, graph: Mapping[str, Sequence[str]], top: Trail, diagnostics: Diagnostics
) -> bool:
    """Record what builds on itself; return whether nothing does."""
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        circle = list(reversed(error.args[1]))
        message = f"{what} {circle[0]!r} builds on itself: {' → '.join(circle)}"
        diagnostics.add((*top, circle[0]), message, key=True)
        return False
    return True


def trails_to(wanted: object, value: object, trail: Trail) -> Iterator[Trail]:
    """Yield the trail of every place where `wanted` occurs inside a value."""
    if value == wanted:
        yield trail
    elif isinstance(value, dict):
        for key, inner in value.items():
            yield from trails_to(wanted, inner, (*trail, key))
    elif isinstance(value, list):
        for position, inner in enumerate(value):
            yield from trails_to(wanted, inner, (*trail, position))
