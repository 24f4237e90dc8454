"""BERTScore's arithmetic (Zhang et al. 2020): tokens matched greedily by their embeddings."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal, TypeAlias

import numpy as np

from shakeproof.metrics.bertscore.idf import Corpus, token_weights
from shakeproof.metrics.bertscore.pair_grids import group_pairs
from shakeproof.metrics.models.devices import inference
from shakeproof.metrics.models.embeddings import State, TokenRows
from shakeproof.metrics.models.encoder import Encoder
from shakeproof.metrics.models.pairs import shortest_first, split_pairs, unique_texts
from shakeproof.metrics.models.tokens import Tokens
from shakeproof.metrics.models.transfers import (
    read,
    send_floats,
    send_integers,
    side_by_side,
    sum_products,
    zeros,
)
from shakeproof.metrics.protocols import IntArray, Matrix, Texts

if TYPE_CHECKING:
    from shakeproof.metrics.models.embeddings import Tensor

Part: TypeAlias = Literal["precision", "recall", "f1"]
Match: TypeAlias = tuple[State, Corpus | None]  # the vectors to match, and how tokens are weighted

PARTS: tuple[Part, ...] = ("precision", "recall", "f1")
ROOM = 4  # a batch of matching holds this many times the tokens of a batch of encoding


def match_pairs(encoder: Encoder, matches: Sequence[Match], tuples: Sequence[Texts]) -> Matrix:
    """Compute precision, recall and F1 of each pair for each match: (matches, pairs, 3).

    Each distinct text is encoded once; a bounded number of embeddings is held at a time.
    """
    texts, pairs = unique_texts(tuples)
    tokens = encoder.tokenize(texts)
    floats = encoder.width * len({state for state, _ in matches})
    scores = np.zeros((len(matches), len(pairs), len(PARTS)))
    for part in split_pairs(pairs, tokens, floats_per_token=floats):
        scores[:, part] = _match_part(encoder, matches, tokens, pairs[part])
    return scores


def _match_part(
    encoder: Encoder, matches: Sequence[Match], tokens: Sequence[Tokens], pairs: IntArray
) -> Matrix:
    """Match pairs whose embeddings fit into memory together."""
    texts, pairs = shortest_first(tokens, pairs)
    weights = _send_weights(encoder, matches, texts)
    embedded = encoder.embed(texts, list(dict.fromkeys(state for state, _ in matches)))
    by_reference, places = np.unique(pairs[:, ::-1], axis=0, return_inverse=True)
    distinct = by_reference[:, ::-1]
    full = np.flatnonzero(embedded.lengths[distinct].min(axis=1))  # an empty text scores 0
    grids = group_pairs(distinct[full], embedded.lengths)
    scores = zeros((len(matches), len(distinct), len(PARTS)), encoder.device)

    def work(batch: range) -> None:
        chosen = grids[batch.start : batch.stop]
        sides = [np.stack(side) for side in zip(*(grid.sides for grid in chosen), strict=True)]
        numbers = full[np.stack([grid.pairs for grid in chosen])]
        *on_device, pair_numbers = send_integers(encoder.device, *sides, numbers)
        longest = [int(embedded.lengths[side].max()) for side in sides]
        candidates, references = map(embedded.token_rows, on_device, longest)
        for state in embedded.vectors:
            similarities = closest(
                embedded.gather(state, candidates), embedded.gather(state, references)
            )
            for i, (matched, idf) in enumerate(matches):
                if matched == state:
                    scores[i, pair_numbers] = _weigh(
                        similarities, (candidates, references), weights[idf]
                    )

    sizes = [grid.token_count(embedded.lengths) for grid in grids]
    with inference(encoder.precision):
        encoder.in_batches(sizes, work, room=ROOM, kinds=[grid.shape for grid in grids])
    matched: Matrix = read(scores)[:, places]
    return matched


def _send_weights(
    encoder: Encoder, matches: Sequence[Match], texts: Sequence[Tokens]
) -> dict[Corpus | None, Tensor]:
    """Put the weights of all tokens on the device, for each idf."""
    corpora = list(dict.fromkeys(idf for _, idf in matches))
    by_corpus = np.stack([token_weights(encoder, idf).of(texts) for idf in corpora])
    return dict(zip(corpora, send_floats(by_corpus, encoder.device), strict=True))


def closest(candidates: Tensor, references: Tensor) -> tuple[Tensor, Tensor]:
    """Return the similarity of each token to the most similar token of the other text.

    Embeddings are unit vectors, (grids, texts, tokens, size), and every candidate of a grid is
    matched with every reference. The results are (grids, candidates, tokens, references) for the
    candidates' tokens and (grids, candidates, references, tokens) for the references'. Texts are
    filled up with their own tokens, which change no maximum.
    """
    similarity = candidates.flatten(1, 2) @ references.flatten(1, 2).transpose(1, 2)
    by_text = similarity.view(*candidates.shape[:3], *references.shape[1:3])
    return by_text.amax(4), by_text.amax(2)


def _weigh(
    similarities: tuple[Tensor, Tensor], sides: tuple[TokenRows, TokenRows], weights: Tensor
) -> Tensor:
    """Average over the tokens by weight; a text without any weight scores 0."""
    ours, theirs = (weights[side.rows].where(side.real, 0.0) for side in sides)
    to_reference, to_candidate = (side.to(weights.dtype) for side in similarities)
    precision = sum_products("gct,gctr->gcr", ours, to_reference)
    recall = sum_products("grt,gcrt->gcr", theirs, to_candidate)
    defined = ours.any(2)[:, :, None] & theirs.any(2)[:, None, :]
    return with_f1(precision, recall).where(defined[..., None], 0.0)


def with_f1(precision: Tensor, recall: Tensor) -> Tensor:
    """Put precision, recall and F1, their harmonic mean, side by side; 0 where F1 is undefined."""
    total = precision + recall
    mean = 2 * precision * recall / total.where(total != 0, 1.0)
    return side_by_side(precision, recall, mean.where(total != 0, 0.0))
