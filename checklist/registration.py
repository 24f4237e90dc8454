"""Names of one's own: decorators that make them known to every checklist of a session.

They are meant for conftest.py, which pytest imports before it collects. What is registered stands
in the same dictionaries as what is built in, so it is checked, suggested and listed alike.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any, ClassVar, TypeAlias, TypedDict, TypeVar, Unpack

from shakeproof.errors import SpecError
from shakeproof.expectations import EXPECTATIONS, Expectation
from shakeproof.files import shown_path
from shakeproof.loading import DATA, SAMPLE, Given, Provider
from shakeproof.metrics.formulas import BestReference, EachPair
from shakeproof.metrics.options import Options, reference_free
from shakeproof.metrics.protocols import Metric
from shakeproof.metrics.python import HASH_CHARACTERS
from shakeproof.metrics.registry import METRICS
from shakeproof.metrics.settings import Settings
from shakeproof.perturbations import PERTURBATIONS
from shakeproof.perturbations.declared import from_object
from shakeproof.spec.declarations import FieldName, Level, Need, WrittenPython
from shakeproof.spec.notebook import unfit
from shakeproof.spec.wording import validate

T = TypeVar("T")
F = TypeVar("F", bound=Callable[..., str])
M = TypeVar("M", bound=Callable[..., Any])
D = TypeVar("D", bound=Callable[[], Given])
E = TypeVar("E", bound=type[Expectation])
Origin: TypeAlias = tuple[str, str]  # the file and the qualified name of what was registered

ORIGINS: dict[tuple[str, str], Origin] = {}  # by what it is and its name


class Declared(TypedDict, total=False):
    """What a family may declare, in the words of a checklist."""

    keeps_meaning: bool
    level: Level
    on: FieldName | Sequence[FieldName]
    languages: Sequence[str]
    scripts: Sequence[str]
    random: bool
    needs: Sequence[Need]
    summary: str


def family(name: str, **declared: Unpack[Declared]) -> Callable[[F], F]:
    """Register a function of (text, level, rng), or with the context as a fourth, as a family."""
    written, wrong = validate(WrittenPython, dict(declared))
    if written is None:
        raise SpecError(f"family {name!r}: {wrong[0].message}")

    def register(function: F) -> F:
        made = written.amend(from_object(name, function))
        _register("family", PERTURBATIONS, {name: made}, function)
        return function

    return register


def metric(name: str, *, version: str | None = None) -> Callable[[M], M]:
    """Register a function of (candidate, reference), or a class of options, as a kind of metric.

    A function gets a twin, `NAME-free`, that is called with the source instead of a reference.
    Its scores are kept under the hash of its file, or under `version`.
    """

    def register(thing: M) -> M:
        _register("metric", METRICS, _kinds(name, thing, version), thing)
        return thing

    return register


def expectation(model: E) -> E:
    """Register a class of expectations under its `name`."""
    entries: dict[str, type[Expectation]] = {model.name: model}
    _register("expectation", EXPECTATIONS, entries, model)
    return model


def data_set(name: str) -> Callable[[D], D]:
    """Register a function that gives segments, or the path of a file from its own folder."""

    def register(function: D) -> D:
        provider = Provider(function, Path(_file(function)).parent)
        _register("data set", DATA, {name: provider}, function, also=[SAMPLE])
        return function

    return register


def _register(
    what: str,
    registry: dict[str, T],
    entries: Mapping[str, T],
    thing: object,
    *,
    also: Sequence[str] = (),
) -> None:
    """Put entries in a registry; only what came from the same place may be replaced."""
    origin = _file(thing), str(getattr(thing, "__qualname__", thing))
    for name in entries:
        if problem := unfit(what, name):
            raise SpecError(problem)
        before = ORIGINS.get((what, name))
        if before is None and (name in registry or name in also):
            raise SpecError(f"{what} {name!r} is built in; register yours under another name")
        if before not in (None, origin):
            raise SpecError(f"{what} {name!r} is registered already, {_place(before)}")
    for name, entry in entries.items():
        registry[name] = entry
        ORIGINS[what, name] = origin


def _place(origin: Origin | None) -> str:
    file, name = origin or ("", "")
    return f"as {name} in {shown_path(Path(file))}"


def _file(thing: object) -> str:
    """Name the file that something is written in, or what stands for one in a notebook."""
    try:
        return inspect.getfile(thing)  # type: ignore[arg-type]  # it refuses what it cannot take
    except TypeError:
        return ""


def _kinds(name: str, thing: Any, version: str | None) -> dict[str, type[Options]]:  # noqa: ANN401
    """Give the options as they are, or those of a function and of its twin."""
    if isinstance(thing, type) and issubclass(thing, Options):
        return {name: thing}
    options = _options(name, thing, version)
    return {name: options, f"{name}-free": reference_free(options)}


def _options(name: str, thing: Callable[..., Any], version: str | None) -> type[Options]:
    signature = f"registered|{name}|{_edition(name, thing, version)}"
    made = BestReference(EachPair(signature, thing))

    class Registered(Options):
        __doc__ = inspect.getdoc(thing)
        summary: ClassVar[str] = (inspect.getdoc(thing) or f"your own {name}").split("\n")[0]

        def build(self, others: Mapping[str, Metric], settings: Settings) -> Metric:
            """Give the metric, which has no options."""
            return made

    return Registered


def _edition(name: str, thing: Callable[..., Any], version: str | None) -> str:
    if version is not None:
        return f"version:{version}"
    file = Path(_file(thing))
    if not file.is_file():
        raise SpecError(f"metric {name!r} has no file to tell its version; add version=")
    return f"sha256:{sha256(file.read_bytes()).hexdigest()[:HASH_CHARACTERS]}"
