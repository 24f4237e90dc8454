"""What a check expects, and whether that fits what it perturbs."""

from __future__ import annotations

from collections.abc import Sequence

from shakeproof.errors import unknown
from shakeproof.expectations import EXPECTATIONS, Expectation
from shakeproof.expectations.base import Bounded
from shakeproof.expectations.comparisons import Ahead
from shakeproof.expectations.own import Own
from shakeproof.metrics.functions import FunctionNotFound, find_function
from shakeproof.spec.diagnostics import Notebook
from shakeproof.spec.metrics import trails_to
from shakeproof.spec.model import Perturb
from shakeproof.spec.scope import Known
from shakeproof.validation import Trail, shown

EXAMPLE = "expect: {score_change: {at_most: 0.2}}"


def read_expectation(
    raw: object, known: Known, trail: Trail, notebook: Notebook
) -> Expectation | None:
    """Read the one expectation of a check, by name or as a mapping with its settings."""
    single = _single(raw, trail, notebook)
    if single is None:
        return None
    name, settings = single
    at = (*trail, name) if isinstance(raw, dict) else trail
    model = EXPECTATIONS.get(name)
    if model is None:
        notebook.note(at, str(unknown("expectation", name, EXPECTATIONS)), key=at != trail)
        return None
    if settings is not None and not isinstance(settings, dict):
        message = f"{name} must be a mapping, got {shown(settings)}; write {{at_most: …}}"
        notebook.note(at, message)
        return None
    expect = notebook.model(model, settings or {}, at)
    if isinstance(expect, Bounded):
        _check_bounds(expect, at, notebook)
    if expect is not None:
        _check_metrics(expect, settings, known.metrics, at, notebook)
    return _found(expect, known, at, notebook) if isinstance(expect, Own) else expect


def _found(expect: Own, known: Known, trail: Trail, notebook: Notebook) -> Expectation:
    """Look up the function of an expectation of one's own."""
    try:
        find_function(expect.function, known.folders)
    except FunctionNotFound as error:
        notebook.note((*trail, "statistic"), str(error))
    return expect.look_in(known.folders)


def _single(raw: object, trail: Trail, notebook: Notebook) -> tuple[str, object] | None:
    if raw is None or raw == {}:
        if not notebook.blamed(trail):
            notebook.note(trail, f"a check that expects nothing; write {EXAMPLE}", key=True)
        return None
    if isinstance(raw, str) and raw:
        return raw, None
    if isinstance(raw, dict) and len(raw) == 1:
        return next(iter(raw.items()))
    if isinstance(raw, dict):
        message = f"a check expects one thing, got {', '.join(raw)}; write a check for each"
    else:
        message = f"expect must be a mapping, got {shown(raw)}; write {EXAMPLE}"
    notebook.note(trail, message)
    return None


def _check_bounds(expect: Bounded, trail: Trail, notebook: Notebook) -> None:
    low, high = expect.at_least, expect.at_most
    if low is None and high is None:
        message = f"{expect.name} without a bound; write at_least: …, at_most: … or both"
        notebook.note(trail, message, key=True)
    elif low is not None and high is not None and low > high:
        message = f"at_least {low:g} lies above at_most {high:g}; nothing can lie between"
        notebook.note((*trail, "at_least"), message)


def _check_metrics(
    expect: Expectation, raw: object, names: Sequence[str], trail: Trail, notebook: Notebook
) -> None:
    for other in expect.refers:
        if other not in names:
            at = next(trails_to(other, raw, trail), trail)
            notebook.note(at, str(unknown("metric", other, names)))


def check_fit(
    expect: Expectation,
    metrics: tuple[str, ...],
    perturb: tuple[Perturb, ...],
    known: Known,
    trail: Trail,
    notebook: Notebook,
) -> None:
    """Refuse what makes no sense together."""
    at = (*trail, "perturb")
    name = expect.name
    if expect.needs_perturb and not perturb and not notebook.within(at):
        message = f"{name} compares with perturbed texts; write perturb: {{family: {{on: …}}}}"
        notebook.note((*trail, "expect"), message, key=True)
    if isinstance(expect, Ahead) and (itself := set(metrics) & set(expect.refers)):
        message = f"{name} would compare {min(itself)!r} with itself; name the others in metrics: …"
        notebook.note((*trail, "expect"), message, key=True)
    for one in perturb if expect.correlational else ():
        if one.on == "candidate" and not _keeps_meaning(one.family, known):
            notebook.note((*at, one.family), _invalid(name, one.family), key=True)


def _keeps_meaning(family: str, known: Known) -> bool:
    return family in known.families and known.families[family].keeps_meaning


def _invalid(name: str, family: str) -> str:
    return (
        f"{name} under {family!r} on candidates: people rated the texts as they were, and "
        f"{family!r} changes their meaning; expect score_drop or score_change instead, or "
        "perturb the reference"
    )
