"""MoverScore (Zhao et al. 2019): how far the words of one text travel to become the other's."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from string import punctuation
from typing import ClassVar

import numpy as np

from shakeproof.metrics.bertscore.idf import Corpus, Weights, find_corpus, rarity_in
from shakeproof.metrics.bertscore.pairs import HELD, shortest_first, unique_texts
from shakeproof.metrics.formulas import BestReference
from shakeproof.metrics.kinds.transport import earth_mover
from shakeproof.metrics.models.batches import spans
from shakeproof.metrics.models.encoder import Encoder, Positions, State, load_encoder
from shakeproof.metrics.models.files import layer_count
from shakeproof.metrics.models.layers import LayerName, resolve_layer
from shakeproof.metrics.models.runtime import ModelRuntime, find_runtime
from shakeproof.metrics.models.tokens import Tokens
from shakeproof.metrics.models.truncation import Overflow, overflow_of
from shakeproof.metrics.options import Options
from shakeproof.metrics.protocols import Matrix, Metric, Texts, Vector
from shakeproof.metrics.settings import Settings

VERSION = 1  # of the arithmetic; raise it when a score changes
CONTINUED = "##"  # how WordPiece marks what is not the beginning of a word


@dataclass(frozen=True, slots=True)
class MoverScorer:
    """Rates pairs of texts, from 0 to 1; a text in which nothing has weight scores 0."""

    runtime: ModelRuntime
    layer: int
    idf: Corpus | None = None
    every_piece: bool = False

    @property
    def signature(self) -> str:
        """Name everything that the score depends on."""
        return self.runtime.describe(
            "moverscore",
            VERSION,
            layer=f"{self.layer}/{layer_count(self.runtime.model)}",
            idf=self.idf.name if self.idf else "no",
            pieces="all" if self.every_piece else "words",
        )

    @property
    def overflow(self) -> Overflow:
        """Return the scorer that counts what the model cuts off a text."""
        return overflow_of(self.runtime)

    def score(self, tuples: Sequence[Texts]) -> Vector:
        """Rate each pair, holding a bounded number of embeddings at a time."""
        encoder = load_encoder(*self.runtime.settled())
        texts, pairs = unique_texts(tuples)
        tokens = encoder.tokenise(texts)
        budget = HELD // (4 * encoder.width)
        found = [
            self._rate(encoder, tokens, pairs[span.start : span.stop])
            for span in spans(pairs.tolist(), [len(text) for text in tokens], budget)
        ]
        return np.concatenate([np.zeros(0), *found])

    def _rate(self, encoder: Encoder, tokens: Sequence[Tokens], pairs: Positions) -> Vector:
        texts, pairs = shortest_first(tokens, pairs)
        state: State = (self.layer, True)
        embedded = encoder.embed(texts, [state])
        ends = np.cumsum(embedded.lengths)[:-1]
        weights = np.split(self._weights(encoder).of(texts), ends)
        if not any(texts):
            return np.zeros(len(pairs))
        exact = embedded.vectors[state].cpu().double().numpy()
        vectors = np.split(exact / np.linalg.norm(exact, axis=1, keepdims=True), ends)
        clouds = [(v[w > 0], w[w > 0]) for v, w in zip(vectors, weights, strict=True)]
        return np.array([moved(clouds[one], clouds[other]) for one, other in pairs.tolist()])

    def _weights(self, encoder: Encoder) -> Weights:
        """Weigh tokens by rarity, or alike; nothing but the beginnings of words counts."""
        rarity = rarity_in(encoder, self.idf) if self.idf else Weights({}, 1.0)
        left_out = {} if self.every_piece else dict.fromkeys(not_words(encoder), 0.0)
        return Weights({**rarity.listed, **left_out}, rarity.other)


def moved(one: tuple[Matrix, Vector], other: tuple[Matrix, Vector]) -> float:
    """Turn the distance between two weighted sets of unit vectors into a closeness."""
    (here, supply), (there, demand) = one, other
    if not (len(supply) and len(demand)):
        return 0.0
    costs = np.sqrt(np.maximum(0.0, 2 - 2 * here @ there.T))
    return 1 / (1 + earth_mover(costs, supply, demand))


@lru_cache(maxsize=8)
def not_words(encoder: Encoder) -> frozenset[int]:
    """List the numbers of the tokens that are punctuation or continue a word."""
    vocabulary: dict[str, int] = encoder.tokenizer.get_vocab()
    signs = set(punctuation)
    return frozenset(n for t, n in vocabulary.items() if CONTINUED in t or t in signs)


class MoverScoreOptions(Options):
    """Word mover's distance d between token embeddings, as 1 / (1 + d).

    As in the authors' second version, one token is one n-gram. Their idf is counted in all
    candidates and references of the data; here it comes from a file and serves both sides.
    """

    summary: ClassVar[str] = "MoverScore: how far words travel to become the other text's"

    model: str = "minilm"
    revision: str | None = None
    layer: int | LayerName = "last"
    idf: str | None = None  # a file of texts in which the tokens are counted
    every_piece: bool = False  # also punctuation and what continues a word

    def build(self, others: Mapping[str, Metric], settings: Settings) -> BestReference:
        """Find the model and the corpus, and load neither."""
        runtime = find_runtime(self.model, self.revision, settings)
        layer = resolve_layer(self.layer, runtime.model)
        if not isinstance(layer, int):
            raise ValueError(f"layer {layer!r} is not defined for MoverScore; give one layer")
        corpus = find_corpus(self.idf, settings)
        return BestReference(MoverScorer(runtime, layer, corpus, self.every_piece))
