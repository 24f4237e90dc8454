"""How much of its texts a metric never sees, because its model takes no more."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Protocol, TypeGuard, runtime_checkable

import numpy as np

from shakeproof.metrics.models.encoder import load_encoder
from shakeproof.metrics.models.files import config_sha256, tokenizer_sha256
from shakeproof.metrics.models.runtime import ModelRuntime
from shakeproof.metrics.models.tokenizer_files import overflow
from shakeproof.metrics.protocols import Instance, Metric, Scorer, ScoreRequest, Texts, Vector


@runtime_checkable
class Limited(Scorer, Protocol):
    """A scorer whose model cuts off long texts."""

    @property
    def overflow(self) -> Scorer:
        """Return the scorer that counts, for a text alone, the tokens that are cut off."""
        ...


def is_limited(scorer: Scorer) -> TypeGuard[Limited]:
    """Say whether a scorer cuts off; `isinstance` would read its signature, which takes long."""
    return hasattr(type(scorer), "overflow")


@dataclass(frozen=True, slots=True)
class Truncation:
    """The number of tokens of an item that a metric's models cut off; a fact, not a quality."""

    metric: Metric

    @property
    def signature(self) -> str:
        """Name the metric."""
        return f"truncation({self.metric.signature})"

    @property
    def requires(self) -> frozenset[str]:
        """Ask for what the metric asks for."""
        return self.metric.requires

    def needs(self, instance: Instance) -> list[ScoreRequest]:
        """Look at each text that a limited scorer is given, once."""
        needs = self.metric.needs(instance)
        limited = [(s.overflow, texts) for s, texts in needs if is_limited(s)]
        return list({(overflow, (text,)): None for overflow, texts in limited for text in texts})

    def combine(self, instance: Instance, scores: Sequence[float]) -> float:
        """Add up what is cut off."""
        return sum(scores)


@dataclass(frozen=True, slots=True)
class TextTruncation:
    """The number of tokens that a scorer's model cuts off a text, which stands as a candidate."""

    overflow: Scorer

    @property
    def signature(self) -> str:
        """Name the model's tokenizer."""
        return self.overflow.signature

    @property
    def requires(self) -> frozenset[str]:
        """Ask for nothing but the text."""
        return frozenset()

    def needs(self, instance: Instance) -> list[ScoreRequest]:
        """Look at the text."""
        return [(self.overflow, (instance.candidate,))]

    def combine(self, instance: Instance, scores: Sequence[float]) -> float:
        """Take the only count."""
        return scores[0]


@dataclass(frozen=True, slots=True)
class Overflow:
    """Counts the tokens of a text beyond what an encoder takes."""

    runtime: ModelRuntime

    @property
    def signature(self) -> str:
        """Name the tokenizer and what limits it."""
        model = self.runtime.model
        digests = f"{tokenizer_sha256(model)[:16]}|config:{config_sha256(model)[:16]}"
        return f"overflow|model:{model.title}|tokenizer:{digests}"

    def score(self, tuples: Sequence[Texts]) -> Vector:
        """Count for each text, with the model's tokenizer alone where that is enough."""
        texts = [text for (text,) in tuples]
        found = overflow(self.runtime.model, texts)
        if found is None:
            found = load_encoder(*self.runtime.settled()).overflow(texts)
        return np.array(found, dtype=float)


@lru_cache(maxsize=64)
def overflow_of(runtime: ModelRuntime) -> Overflow:
    """Return the one counter of a model, so that it can be told apart by identity."""
    return Overflow(runtime)
