"""Metrics of the libraries torchmetrics and evaluate, one candidate at a time."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from typing import Any, ClassVar, Literal, TypeAlias

import numpy as np
from pydantic import Field

from shakeproof.metrics.engine.calls import rate_each
from shakeproof.metrics.failures import Failure, RatingFailed
from shakeproof.metrics.formulas import AllReferences, BestReference
from shakeproof.metrics.options import Options
from shakeproof.metrics.protocols import Metric, ScoreColumn, Texts, Vector, column_of
from shakeproof.metrics.settings import Settings
from shakeproof.metrics.versions import name_and_version

Library: TypeAlias = Literal["torchmetrics", "evaluate"]
# Given a candidate and its references, all results of the library's metric.
Rate: TypeAlias = Callable[[str, list[str] | str], Any]


@dataclass(frozen=True, slots=True)
class LibraryScorer:
    """Rates (candidate, reference, …) with a metric of another library."""

    library: Library
    metric: str
    arguments: str  # as JSON
    output: str | None
    nested: bool

    @property
    def signature(self) -> str:
        taken = f"output:{self.output}|nested:{self.nested}"
        return f"{self.metric}|{self.arguments}|{taken}|{name_and_version(self.library)}"

    def score(self, tuples: Sequence[Texts]) -> Vector:
        return self.score_column(tuples).scores

    def score_column(self, tuples: Sequence[Texts]) -> ScoreColumn:
        """Rate one candidate at a time; the libraries would average over all of them."""
        rate = LOADERS[self.library](self.metric, self.arguments)

        def rate_one(candidate: str, *references: str) -> Any:  # noqa: ANN401  # see below
            result = rate(candidate, list(references) if self.nested else references[0])
            return self._number(result)

        return column_of(rate_each(rate_one, tuples))

    def _number(self, result: Any) -> Any:  # noqa: ANN401  # the libraries return anything
        value = result if self.output is None else result[self.output]
        if isinstance(value, Mapping):
            message = f"the metric returns {sorted(value)}; name one of them as output:"
            raise RatingFailed(Failure("ValueError", message), permanent=True)
        return np.asarray(value).reshape(-1)[0]


@cache
def _torchmetrics(name: str, arguments: str) -> Rate:
    metric = getattr(import_module("torchmetrics.text"), name)(**json.loads(arguments))

    def rate(candidate: str, references: list[str] | str) -> Any:  # noqa: ANN401  # see above
        metric.reset()  # otherwise it would average over all it ever rated
        return metric([candidate], [references])

    return rate


@cache
def _evaluate(name: str, arguments: str) -> Rate:
    metric = import_module("evaluate").load(name)

    def rate(candidate: str, references: list[str] | str) -> Any:  # noqa: ANN401  # see above
        return metric.compute(
            predictions=[candidate], references=[references], **json.loads(arguments)
        )

    return rate


LOADERS: dict[Library, Callable[[str, str], Rate]] = {
    "torchmetrics": _torchmetrics,
    "evaluate": _evaluate,
}


class TorchmetricsOptions(Options):
    """A class of torchmetrics.text, its arguments, and which of its results is the score."""

    summary: ClassVar[str] = "a text metric of torchmetrics, such as CHRFScore"
    scalar: ClassVar[str | None] = "metric"
    library: ClassVar[Library] = "torchmetrics"

    metric: str = Field(min_length=1)
    arguments: dict[str, Any] = Field(default={})
    output: str | None = None  # the name of one of several results
    references: Literal["all", "each"] = "all"  # some metrics take one reference at a time

    def build(self, others: Mapping[str, Metric], settings: Settings) -> Metric:
        if find_spec(self.library) is None:
            raise ValueError(f"{self.library} is not installed; run pip install {self.library}")
        arguments = json.dumps(self.arguments, sort_keys=True)
        nested = self.references == "all"
        scorer = LibraryScorer(
            library=self.library,
            metric=self.metric,
            arguments=arguments,
            output=self.output,
            nested=nested,
        )
        return AllReferences(scorer) if nested else BestReference(scorer)


class EvaluateOptions(TorchmetricsOptions):
    """A name for evaluate.load, the arguments of compute, and which result is the score."""

    summary: ClassVar[str] = "a metric of Hugging Face evaluate, by name or path of its script"
    library: ClassVar[Library] = "evaluate"
