"""How similar BERTScore finds each token of one text to each of another."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from shakeproof.metrics.bertscore.scorer import BertScorer
from shakeproof.metrics.models.encoder import Encoder, load_encoder
from shakeproof.metrics.models.tokens import Tokens
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
    """Compare token by token what the scorer compares, all pairs in one go.

    There is nothing to see, None, where a text has no tokens or more than `most`. Where the scorer
    takes in several layers, the mean of their cosines is taken.
    """
    encoder = load_encoder(*scorer.runtime.settled())
    texts = list(dict.fromkeys(text for pair in pairs for text in pair))
    tokens = dict(zip(texts, encoder.tokenise(texts), strict=True))
    fitting = {text: one for text, one in tokens.items() if 0 < len(one) <= most}
    vectors = _vectors(encoder, scorer, fitting) if fitting else {}
    names = {
        text: tuple(encoder.tokenizer.convert_ids_to_tokens(one)) for text, one in fitting.items()
    }
    return [
        TokenSimilarity(names[ours], names[theirs], _cosines(vectors[ours], vectors[theirs]))
        if ours in fitting and theirs in fitting
        else None
        for ours, theirs in pairs
    ]


def _vectors(
    encoder: Encoder, scorer: BertScorer, tokens: Mapping[str, Tokens]
) -> dict[str, list[Matrix]]:
    """Embed texts, and give the vectors of each in every layer that the scorer takes in."""
    ordered = sorted(tokens, key=lambda text: len(tokens[text]))
    states = encoder.states_of(scorer.layer)
    embedded = encoder.embed([tokens[text] for text in ordered], states)
    ends = np.cumsum(embedded.lengths)[:-1]
    by_state = [np.split(embedded.vectors[state].cpu().double().numpy(), ends) for state in states]
    return dict(zip(ordered, map(list, zip(*by_state, strict=True)), strict=True))


def _cosines(ours: Sequence[Matrix], theirs: Sequence[Matrix]) -> Matrix:
    by_layer = [one @ other.T for one, other in zip(ours, theirs, strict=True)]
    mean: Matrix = np.mean(by_layer, axis=0)
    return mean
