"""Rates pairs of texts by matching their tokens, with all that is asked of one encoder at once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING, Literal, TypeAlias

import numpy as np

from shakeproof.metrics.bertscore.grids import grids
from shakeproof.metrics.bertscore.idf import Corpus, weights_for
from shakeproof.metrics.bertscore.matching import closest, with_f1
from shakeproof.metrics.bertscore.rescaling import Baseline, rescale
from shakeproof.metrics.models.batches import spans
from shakeproof.metrics.models.encoder import Encoder, Positions, Slots, State, inference
from shakeproof.metrics.models.layers import Layer
from shakeproof.metrics.models.tokens import Tokens
from shakeproof.metrics.protocols import Matrix, Texts, Vector

if TYPE_CHECKING:
    from shakeproof.metrics.models.encoder import Tensor

Part: TypeAlias = Literal["precision", "recall", "f1"]
Match: TypeAlias = tuple[State, Corpus | None]  # what is matched, and how tokens are weighed

PARTS: tuple[Part, ...] = ("precision", "recall", "f1")
HELD = 2**29  # bytes of embeddings kept at a time
ROOM = 4  # matching takes so many times the tokens of a pass


@dataclass(frozen=True, slots=True)
class View:
    """What a scorer looks at, of all that an encoder shows."""

    layer: Layer
    part: Part = "f1"
    idf: Corpus | None = None
    baseline: Baseline | None = None


def unique_texts(tuples: Sequence[Texts]) -> tuple[list[str], Positions]:
    """List the texts that occur in some pairs, and say where each pair's texts are."""
    texts = list(dict.fromkeys(chain.from_iterable(tuples)))
    number = {text: i for i, text in enumerate(texts)}
    places = [(number[candidate], number[reference]) for candidate, reference in tuples]
    return texts, np.array(places, dtype=np.int64).reshape(-1, 2)


def rate(encoder: Encoder, views: Sequence[View], tuples: Sequence[Texts]) -> Matrix:
    """Rate pairs, holding a bounded number of embeddings at a time: (pairs, views)."""
    texts, pairs = unique_texts(tuples)
    tokens = encoder.tokenise(texts)
    matches = list(dict.fromkeys((s, v.idf) for v in views for s in encoder.states_of(v.layer)))
    budget = HELD // (4 * encoder.width * len({state for state, _ in matches}))
    found = np.zeros((len(matches), len(pairs), len(PARTS)))
    for span in spans(pairs.tolist(), [len(text) for text in tokens], budget):
        found[:, span] = match(encoder, matches, tokens, pairs[span.start : span.stop])
    raw = dict(zip(matches, found, strict=True))
    return np.stack([_value(encoder, view, raw) for view in views], axis=1)


def _value(encoder: Encoder, view: View, raw: Mapping[Match, Matrix]) -> Vector:
    """Rescale the scores of each state that a view takes in, and average them."""
    states = encoder.states_of(view.layer)
    scores = [rescale(raw[state, view.idf], state[0], view.baseline) for state in states]
    mean: Vector = np.mean([each[:, PARTS.index(view.part)] for each in scores], axis=0)
    return mean


def match(
    encoder: Encoder, matches: Sequence[Match], tokens: Sequence[Tokens], pairs: Positions
) -> Matrix:
    """Compute precision, recall and F1: (matches, pairs, 3)."""
    texts, pairs = shortest_first(tokens, pairs)
    weights = {idf: weights_for(encoder, idf).of(texts) for idf in {idf for _, idf in matches}}
    embedded = encoder.embed(texts, list(dict.fromkeys(state for state, _ in matches)))
    distinct, places = _distinct(pairs)
    full = np.flatnonzero(embedded.lengths[distinct].min(axis=1))  # nothing matches an empty text
    arranged = grids(distinct[full], embedded.lengths)
    found = np.zeros((len(matches), len(distinct), len(PARTS)))

    def work(batch: range) -> None:
        chosen = arranged[batch.start : batch.stop]
        ours = embedded.line_up(np.stack([grid.candidates for grid in chosen]))
        theirs = embedded.line_up(np.stack([grid.references for grid in chosen]))
        numbers = full[np.stack([grid.pairs for grid in chosen])]
        for state in embedded.vectors:
            near = closest(embedded.take(state, ours), embedded.take(state, theirs))
            for i, (matched, idf) in enumerate(matches):
                if matched == state:
                    found[i, numbers] = _weighed(near, (ours, theirs), weights[idf])

    sizes = [grid.tokens(embedded.lengths) for grid in arranged]
    with inference(encoder.precision):
        encoder.in_batches(sizes, work, room=ROOM, kinds=[grid.shape for grid in arranged])
    return found[:, places]


def _distinct(pairs: Positions) -> tuple[Positions, Positions]:
    """List the distinct pairs, by reference and then by candidate, and say where each pair is."""
    distinct, places = np.unique(pairs[:, ::-1], axis=0, return_inverse=True)
    return distinct[:, ::-1], places


def shortest_first(tokens: Sequence[Tokens], pairs: Positions) -> tuple[list[Tokens], Positions]:
    """Take the texts that occur in the pairs, by length, and say where each pair's texts are.

    Texts of the same tokens, such as two that differ in case for an uncased model, are one.
    """
    used, places = np.unique(pairs, return_inverse=True)
    keys = [tuple(tokens[i]) for i in used.tolist()]
    place = {key: i for i, key in enumerate(sorted(set(keys), key=lambda key: (len(key), key)))}
    placed = np.array([place[key] for key in keys], dtype=np.int64)
    return [list(key) for key in place], placed[places].reshape(pairs.shape)


def _weighed(near: tuple[Tensor, Tensor], sides: tuple[Slots, Slots], weights: Vector) -> Matrix:
    """Average over tokens by weight; a text in which nothing has weight scores zero."""
    ours, theirs = (np.where(side.real, weights[side.rows], 0.0) for side in sides)
    to_reference, to_candidate = (each.cpu().double().numpy() for each in near)
    precision = np.einsum("gct,gctr->gcr", ours, to_reference)
    recall = np.einsum("grt,gcrt->gcr", theirs, to_candidate)
    heavy, others = (np.asarray(side.any(axis=2)) for side in (ours, theirs))
    defined = heavy[:, :, None] & others[:, None, :]
    return np.where(defined[..., None], with_f1(precision, recall), 0.0)
