"""How scorers are built again in another process: plain data, never a model or an open file."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, TypeAlias

from shakeproof.metrics.asking import AskingScorer
from shakeproof.metrics.functions import run_file
from shakeproof.metrics.models.runtime import uses_model
from shakeproof.metrics.models.truncation import overflow_scorer
from shakeproof.metrics.options import Options
from shakeproof.metrics.protocols import Instance, Metric, Scorer
from shakeproof.metrics.settings import Settings

Plain: TypeAlias = dict[str, Any]  # texts, numbers, None, and lists and dictionaries of them
Source: TypeAlias = tuple[int, str]  # the number of a recipe, and the name of a metric in it

MAX_SHOWN = 3  # parts of a signature that differ, in a message


class CannotBuild(Exception):
    """A scorer cannot be built here as it was built in the main process."""


@dataclass(frozen=True, slots=True)
class MetricOptions:
    """A metric of a checklist: its kind, its options as JSON, and the metrics it is built from."""

    kind: str
    options: str
    refers: tuple[str, ...] = ()
    folder: Path | None = None  # of the base that declares it; None: that of the checklist


@dataclass(frozen=True, slots=True)
class Recipe:
    """How the metrics of one checklist are built."""

    metrics: Mapping[str, MetricOptions]
    settings: Settings
    instance: Instance  # one of the data, which shows the scorers that a metric needs
    modules: tuple[Path, ...] = ()  # conftest.py files that register kinds of metrics

    def relative_to(self, root: Path) -> Recipe:
        """Name folders and files from a root, which other machines have a copy of."""
        settings = replace(
            self.settings, folder=_relative(self.settings.folder, root), rootdir=Path()
        )
        modules = tuple(_relative(file, root) for file in self.modules)
        metrics = {
            name: replace(metric, folder=metric.folder and _relative(metric.folder, root))
            for name, metric in self.metrics.items()
        }
        return replace(self, metrics=metrics, settings=settings, modules=modules)

    def settings_of(self, metric: MetricOptions) -> Settings:
        """Return the settings that a metric is built with."""
        return replace(self.settings, folder=metric.folder) if metric.folder else self.settings

    def to_plain(self) -> Plain:
        """Write it as plain data."""
        settings, instance = self.settings, self.instance
        return {
            "metrics": {
                name: [metric.kind, metric.options, list(metric.refers), str(metric.folder or "")]
                for name, metric in self.metrics.items()
            },
            "settings": [settings.device, settings.precision, settings.offline],
            "folders": [str(settings.folder), str(settings.rootdir or "")],
            "instance": [instance.candidate, list(instance.references), instance.source],
            "rivals": list(instance.rivals),
            "modules": [str(file) for file in self.modules],
        }


def recipe_from(plain: Plain) -> Recipe:
    """Read a recipe that `to_plain` wrote."""
    candidate, references, source = plain["instance"]
    device, precision, offline = plain["settings"]
    folder, rootdir = plain["folders"]
    return Recipe(
        {
            name: MetricOptions(kind, options, tuple(refers), Path(own) if own else None)
            for name, (kind, options, refers, own) in plain["metrics"].items()
        },
        Settings(device, precision, offline, Path(folder), Path(rootdir) if rootdir else None),
        Instance(candidate, tuple(references), source, rivals=tuple(plain["rivals"])),
        tuple(map(Path, plain["modules"])),
    )


def _relative(path: Path, root: Path) -> Path:
    return path.relative_to(root) if path.is_relative_to(root) else path


def scorers_of(metric: Metric, instance: Instance) -> Iterable[Scorer]:
    """Yield the scorers that a metric needs, and those that count what their models cut off."""
    for scorer, _ in metric.needs(instance):
        yield scorer
        if uses_model(scorer):
            yield overflow_scorer(scorer.runtime)


def find_sources(built: Sequence[tuple[Recipe, Mapping[str, Metric]]]) -> dict[str, Source]:
    """Return for each signature the metric of a recipe that has its scorer.

    A scorer that asks a service has none: the process that writes the cache runs it.
    """
    sources: dict[str, Source] = {}
    for number, (recipe, metrics) in enumerate(built):
        for name in recipe.metrics:
            if name in metrics:
                for scorer in scorers_of(metrics[name], recipe.instance):
                    if isinstance(scorer, AskingScorer):
                        continue
                    sources.setdefault(scorer.signature, (number, name))
    return sources


@dataclass(eq=False)
class BuiltScorers:
    """The metrics and scorers that a worker built by recipes, each once."""

    recipes: Sequence[Recipe]
    _metrics: dict[Source, Metric] = field(default_factory=dict)
    _scorers: dict[str, Scorer] = field(default_factory=dict)

    def scorer(self, signature: str, source: Source) -> Scorer:
        """Return the scorer of a signature; raise CannotBuild if it is not the same here."""
        if signature not in self._scorers:
            number, _ = source
            found = scorers_of(self._metric(source), self.recipes[number].instance)
            self._scorers |= {scorer.signature: scorer for scorer in found}
        if signature not in self._scorers:
            raise CannotBuild(_difference(signature, self._scorers))
        return self._scorers[signature]

    def _metric(self, source: Source) -> Metric:
        if source not in self._metrics:
            number, name = source
            try:
                self._metrics[source] = self._build(number, name)
            except Exception as error:  # of a user's module, or of a model that is not here
                raise CannotBuild(f"metric {name!r}: {type(error).__name__}: {error}") from error
        return self._metrics[source]

    def _build(self, number: int, name: str) -> Metric:
        recipe = self.recipes[number]
        metric = recipe.metrics[name]
        others = {other: self._metric((number, other)) for other in metric.refers}
        options = _kind(metric.kind, recipe.modules).model_validate_json(metric.options)
        return options.build(others, recipe.settings_of(metric))


def _kind(name: str, modules: Sequence[Path]) -> type[Options]:
    """Return a kind of metric, which one of the users' modules may register."""
    from shakeproof.metrics.registry import METRICS  # kinds import the engine

    if name not in METRICS:
        for file in modules:
            run_file(file.resolve())
    if name not in METRICS:
        raise ValueError(f"kind {name!r} is registered in no conftest.py")
    return METRICS[name]


def _difference(signature: str, known: Iterable[str]) -> str:
    """Say in which parts a signature differs from the most similar one that is known here."""
    parts = signature.split("|")
    similar = max(known, key=lambda other: len({*parts} & {*other.split("|")}), default="")
    here = [part for part in similar.split("|") if part not in parts][:MAX_SHOWN]
    there = [part for part in parts if part not in similar.split("|")][:MAX_SHOWN]
    return f"{' '.join(here) or 'nothing'} instead of {' '.join(there)}"
