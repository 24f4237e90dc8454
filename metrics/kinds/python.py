"""Metrics that are Python functions of the user."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Literal, Self

from pydantic import Field, model_validator

from shakeproof.metrics.engine.calls import rate_each, rate_together
from shakeproof.metrics.engine.isolation import rate_isolated
from shakeproof.metrics.engine.processes import TIMEOUT
from shakeproof.metrics.formulas import BestReference
from shakeproof.metrics.functions import Function, FunctionNotFound, find_function
from shakeproof.metrics.options import Options
from shakeproof.metrics.protocols import (
    Instance,
    Metric,
    ScoreColumn,
    Scorer,
    ScoreRequest,
    Texts,
    Vector,
    column_of,
)
from shakeproof.metrics.settings import Settings

WITH_SOURCE = "source"
HASH_CHARACTERS = 16


@dataclass(frozen=True, slots=True)
class FunctionScorer:
    """Calls a user's function, in a worker process unless `isolate` is off.

    The function takes a candidate and a reference or, with `batch`, lists of candidates,
    references and sources.
    """

    signature: str
    function: Function = field(compare=False)
    batch: bool = False
    isolate: bool = True
    timeout: float = TIMEOUT

    def score(self, tuples: Sequence[Texts]) -> Vector:
        return self.score_column(tuples).scores

    def score_column(self, tuples: Sequence[Texts]) -> ScoreColumn:
        """Rate each tuple; one for which the function raises has no score."""
        arguments = _lists(tuples) if self.batch else tuples
        count = len(tuples)
        if self.isolate:
            return rate_isolated(
                self.function, arguments, count, batch=self.batch, timeout=self.timeout
            )
        if self.batch:
            return column_of(rate_together(self.function, arguments, count))
        return column_of(rate_each(self.function, tuples))


def _lists(tuples: Sequence[Texts]) -> list[list[Any]]:
    """Return the candidates, the references and the sources of packed instances."""
    instances = [unpack(texts) for texts in tuples]
    return [
        [instance.candidate for instance in instances],
        [list(instance.references) for instance in instances],
        [instance.source for instance in instances],
    ]


@dataclass(frozen=True, slots=True)
class WholeInstance:
    """A metric whose scorer sees candidate, references and source together."""

    scorer: Scorer
    requires: frozenset[str]

    @property
    def signature(self) -> str:
        return self.scorer.signature

    def needs(self, instance: Instance) -> list[ScoreRequest]:
        return [(self.scorer, pack(instance))]

    def combine(self, instance: Instance, scores: Sequence[float]) -> float:
        return scores[0]


def pack(instance: Instance) -> Texts:
    """Write an instance as a tuple of texts; no source differs from an empty source."""
    source = () if instance.source is None else (WITH_SOURCE, instance.source)
    return (instance.candidate, *(source or ("",)), *instance.references)


def unpack(texts: Texts) -> Instance:
    """Read an instance from a tuple of texts."""
    candidate, mark, *rest = texts
    if mark == WITH_SOURCE:
        return Instance(candidate, tuple(rest[1:]), rest[0])
    return Instance(candidate, tuple(rest))


class PythonOptions(Options):
    """Where the function is, and how it is called."""

    summary: ClassVar[str] = "your own function, called with (candidate, reference)"
    scalar: ClassVar[str | None] = "function"

    function: str = Field(pattern=r"^[\w.]+:[\w.]+$")
    version: str | None = None  # the hash of the module's file if left out
    batch: bool = False  # called with lists: (candidates, references, sources)
    requires: tuple[Literal["references", "source"], ...] = Field(
        default=("references",), strict=False
    )
    isolate: bool = True  # called in a process of its own, which it cannot take ours with
    timeout: float = Field(default=TIMEOUT, gt=0, strict=False)  # seconds for a batch of texts

    @model_validator(mode="after")
    def _can_be_timed(self) -> Self:
        if not self.isolate and "timeout" in self.model_fields_set:
            raise ValueError("timeout needs isolate: true; nothing else can end a call")
        return self

    def build(self, others: Mapping[str, Metric], settings: Settings) -> Metric:
        function = self._function(settings)
        signature = f"python|{self.function}|{self._version(function)}|batch:{self.batch}"
        scorer = FunctionScorer(signature, function, self.batch, self.isolate, self.timeout)
        if self.batch:
            return WholeInstance(scorer, frozenset(self.requires))
        return BestReference(scorer)

    def mistakes(self, settings: Settings) -> Iterator[tuple[str, str]]:
        try:
            self._version(self._function(settings))
        except FunctionNotFound as error:
            yield "function", str(error)

    def _function(self, settings: Settings) -> Function:
        folders = [folder for folder in (settings.folder, settings.rootdir) if folder]
        return find_function(self.function, folders)

    def _version(self, function: Function) -> str:
        if self.version is not None:
            return f"version:{self.version}"
        if function.sha256 is None:
            raise FunctionNotFound(
                f"{self.function!r} has no source file that shows when it changes; add version:"
            )
        return f"sha256:{function.sha256[:HASH_CHARACTERS]}"
