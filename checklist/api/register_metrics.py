"""Metrics and scorers of one's own, made known by decorators."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Any, ClassVar, TypeVar

import numpy as np

from shakeproof.api.register import file_of, first_line, register_entries
from shakeproof.errors import SpecError
from shakeproof.metrics.formulas import AllReferences, BestReference, PairwiseScorer
from shakeproof.metrics.kinds.python import HASH_CHARACTERS
from shakeproof.metrics.options import Options, reference_free
from shakeproof.metrics.protocols import Metric, Texts, Vector
from shakeproof.metrics.registry import METRICS, SCORERS
from shakeproof.metrics.settings import Settings

M = TypeVar("M", bound=Callable[..., Any])
S = TypeVar("S", bound=Callable[[Sequence[Texts]], Sequence[float]])


@dataclass(frozen=True, slots=True)
class AtOnce:
    """A scorer that calls a function once for many tuples of texts."""

    signature: str
    function: Callable[[Sequence[Texts]], Sequence[float]] = field(compare=False)

    def score(self, tuples: Sequence[Texts]) -> Vector:
        """Rate all at once."""
        return np.array([float(one) for one in self.function(list(tuples))])


def metric(name: str, *, version: str | None = None) -> Callable[[M], M]:
    """Register a function of (candidate, reference), or a class of options, as a kind of metric.

    A function gets a twin, `NAME-free`, that is called with the source instead of a reference.
    Its scores are kept under the hash of its file, or under `version`.
    """

    def register(thing: M) -> M:
        register_entries("metric", METRICS, _kinds_of(name, thing, version), thing)
        return thing

    return register


def _kinds_of(name: str, thing: Any, version: str | None) -> dict[str, type[Options]]:  # noqa: ANN401
    if isinstance(thing, type) and issubclass(thing, Options):
        return {name: thing}
    made = BestReference(PairwiseScorer(_signature(name, thing, version), thing))
    return _kinds(name, thing, made)


def scorer(name: str, *, version: str | None = None, together: bool = False) -> Callable[[S], S]:
    """Register a function that rates many tuples of texts at once, as a kind of metric too.

    The tuples are (candidate, reference), the best reference counting, or with `together` the
    candidate and all its references. `SCORERS[name]` is the scorer, for formulas of one's own.
    """

    def register(function: S) -> S:
        made = AtOnce(_signature(name, function, version), function)
        built = AllReferences(made) if together else BestReference(made)
        register_entries("metric", METRICS, _kinds(name, function, built), function)
        SCORERS[name] = made
        return function

    return register


def _kinds(name: str, thing: object, made: Metric) -> dict[str, type[Options]]:
    """Give the options of a metric and of its twin that looks at the source."""

    class Registered(Options):
        __doc__ = inspect.getdoc(thing)
        summary: ClassVar[str] = first_line(thing, name)

        def build(self, others: Mapping[str, Metric], settings: Settings) -> Metric:
            """Give the metric, which has no options."""
            return made

    return {name: Registered, f"{name}-free": reference_free(Registered)}


def _signature(name: str, thing: object, version: str | None) -> str:
    if version is not None:
        return f"registered|{name}|version:{version}"
    file = Path(file_of(thing))
    if not file.is_file():
        raise SpecError(f"metric {name!r} has no file to tell its version; add version=")
    return f"registered|{name}|sha256:{sha256(file.read_bytes()).hexdigest()[:HASH_CHARACTERS]}"
