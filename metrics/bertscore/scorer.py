"""BERTScore (Zhang et al. 2020): how well the tokens of two texts match in an encoder."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar

import numpy as np

from shakeproof.metrics.bertscore.idf import Corpus, find_corpus
from shakeproof.metrics.bertscore.matching import PARTS, Match, Part, match_pairs
from shakeproof.metrics.bertscore.rescaling import Rescaling, find_rescaling
from shakeproof.metrics.formulas import BestReference
from shakeproof.metrics.models.encoder import Encoder, load_encoder
from shakeproof.metrics.models.files import layer_count
from shakeproof.metrics.models.layers import (
    OFF_BY_ONE,
    Layer,
    LayerName,
    neighbour_layer,
    resolve_layer,
)
from shakeproof.metrics.models.runtime import ModelRuntime, find_runtime
from shakeproof.metrics.options import Options
from shakeproof.metrics.protocols import Matrix, Metric, Scorer, Texts, Vector
from shakeproof.metrics.settings import Settings

VERSION = 1  # of the arithmetic; raise it when a score changes


@dataclass(frozen=True, slots=True)
class BertScorer:
    """Rates pairs (candidate, reference).

    A score is 0, before rescaling, if a text has no token of any weight, such as an empty text.
    """

    runtime: ModelRuntime
    layer: Layer
    part: Part = "f1"
    idf: Corpus | None = None
    rescaling: Rescaling | None = None

    @property
    def signature(self) -> str:
        return _signature(self)

    @property
    def group(self) -> Hashable:
        """Share the forward pass with all scorers that run the same model in the same way."""
        return ("bertscore", *self.runtime.resolve())

    def score(self, tuples: Sequence[Texts]) -> Vector:
        return self.score_together([self], tuples)[:, 0]

    def score_together(self, scorers: Sequence[Scorer], tuples: Sequence[Texts]) -> Matrix:
        """Rate each pair with each scorer; `matching.py` has the arithmetic."""
        encoder = load_encoder(*self.runtime.resolve())
        group = [scorer for scorer in scorers if isinstance(scorer, BertScorer)]
        matches = list(dict.fromkeys(m for scorer in group for m in scorer.matches(encoder)))
        matched = dict(zip(matches, match_pairs(encoder, matches, tuples), strict=True))
        return np.stack([scorer.combine(encoder, matched) for scorer in group], axis=1)

    def matches(self, encoder: Encoder) -> list[Match]:
        """List what is to be matched for this scorer: the states of its layer, with its idf."""
        return [(state, self.idf) for state in encoder.states_of(self.layer)]

    def combine(self, encoder: Encoder, matched: Mapping[Match, Matrix]) -> Vector:
        """Rescale precision, recall or F1 of each state, and average over the states."""
        column = PARTS.index(self.part)
        by_state = []
        for match in self.matches(encoder):
            (layer, _), _ = match
            scores = matched[match]
            scores = scores if self.rescaling is None else self.rescaling.apply(scores, layer)
            by_state.append(scores[:, column])
        mean: Vector = np.mean(by_state, axis=0)
        return mean


@lru_cache(maxsize=1024)
def _signature(scorer: BertScorer) -> str:
    """Write the signature, once for each scorer: the engine asks for it with every pair."""
    return scorer.runtime.signature(
        f"bertscore-{scorer.part}",
        VERSION,
        layer=f"{scorer.layer}/{layer_count(scorer.runtime.model)}",
        idf=scorer.idf.name if scorer.idf else "no",
        rescale=scorer.rescaling.name if scorer.rescaling else "no",
    )


class BertScoreOptions(Options):
    """Greedy matching of token embeddings from one layer of an encoder.

    With several references the best one counts, as in bert_score.
    """

    summary: ClassVar[str] = "BERTScore: how well the tokens of two texts match in an encoder"
    with_files: ClassVar[tuple[str, ...]] = ("idf", "rescale")

    model: str = "minilm"
    revision: str | None = None
    layer: int | LayerName = "last"
    part: Part = "f1"
    idf: str | None = None  # a file of texts in which the tokens are counted
    rescale: str | None = None  # a baseline file

    def build(self, others: Mapping[str, Metric], settings: Settings) -> Metric:
        runtime = find_runtime(self.model, self.revision, settings)
        layer = resolve_layer(self.layer, runtime.model)
        scorer = BertScorer(
            runtime=runtime,
            layer=layer,
            part=self.part,
            idf=find_corpus(self.idf, settings),
            rescaling=find_rescaling(self.rescale, layer, runtime.model, settings),
        )
        return BestReference(scorer)

    def variants(self, settings: Settings) -> dict[str, Options]:
        model = find_runtime(self.model, self.revision, settings).model
        layer = neighbour_layer(resolve_layer(self.layer, model))
        return {} if layer is None else {OFF_BY_ONE: self.model_copy(update={"layer": layer})}
