"""Names of one's own: decorators that make them known to every checklist of a session.

They are meant for conftest.py, which pytest imports before it collects. What is registered stands
in the same dictionaries as what is built in, so it is checked, suggested and listed alike.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import ClassVar, TypeAlias, TypedDict, TypeVar, Unpack

from shakeproof.data.loading import DATA, Given, Provider
from shakeproof.data.named import NAMED_DATA
from shakeproof.errors import SpecError
from shakeproof.expectations import EXPECTATIONS, Expectation
from shakeproof.expectations.base import Bounded
from shakeproof.files import shown_path
from shakeproof.perturbations import PERTURBATIONS
from shakeproof.perturbations.families.declared import from_object
from shakeproof.spec.family_forms import FieldName, Level, Need, WrittenPython
from shakeproof.spec.written import name_problem
from shakeproof.stats.observations import ComparedScores, Statistic
from shakeproof.validation import validate

T = TypeVar("T")
F = TypeVar("F", bound=Callable[..., str])
D = TypeVar("D", bound=Callable[[], Given])
E = TypeVar("E", bound=type[Expectation])
S = TypeVar("S", bound=Callable[[ComparedScores], Statistic])
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
        register_entries("family", PERTURBATIONS, {name: made}, function)
        return function

    return register


def expectation(model: E) -> E:
    """Register a class of expectations under its `name`."""
    entries: dict[str, type[Expectation]] = {model.name: model}
    register_entries("expectation", EXPECTATIONS, entries, model)
    return model


def statistic(
    name: str,
    *,
    label: str = "value",
    needs_perturb: bool = False,
    over_levels: bool = False,
    correlational: bool = False,
) -> Callable[[S], S]:
    """Register what gives the statistic of a cell as an expectation that its bounds hold.

    `label` is how messages call the number; `correlational` says that it compares with what
    people judged, so that edits of candidates must keep the meaning.
    """

    def register(make: S) -> S:
        model = _judged(name, make, label)
        model.needs_perturb, model.over_levels = needs_perturb, over_levels
        model.correlational = correlational
        register_entries("expectation", EXPECTATIONS, {name: model}, make)
        return make

    return register


def data_set(name: str) -> Callable[[D], D]:
    """Register a function that gives segments, or the path of a file from its own folder."""

    def register(function: D) -> D:
        provider = Provider(function, Path(file_of(function)).parent)
        register_entries("data set", DATA, {name: provider}, function, also=[*NAMED_DATA])
        return function

    return register


def _judged(
    title: str, make: Callable[[ComparedScores], Statistic], registered_label: str
) -> type[Bounded]:
    """Make an expectation of a statistic: bounds from the checklist, everything else from it."""

    class Judged(Bounded):
        __doc__ = inspect.getdoc(make)
        name: ClassVar[str] = title
        summary: ClassVar[str] = first_line(make, title)
        label: ClassVar[str] = registered_label

        def statistic(self, compared: ComparedScores) -> Statistic:
            """Ask for the statistic of the cell."""
            return make(compared)

    return Judged


def register_entries(
    what: str,
    registry: dict[str, T],
    entries: Mapping[str, T],
    thing: object,
    *,
    also: Sequence[str] = (),
) -> None:
    """Put entries in a registry; only what came from the same place may be replaced."""
    origin = file_of(thing), str(getattr(thing, "__qualname__", thing))
    for name in entries:
        if problem := name_problem(what, name):
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
    return f"as {name} in {shown_path(Path(file)) if file else 'this notebook'}"


def file_of(thing: object) -> str:
    """Name the file that something is written in; a cell of a notebook is in none."""
    try:
        file = inspect.getfile(thing)  # type: ignore[arg-type]  # it refuses what it cannot take
    except (TypeError, OSError):
        return ""
    return file if Path(file).is_file() else ""


def first_line(thing: object, name: str) -> str:
    """Say in a line what something does: in the words of its docstring, if it has one."""
    return (inspect.getdoc(thing) or f"your own {name}").split("\n")[0]
