"""Token by token, how similar BERTScore finds two texts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from shakeproof.metrics.bertscore.scorer import BertScorer
from shakeproof.metrics.models.encoder import Encoder, load_encoder
from shakeproof.metrics.models.layers import Layer
from shakeproof.metrics.models.tokens import Tokens
from shakeproof.metrics.models.transfers import read
from shakeproof.metrics.protocols import Matrix, Texts


@dataclass(frozen=True, slots=True)
class TokenSimilarity:
    """The tokens of a candidate and a reference, special ones included, and their cosines."""

    candidate: tuple[str, ...]
    reference: tuple[str, ...]
    cosines: Matrix  # (tokens of the candidate, tokens of the reference)


def token_similarities(
    scorer: BertScorer, pairs: Sequence[Texts], *, most: int
) -> list[TokenSimilarity | None]:
    """Compare the tokens that the scorer matches, for all pairs in one pass.

    The result is None if a text has no tokens or more than `most`. For a layer that is a mean
    over layers, it is the mean of their cosines.
    """
    encoder = load_encoder(*scorer.runtime.resolve())
    texts = list(dict.fromkeys(text for pair in pairs for text in pair))
    all_tokens = zip(texts, encoder.tokenize(texts), strict=True)
    tokens = {text: numbers for text, numbers in all_tokens if 0 < len(numbers) <= most}
    vectors = _vectors(encoder, scorer.layer, tokens) if tokens else {}
    names = {
        text: tuple(encoder.tokenizer.convert_ids_to_tokens(numbers))
        for text, numbers in tokens.items()
    }
    return [
        TokenSimilarity(
            names[candidate],
            names[reference],
            _mean_cosines(vectors[candidate], vectors[reference]),
        )
        if candidate in tokens and reference in tokens
        else None
        for candidate, reference in pairs
    ]


def _vectors(
    encoder: Encoder, layer: Layer, tokens: Mapping[str, Tokens]
) -> dict[str, list[Matrix]]:
    """Embed texts, and return the vectors of each text for every state of the layer."""
    ordered = sorted(tokens, key=lambda text: len(tokens[text]))
    states = encoder.states_of(layer)
    embedded = encoder.embed([tokens[text] for text in ordered], states)
    ends = np.cumsum(embedded.lengths)[:-1]
    by_state = [np.split(read(embedded.vectors[state]), ends) for state in states]
    return dict(zip(ordered, map(list, zip(*by_state, strict=True)), strict=True))


def _mean_cosines(candidate: Sequence[Matrix], reference: Sequence[Matrix]) -> Matrix:
    by_state = [ours @ theirs.T for ours, theirs in zip(candidate, reference, strict=True)]
    mean: Matrix = np.mean(by_state, axis=0)
    return mean
