"""MoverScore (Zhao et al. 2019): the earth mover's distance between the words of two texts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import nan
from string import punctuation
from typing import ClassVar

import numpy as np

from shakeproof.metrics.bertscore.idf import Corpus, TokenWeights, find_corpus, idf_weights
from shakeproof.metrics.formulas import BestReference
from shakeproof.metrics.models.embeddings import State
from shakeproof.metrics.models.encoder import Encoder, load_encoder
from shakeproof.metrics.models.files import layer_count
from shakeproof.metrics.models.layers import OFF_BY_ONE, LayerName, neighbour_layer, resolve_layer
from shakeproof.metrics.models.pairs import shortest_first, split_pairs, unique_texts
from shakeproof.metrics.models.runtime import ModelRuntime, find_runtime
from shakeproof.metrics.models.tokens import Tokens
from shakeproof.metrics.models.transfers import read
from shakeproof.metrics.options import Options
from shakeproof.metrics.protocols import IntArray, Matrix, Metric, Texts, Vector
from shakeproof.metrics.settings import Settings

VERSION = 1  # of the arithmetic; raise it when a score changes
CONTINUED = "##"  # how WordPiece marks a token that continues a word


@dataclass(frozen=True, slots=True)
class MoverScorer:
    """Rates pairs of texts, from 0 to 1; a text without a token of any weight scores 0."""

    runtime: ModelRuntime
    layer: int
    idf: Corpus | None = None
    every_piece: bool = False

    @property
    def signature(self) -> str:
        return self.runtime.signature(
            "moverscore",
            VERSION,
            layer=f"{self.layer}/{layer_count(self.runtime.model)}",
            idf=self.idf.name if self.idf else "no",
            pieces="all" if self.every_piece else "words",
        )

    def score(self, tuples: Sequence[Texts]) -> Vector:
        """Rate each pair, holding a bounded number of embeddings at a time."""
        encoder = load_encoder(*self.runtime.resolve())
        texts, pairs = unique_texts(tuples)
        tokens = encoder.tokenize(texts)
        scores = [
            self._rate_part(encoder, tokens, pairs[part])
            for part in split_pairs(pairs, tokens, floats_per_token=encoder.width)
        ]
        return np.concatenate([np.zeros(0), *scores])

    def _rate_part(self, encoder: Encoder, tokens: Sequence[Tokens], pairs: IntArray) -> Vector:
        """Rate pairs whose embeddings fit into memory together."""
        texts, pairs = shortest_first(tokens, pairs)
        state: State = (self.layer, True)
        embedded = encoder.embed(texts, [state])
        ends = np.cumsum(embedded.lengths)[:-1]
        weights = np.split(self._weights(encoder).of(texts), ends)
        if not any(texts):
            return np.zeros(len(pairs))
        exact = read(embedded.vectors[state])
        vectors = np.split(exact / np.linalg.norm(exact, axis=1, keepdims=True), ends)
        weighted = [(v[w > 0], w[w > 0]) for v, w in zip(vectors, weights, strict=True)]
        return np.array(
            [closeness(weighted[candidate], weighted[other]) for candidate, other in pairs.tolist()]
        )

    def _weights(self, encoder: Encoder) -> TokenWeights:
        """Weigh tokens by idf, or equally; tokens that do not begin a word weigh 0."""
        weights = idf_weights(encoder, self.idf) if self.idf else TokenWeights({}, 1.0)
        ignored = {} if self.every_piece else dict.fromkeys(not_words(encoder), 0.0)
        return TokenWeights({**weights.listed, **ignored}, weights.other)


def closeness(text: tuple[Matrix, Vector], other: tuple[Matrix, Vector]) -> float:
    """Compute 1 / (1 + distance) of two texts, each given as unit vectors and their weights."""
    (vectors, supply), (other_vectors, demand) = text, other
    if not (len(supply) and len(demand)):
        return 0.0
    costs = np.sqrt(np.maximum(0.0, 2 - 2 * vectors @ other_vectors.T))
    if not np.isfinite(costs).all():
        return nan
    return 1 / (1 + earth_mover(costs, supply, demand))


def earth_mover(costs: Matrix, supply: Vector, demand: Vector) -> float:
    """Return the least cost of moving `supply` to `demand`: the earth mover's distance.

    It is solved exactly, as a linear programme. Both are positive and add up to one. The variable
    (i, j) is what moves from i to j. It is in two constraints: what leaves i adds up to the supply
    of i, what arrives at j to the demand of j. The last demand follows from all others; with
    rounding its constraint might contradict them, so it is left out.
    """
    from scipy.optimize import linprog
    from scipy.sparse import coo_matrix

    variables = np.arange(costs.size)
    rows, columns = np.divmod(variables, len(demand))
    arriving = columns < len(demand) - 1
    constraints = np.concatenate([rows, len(supply) + columns[arriving]])
    used = np.concatenate([variables, variables[arriving]])
    solution = linprog(
        costs.ravel(),
        A_eq=coo_matrix((np.ones(used.size), (constraints, used))),
        b_eq=np.concatenate([supply, demand[:-1]]),
        method="highs",
    )
    if not solution.success:
        raise ValueError(f"the transport problem has no solution: {solution.message}")
    return float(solution.fun)


@lru_cache(maxsize=8)
def not_words(encoder: Encoder) -> frozenset[int]:
    """Return the numbers of the tokens that are punctuation or continue a word."""
    vocabulary: dict[str, int] = encoder.tokenizer.get_vocab()
    signs = set(punctuation)
    return frozenset(
        number for token, number in vocabulary.items() if CONTINUED in token or token in signs
    )


class MoverScoreOptions(Options):
    """The earth mover's distance d between token embeddings, as 1 / (1 + d).

    As in the authors' second version, one token is one n-gram. Their idf is counted in all
    candidates and references of the data; here it comes from a file and serves both sides.
    """

    summary: ClassVar[str] = "MoverScore: the earth mover's distance between the words of two texts"
    with_files: ClassVar[tuple[str, ...]] = ("idf",)

    model: str = "minilm"
    revision: str | None = None
    layer: int | LayerName = "last"
    idf: str | None = None  # a file of texts in which the tokens are counted
    every_piece: bool = False  # also punctuation and tokens that continue a word

    def build(self, others: Mapping[str, Metric], settings: Settings) -> BestReference:
        runtime = find_runtime(self.model, self.revision, settings)
        layer = resolve_layer(self.layer, runtime.model)
        if not isinstance(layer, int):
            raise ValueError(f"layer {layer!r} is not defined for MoverScore; give one layer")
        corpus = find_corpus(self.idf, settings)
        return BestReference(MoverScorer(runtime, layer, corpus, self.every_piece))

    def variants(self, settings: Settings) -> dict[str, Options]:
        model = find_runtime(self.model, self.revision, settings).model
        layer = neighbour_layer(resolve_layer(self.layer, model))
        return {} if layer is None else {OFF_BY_ONE: self.model_copy(update={"layer": layer})}
