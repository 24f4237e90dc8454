"""Metrics that are Python functions of the user."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import ClassVar, Literal

import numpy as np
from pydantic import Field

from shakeproof.metrics.formulas import BestReference, PairwiseScorer, as_number
from shakeproof.metrics.functions import Function, FunctionNotFound, find_function
from shakeproof.metrics.options import Options
from shakeproof.metrics.protocols import Instance, Metric, Scorer, ScoreRequest, Texts, Vector
from shakeproof.metrics.settings import Settings

WITH_SOURCE = "source"
HASH_CHARACTERS = 16


@dataclass(frozen=True, slots=True)
class BatchScorer:
    """Calls `function(candidates, references, sources)` once for many instances."""

    signature: str
    function: Function = field(compare=False)

    def score(self, tuples: Sequence[Texts]) -> Vector:
        instances = [unpack(texts) for texts in tuples]
        scores = self.function(
            [instance.candidate for instance in instances],
            [list(instance.references) for instance in instances],
            [instance.source for instance in instances],
        )
        if not isinstance(scores, Iterable):
            raise TypeError(
                f"the function returned {scores!r:.200}; with batch: true, return a list"
            )
        return np.array([as_number(score) for score in scores])


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

    def build(self, others: Mapping[str, Metric], settings: Settings) -> Metric:
        folders = [folder for folder in (settings.folder, settings.rootdir) if folder]
        function = find_function(self.function, folders)
        signature = f"python|{self.function}|{self._version(function)}|batch:{self.batch}"
        if self.batch:
            return WholeInstance(BatchScorer(signature, function), frozenset(self.requires))
        return BestReference(PairwiseScorer(signature, function))

    def _version(self, function: Function) -> str:
        if self.version is not None:
            return f"version:{self.version}"
        if function.sha256 is None:
            raise FunctionNotFound(
                f"{self.function!r} has no source file that shows when it changes; add version:"
            )
        return f"sha256:{function.sha256[:HASH_CHARACTERS]}"
