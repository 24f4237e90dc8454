"""The cosine of two sentence vectors, as in SimCSE and sentence-transformers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from shakeproof.metrics.formulas import BestReference
from shakeproof.metrics.models.encoder import Pooling, load_encoder
from shakeproof.metrics.models.pairs import shortest_first, unique_texts
from shakeproof.metrics.models.runtime import ModelRuntime, find_runtime
from shakeproof.metrics.models.transfers import pair_cosines
from shakeproof.metrics.options import Options
from shakeproof.metrics.protocols import Metric, Texts, Vector
from shakeproof.metrics.settings import Settings

VERSION = 1  # of the arithmetic; raise it when a score changes


@dataclass(frozen=True, slots=True)
class CosineScorer:
    """Rates pairs of texts; the cosine with an empty text is 0."""

    runtime: ModelRuntime
    pooling: Pooling = "mean"

    @property
    def signature(self) -> str:
        return self.runtime.signature("cosine", VERSION, pooling=self.pooling)

    def score(self, tuples: Sequence[Texts]) -> Vector:
        encoder = load_encoder(*self.runtime.resolve())
        texts, pairs = unique_texts(tuples)
        tokens, pairs = shortest_first(encoder.tokenize(texts), pairs)
        return pair_cosines(encoder.pool(tokens, self.pooling), pairs)


class CosineOptions(Options):
    """How a sentence vector is made of the last layer.

    Most models of sentence-transformers take the mean of all tokens, unsupervised SimCSE the
    first token (`cls`), supervised SimCSE the output of the head over it (`head`).
    """

    summary: ClassVar[str] = "cosine of two sentence vectors (SimCSE, sentence-transformers)"

    model: str = "minilm"
    revision: str | None = None
    pooling: Pooling = "mean"

    def build(self, others: Mapping[str, Metric], settings: Settings) -> BestReference:
        runtime = find_runtime(self.model, self.revision, settings)
        return BestReference(CosineScorer(runtime, self.pooling))
