"""BERTScore's arithmetic (Zhang et al. 2020): tokens matched greedily by their embeddings."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal, TypeAlias

import numpy as np

from shakeproof.metrics.bertscore.idf import Corpus, token_weights
from shakeproof.metrics.bertscore.pair_grids import group_pairs
from shakeproof.metrics.models.devices import inference
from shakeproof.metrics.models.encoder import Encoder, State, TokenRows
from shakeproof.metrics.models.pairs import shortest_first, split_pairs, unique_texts
from shakeproof.metrics.models.tokens import Tokens
from shakeproof.metrics.protocols import IntArray, Matrix, Texts, Vector

if TYPE_CHECKING:
    from shakeproof.metrics.models.encoder import Tensor

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
    weights = {idf: token_weights(encoder, idf).of(texts) for idf in {idf for _, idf in matches}}
    embedded = encoder.embed(texts, list(dict.fromkeys(state for state, _ in matches)))
    by_reference, places = np.unique(pairs[:, ::-1], axis=0, return_inverse=True)
    distinct = by_reference[:, ::-1]
    full = np.flatnonzero(embedded.lengths[distinct].min(axis=1))  # an empty text scores 0
    grids = group_pairs(distinct[full], embedded.lengths)
    scores = np.zeros((len(matches), len(distinct), len(PARTS)))

    def work(batch: range) -> None:
        chosen = grids[batch.start : batch.stop]
        candidates = embedded.token_rows(np.stack([grid.candidates for grid in chosen]))
        references = embedded.token_rows(np.stack([grid.references for grid in chosen]))
        numbers = full[np.stack([grid.pairs for grid in chosen])]
        for state in embedded.vectors:
            similarities = closest(
                embedded.gather(state, candidates), embedded.gather(state, references)
            )
            for i, (matched, idf) in enumerate(matches):
                if matched == state:
                    scores[i, numbers] = _weigh(
                        similarities, (candidates, references), weights[idf]
                    )

    sizes = [grid.token_count(embedded.lengths) for grid in grids]
    with inference(encoder.precision):
        encoder.in_batches(sizes, work, room=ROOM, kinds=[grid.shape for grid in grids])
    return scores[:, places]


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
    similarities: tuple[Tensor, Tensor], sides: tuple[TokenRows, TokenRows], weights: Vector
) -> Matrix:
    """Average over the tokens by weight; a text without any weight scores 0."""
    ours, theirs = (np.where(side.real, weights[side.rows], 0.0) for side in sides)
    to_reference, to_candidate = (side.cpu().double().numpy() for side in similarities)
    precision = np.einsum("gct,gctr->gcr", ours, to_reference)
    recall = np.einsum("grt,gcrt->gcr", theirs, to_candidate)
    candidate_counts, reference_counts = (np.asarray(side.any(axis=2)) for side in (ours, theirs))
    defined = candidate_counts[:, :, None] & reference_counts[:, None, :]
    return np.where(defined[..., None], with_f1(precision, recall), 0.0)


def with_f1(precision: Vector, recall: Vector) -> Matrix:
    """Put precision, recall and F1, their harmonic mean, side by side; 0 where F1 is undefined."""
    total = precision + recall
    mean = 2 * precision * recall / np.where(total == 0, 1.0, total)
    return np.stack([precision, recall, np.where(total == 0, 0.0, mean)], axis=-1)
