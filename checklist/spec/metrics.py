"""The metrics of a checklist: names, kinds, options, and which builds on which."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from graphlib import CycleError, TopologicalSorter

from shakeproof.errors import unknown
from shakeproof.metrics.options import Options
from shakeproof.metrics.registry import METRICS
from shakeproof.spec.diagnostics import Notebook
from shakeproof.spec.model import MetricSpec
from shakeproof.validation import Trail, shown, validate

TOP: Trail = ("metrics",)
EXAMPLE = "metrics: {deep: {bertscore: {model: minilm, layer: last}}}"
KIND = "{bertscore: {layer: last}}"


def read_metrics(raw: object, notebook: Notebook) -> dict[str, MetricSpec]:
    """Read all metrics; those with mistakes are noted and left out."""
    if raw is None or raw == {}:
        if not notebook.blamed(TOP):
            notebook.note(TOP, f"no metrics; write {EXAMPLE}", key=True)
        return {}
    written = notebook.mapping(raw, TOP, EXAMPLE) or {}
    read = [_metric(name, one, notebook) for name, one in written.items()]
    specs = {spec.name: spec for spec in read if spec is not None}
    _check_references(specs, written, notebook)
    return specs


def _metric(name: str, raw: object, notebook: Notebook) -> MetricSpec | None:
    trail = (*TOP, name)
    notebook.check_name("metric", name, trail, key=True)
    single = _single(name, raw, notebook)
    if single is None:
        return None
    kind, options = single
    model = METRICS.get(kind)
    if model is None:
        inside = (*trail, kind) if isinstance(raw, dict) else trail
        notebook.note(inside, str(unknown("metric kind", kind, METRICS)), key=inside != trail)
        return None
    made = _options(model, kind, options, trail, notebook)
    return None if made is None else MetricSpec(name, kind, made, notebook.line(trail))


def _single(name: str, raw: object, notebook: Notebook) -> tuple[str, object] | None:
    """Take `{kind: options}`, or the bare kind, apart."""
    if isinstance(raw, str) and raw:
        return raw, None
    if isinstance(raw, dict) and len(raw) == 1:
        return next(iter(raw.items()))
    found = f"{len(raw)} ({', '.join(raw)})" if isinstance(raw, dict) and raw else shown(raw)
    message = f"metric {name!r} must have one kind with its options, such as {KIND}, got {found}"
    notebook.note((*TOP, name), message, key=True)
    return None


def _options(
    model: type[Options], kind: str, raw: object, trail: Trail, notebook: Notebook
) -> Options | None:
    """Read options: a mapping, nothing for all defaults, or a plain value for the one field."""
    inside = (*trail, kind)
    if isinstance(raw, dict) or raw is None:
        return notebook.model(model, raw or {}, inside)
    if model.scalar is None:
        notebook.note(inside, f"the options of {kind} must be a mapping, got {shown(raw)}")
        return None
    made, wrong = validate(model, {model.scalar: raw})
    for one in wrong:
        notebook.note(inside, one.message)
    return made


def _check_references(
    specs: Mapping[str, MetricSpec], written: Mapping[str, object], notebook: Notebook
) -> None:
    graph = {}
    for name, spec in specs.items():
        graph[name] = [other for other in spec.options.refers if other in written]
        for other in spec.options.refers:
            if other not in written:
                trail = next(trails_to(other, written[name], (*TOP, name)), (*TOP, name))
                notebook.note(trail, str(unknown("metric", other, written)))
    check_circles("metric", graph, TOP, notebook)


def check_circles(
    what: str, graph: Mapping[str, Sequence[str]], top: Trail, notebook: Notebook
) -> bool:
    """Note what builds on itself; say whether nothing does."""
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        circle = list(reversed(error.args[1]))
        message = f"{what} {circle[0]!r} builds on itself: {' → '.join(circle)}"
        notebook.note((*top, circle[0]), message, key=True)
        return False
    return True


def trails_to(wanted: object, value: object, trail: Trail) -> Iterator[Trail]:
    """Find where `wanted` stands inside a value."""
    if value == wanted:
        yield trail
    elif isinstance(value, dict):
        for key, one in value.items():
            yield from trails_to(wanted, one, (*trail, key))
    elif isinstance(value, list):
        for position, one in enumerate(value):
            yield from trails_to(wanted, one, (*trail, position))
