"""The architecture: BERT over UTF-8 bytes, initialised like a convolution over letters."""

from __future__ import annotations

from math import log, pi
from string import ascii_lowercase, ascii_uppercase
from typing import Any

import torch
from torch import Tensor
from transformers import BertConfig, BertModel

SPECIAL = 3  # ByT5's first ids: padding, end of text, unknown; bytes follow
END = 1
POSITIONS = 2048
POSITION_DIMENSIONS = 64  # dimensions of the embeddings that hold the position at first
SHORTEST_PERIOD = 4.0  # of the sinusoids, in bytes
INITIAL_SCALE = 0.2  # of the attention weights that do not depend on the position
# For each layer: the distance at which each head attends at first, and how sharply.
HEAD_OFFSETS = (
    ((-4, -3, -2, -1, 1, 2, 3, 4), 1.0),
    ((-9, -6, -3, -1, 1, 3, 6, 9), 0.4),
    ((-8, -4, -2, 0, 0, 2, 4, 8), 0.3),
)


def new_config() -> BertConfig:
    """Return the configuration of the model, which has 2.2 million parameters."""
    return BertConfig(
        vocab_size=384,
        hidden_size=256,
        num_hidden_layers=len(HEAD_OFFSETS),
        num_attention_heads=8,
        intermediate_size=512,
        max_position_embeddings=POSITIONS,
        type_vocab_size=1,
        hidden_dropout_prob=0.0,
        attention_probs_dropout_prob=0.0,
        initializer_range=0.05,
        pad_token_id=0,
        eos_token_id=END,
    )


def new_student() -> Any:  # noqa: ANN401  # transformers' classes are hardly typed
    """Return the initialised model.

    At first its heads attend to neighbouring bytes, and upper-case letters have the embeddings of
    lower-case ones.
    """
    model: Any = BertModel(new_config(), add_pooling_layer=False)  # type: ignore[no-untyped-call]
    with torch.no_grad():
        embeddings = model.embeddings
        embeddings.word_embeddings.weight.normal_(0.0, 1.0)
        embeddings.word_embeddings.weight[:, :POSITION_DIMENSIONS] = 0.0
        embeddings.word_embeddings.weight[token_ids(ascii_uppercase)] = (
            embeddings.word_embeddings.weight[token_ids(ascii_lowercase)]
        )
        embeddings.position_embeddings.weight.copy_(sinusoids(model.config.hidden_size))
        embeddings.token_type_embeddings.weight.zero_()
        for layer, (offsets, sharpness) in zip(model.encoder.layer, HEAD_OFFSETS, strict=True):
            set_head_offsets(layer.attention.self, offsets, sharpness)
    return model


def token_ids(text: str) -> list[int]:
    """Return ByT5's token ids of a text."""
    return [byte + SPECIAL for byte in text.encode()]


def frequencies() -> Tensor:
    """Return the frequencies of the sinusoids, from the length of a syllable to that of a text."""
    longest = log(SHORTEST_PERIOD * POSITIONS / 8)
    return (
        2 * pi / torch.exp(torch.linspace(log(SHORTEST_PERIOD), longest, POSITION_DIMENSIONS // 2))
    )


def sinusoids(width: int) -> Tensor:
    """Return the position embeddings: (positions, width), zero beyond `POSITION_DIMENSIONS`."""
    angles = torch.arange(POSITIONS)[:, None] * frequencies()
    table = torch.zeros(POSITIONS, width)
    table[:, :POSITION_DIMENSIONS] = 2**0.5 * torch.cat([angles.sin(), angles.cos()], dim=1)
    return table


def set_head_offsets(
    attention: Any,  # noqa: ANN401  # a module whose parts torch does not type
    offsets: tuple[int, ...],
    sharpness: float,
) -> None:
    """Let each head attend at its offset: its queries are the sinusoids, rotated by the offset."""
    attention.query.weight *= INITIAL_SCALE
    attention.key.weight *= INITIAL_SCALE
    size = attention.attention_head_size
    half, used = POSITION_DIMENSIONS // 2, size // 2
    for head, offset in enumerate(offsets):
        rows = slice(head * size, (head + 1) * size)
        query, key = torch.zeros(size, POSITION_DIMENSIONS), torch.zeros(size, POSITION_DIMENSIONS)
        rotation = frequencies()[:used] * offset
        for i in range(used):
            sine, cosine = rotation[i].sin(), rotation[i].cos()
            query[2 * i, [i, half + i]] = torch.stack([cosine, sine])
            query[2 * i + 1, [i, half + i]] = torch.stack([-sine, cosine])
            key[2 * i, i] = key[2 * i + 1, half + i] = 1.0
        scale = (sharpness * size**0.5 / 2) ** 0.5
        attention.query.weight[rows, :POSITION_DIMENSIONS] = scale * query
        attention.key.weight[rows, :POSITION_DIMENSIONS] = scale * key
