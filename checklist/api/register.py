"""Decorators that register a user's own families, metrics, data sets and expectations by name.

They are meant for conftest.py, which pytest imports before it collects. What is registered is put
into the dictionaries of the built-in names, so it is checked, suggested and listed like those.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar, TypeAlias, TypedDict, TypeVar, Unpack

from shakeproof.data.loading import DATA, Given, Provider
from shakeproof.data.named import NAMED_DATA
from shakeproof.errors import SpecError
from shakeproof.expectations import EXPECTATIONS, Expectation
from shakeproof.expectations.base import Bounded
from shakeproof.files import shown_path
from shakeproof.metrics.engine.calls import rate_together
from shakeproof.metrics.formulas import AllReferences, BestReference, PairwiseScorer
from shakeproof.metrics.kinds.python import HASH_CHARACTERS
from shakeproof.metrics.options import Options, reference_free
from shakeproof.metrics.protocols import Metric, ScoreColumn, Texts, Vector, column_of
from shakeproof.metrics.registry import METRICS, SCORERS
from shakeproof.metrics.settings import Settings
from shakeproof.metrics.source_files import hash_sources
from shakeproof.perturbations import PERTURBATIONS
from shakeproof.perturbations.families.declared import from_object
from shakeproof.spec.family_forms import FieldName, Level, Need, WrittenPython
from shakeproof.spec.written import name_problem
from shakeproof.stats.observations import ComparedScores, Statistic
from shakeproof.validation import validate

T = TypeVar("T")
FamilyFunction = TypeVar("FamilyFunction", bound=Callable[..., str])
MetricDefinition = TypeVar("MetricDefinition", bound=Callable[..., Any])
ScorerFunction = TypeVar("ScorerFunction", bound=Callable[[Sequence[Texts]], Sequence[float]])
DataFunction = TypeVar("DataFunction", bound=Callable[[], Given])
ExpectationClass = TypeVar("ExpectationClass", bound=type[Expectation])
StatisticFactory = TypeVar("StatisticFactory", bound=Callable[[ComparedScores], Statistic])
Origin: TypeAlias = tuple[str, str]  # the file and the qualified name of what was registered

ORIGINS: dict[tuple[str, str], Origin] = {}  # by sort, such as "metric", and name


class FamilySettings(TypedDict, total=False):
    """What a family may declare, in the words of a checklist."""

    keeps_meaning: bool
    level: Level
    on: FieldName | Sequence[FieldName]
    languages: Sequence[str]
    scripts: Sequence[str]
    random: bool
    needs: Sequence[Need]
    summary: str


def family(
    name: str, **settings: Unpack[FamilySettings]
) -> Callable[[FamilyFunction], FamilyFunction]:
    """Register a function of (text, level, rng), or of these and the context, as a family."""
    written, problems = validate(WrittenPython, dict(settings))
    if written is None:
        raise SpecError(f"family {name!r}: {problems[0].message}")

    def register(function: FamilyFunction) -> FamilyFunction:
        entry = written.amend(from_object(name, function))
        register_entries("family", PERTURBATIONS, {name: entry}, function)
        return function

    return register


def metric(
    name: str, *, version: str | None = None
) -> Callable[[MetricDefinition], MetricDefinition]:
    """Register a function of (candidate, reference), or a class of options, as a kind of metric.

    For a function, `NAME-free` is registered too; it gets the source instead of a reference.
    Its scores are cached under the hash of its file, or under `version`.
    """

    def register(definition: MetricDefinition) -> MetricDefinition:
        register_entries("metric", METRICS, _metric_kinds(name, definition, version), definition)
        return definition

    return register


def _metric_kinds(
    name: str,
    definition: Any,  # noqa: ANN401 - a function or a class
    version: str | None,
) -> dict[str, type[Options]]:
    if isinstance(definition, type) and issubclass(definition, Options):
        return {name: definition}
    scorer = PairwiseScorer(_signature(name, definition, version), definition)
    return _kinds_without_options(name, definition, BestReference(scorer))


@dataclass(frozen=True, slots=True)
class BatchScorer:
    """A scorer that calls a function once for many tuples of texts."""

    signature: str
    function: Callable[[Sequence[Texts]], Sequence[float]] = field(compare=False)

    def score(self, tuples: Sequence[Texts]) -> Vector:
        return self.score_column(tuples).scores

    def score_column(self, tuples: Sequence[Texts]) -> ScoreColumn:
        return column_of(rate_together(self.function, [list(tuples)], len(tuples)))


def scorer(
    name: str, *, version: str | None = None, together: bool = False
) -> Callable[[ScorerFunction], ScorerFunction]:
    """Register a function that rates many tuples of texts at once, as a kind of metric too.

    The tuples are (candidate, reference), and the best reference counts; with `together` they are
    a candidate and all its references. `shakeproof.metrics.SCORERS[name]` is the scorer.
    """

    def register(function: ScorerFunction) -> ScorerFunction:
        scorer = BatchScorer(_signature(name, function, version), function)
        metric = AllReferences(scorer) if together else BestReference(scorer)
        register_entries(
            "metric", METRICS, _kinds_without_options(name, function, metric), function
        )
        SCORERS[name] = scorer
        return function

    return register


def _kinds_without_options(name: str, function: object, metric: Metric) -> dict[str, type[Options]]:
    """Return the kind of a metric without options, and that of its reference-free variant."""

    class Registered(Options):
        __doc__ = inspect.getdoc(function)
        summary: ClassVar[str] = _summary(function, name)

        def build(self, others: Mapping[str, Metric], settings: Settings) -> Metric:
            return metric

    return {name: Registered, f"{name}-free": reference_free(Registered)}


def _signature(name: str, function: object, version: str | None) -> str:
    if version is not None:
        return f"registered|{name}|version:{version}"
    file = Path(_file_of(function))
    if not file.is_file():
        raise SpecError(f"metric {name!r} has no file to hash as its version; add version=")
    return f"registered|{name}|sha256:{hash_sources(file, ())[:HASH_CHARACTERS]}"


def data_set(name: str) -> Callable[[DataFunction], DataFunction]:
    """Register a function that returns segments, or the path of a file relative to its own."""

    def register(function: DataFunction) -> DataFunction:
        provider = Provider(function, Path(_file_of(function)).parent)
        register_entries("data set", DATA, {name: provider}, function, reserved=NAMED_DATA)
        return function

    return register


def expectation(model: ExpectationClass) -> ExpectationClass:
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
) -> Callable[[StatisticFactory], StatisticFactory]:
    """Register a function or class that returns a statistic, as an expectation with bounds.

    `label` is the name of the number in messages; `correlational` says that it compares scores
    with human judgements, so that edits of candidates must keep the meaning.
    """

    def register(make: StatisticFactory) -> StatisticFactory:
        model = _expectation_of(name, make, label)
        model.needs_perturb, model.over_levels = needs_perturb, over_levels
        model.correlational = correlational
        register_entries("expectation", EXPECTATIONS, {name: model}, make)
        return make

    return register


def _expectation_of(
    expectation_name: str, make: Callable[[ComparedScores], Statistic], statistic_label: str
) -> type[Bounded]:
    class StatisticInBounds(Bounded):
        __doc__ = inspect.getdoc(make)
        name: ClassVar[str] = expectation_name
        summary: ClassVar[str] = _summary(make, expectation_name)
        label: ClassVar[str] = statistic_label

        def statistic(self, compared: ComparedScores) -> Statistic:
            return make(compared)

    return StatisticInBounds


def register_entries(
    sort: str,
    registry: dict[str, T],
    entries: Mapping[str, T],
    definition: object,
    *,
    reserved: Collection[str] = (),
) -> None:
    """Put entries into a registry; only those of the same definition may be replaced."""
    origin = _file_of(definition), str(getattr(definition, "__qualname__", definition))
    for name in entries:
        if problem := name_problem(sort, name):
            raise SpecError(problem)
        earlier = ORIGINS.get((sort, name))
        if earlier is None and (name in registry or name in reserved):
            raise SpecError(f"{sort} {name!r} is built in; register yours under another name")
        if earlier is not None and earlier != origin:
            file, qualified_name = earlier
            place = shown_path(Path(file)) if file else "this notebook"
            raise SpecError(
                f"{sort} {name!r} is registered already, as {qualified_name} in {place}"
            )
    for name, entry in entries.items():
        registry[name] = entry
        ORIGINS[sort, name] = origin


def _file_of(definition: object) -> str:
    """Return the file of a function or class; "" for one in a cell of a notebook."""
    try:
        file = inspect.getfile(definition)  # type: ignore[arg-type]  # raises if it has no file
    except (TypeError, OSError):
        return ""
    return file if Path(file).is_file() else ""


def _summary(definition: object, name: str) -> str:
    """Return the first line of the docstring, or a line that says that it is the user's own."""
    return (inspect.getdoc(definition) or f"your own {name}").split("\n")[0]
