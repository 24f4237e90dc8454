"""Counts the tokens that a metric never sees, because its model takes only so many."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar

import numpy as np

from shakeproof.metrics.models.encoder import load_encoder
from shakeproof.metrics.models.files import config_sha256, tokenizer_sha256
from shakeproof.metrics.models.runtime import ModelRuntime, uses_model
from shakeproof.metrics.models.tokenizer_files import count_overflow
from shakeproof.metrics.protocols import Instance, Metric, Scorer, ScoreRequest, Texts, Vector


@dataclass(frozen=True, slots=True)
class Truncation:
    """The number of tokens of an instance that the models of a metric cut off."""

    metric: Metric

    @property
    def signature(self) -> str:
        return f"truncation({self.metric.signature})"

    @property
    def requires(self) -> frozenset[str]:
        return self.metric.requires

    def needs(self, instance: Instance) -> list[ScoreRequest]:
        """Count each text that a model reads, once."""
        requests = {
            (overflow_scorer(scorer.runtime), (text,)): None
            for scorer, texts in self.metric.needs(instance)
            if uses_model(scorer)
            for text in texts
        }
        return list(requests)

    def combine(self, instance: Instance, scores: Sequence[float]) -> float:
        return sum(scores)


@dataclass(frozen=True, slots=True)
class TextTruncation:
    """The number of tokens that a model cuts off a single text, given as a candidate."""

    overflow: Scorer
    requires: ClassVar[frozenset[str]] = frozenset()

    @property
    def signature(self) -> str:
        return self.overflow.signature

    def needs(self, instance: Instance) -> list[ScoreRequest]:
        return [(self.overflow, (instance.candidate,))]

    def combine(self, instance: Instance, scores: Sequence[float]) -> float:
        return scores[0]


@dataclass(frozen=True, slots=True)
class OverflowScorer:
    """Counts the tokens of a text beyond what a model takes."""

    runtime: ModelRuntime

    @property
    def signature(self) -> str:
        """Name the tokenizer and the configuration, which has the limit."""
        model = self.runtime.model
        digests = f"{tokenizer_sha256(model)[:16]}|config:{config_sha256(model)[:16]}"
        return f"overflow|model:{model.title}|tokenizer:{digests}"

    def score(self, tuples: Sequence[Texts]) -> Vector:
        """Count by the tokenizer's files where they say all, else with the loaded model."""
        texts = [text for (text,) in tuples]
        counts = count_overflow(self.runtime.model, texts)
        if counts is None:
            counts = load_encoder(*self.runtime.resolve()).count_overflow(texts)
        return np.array(counts, dtype=float)


@lru_cache(maxsize=64)
def overflow_scorer(runtime: ModelRuntime) -> OverflowScorer:
    """Return the one overflow scorer of a model; the engine tells scorers apart by identity."""
    return OverflowScorer(runtime)
