"""The architecture: BERT over UTF-8 bytes, begun as if it were a convolution over letters."""

from __future__ import annotations

from math import log, pi
from string import ascii_lowercase, ascii_uppercase
from typing import Any

import torch
from torch import Tensor
from transformers import BertConfig, BertModel

SPECIAL = 3  # ByT5's numbers: padding, end of text, unknown; bytes follow
END = 1
POSITIONS = 2048
PLACE = 64  # dimensions that say where a byte is, at first
SHORTEST = 4.0  # bytes in the shortest wave of the positions
FAINT = 0.2  # of what else than the place draws a head's gaze, at first
# Of each layer: how far from a byte each head looks at first, and how sharply.
GAZES = (
    ((-4, -3, -2, -1, 1, 2, 3, 4), 1.0),
    ((-9, -6, -3, -1, 1, 3, 6, 9), 0.4),
    ((-8, -4, -2, 0, 0, 2, 4, 8), 0.3),
)


def new_config() -> BertConfig:
    """Describe the model: 2.2 million numbers."""
    return BertConfig(
        vocab_size=384,
        hidden_size=256,
        num_hidden_layers=len(GAZES),
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
    """Make the model.

    Its heads look at neighbouring bytes before they learn to look elsewhere, and capitals are
    like small letters before they learn to differ.
    """
    model: Any = BertModel(new_config(), add_pooling_layer=False)  # type: ignore[no-untyped-call]
    with torch.no_grad():
        embeddings = model.embeddings
        embeddings.word_embeddings.weight.normal_(0.0, 1.0)
        embeddings.word_embeddings.weight[:, :PLACE] = 0.0
        embeddings.word_embeddings.weight[numbers(ascii_uppercase)] = (
            embeddings.word_embeddings.weight[numbers(ascii_lowercase)]
        )
        embeddings.position_embeddings.weight.copy_(waves(model.config.hidden_size))
        embeddings.token_type_embeddings.weight.zero_()
        for layer, (offsets, sharpness) in zip(model.encoder.layer, GAZES, strict=True):
            look(layer.attention.self, offsets, sharpness)
    return model


def numbers(text: str) -> list[int]:
    """Turn the bytes of a text into numbers as ByT5 does."""
    return [byte + SPECIAL for byte in text.encode()]


def frequencies() -> Tensor:
    """Space the waves evenly, from one as long as a syllable to one as long as a text."""
    longest = log(SHORTEST * POSITIONS / 8)
    return 2 * pi / torch.exp(torch.linspace(log(SHORTEST), longest, PLACE // 2))


def waves(width: int) -> Tensor:
    """Tabulate sine and cosine of each wave: (positions, width), zero beyond `PLACE`."""
    angles = torch.arange(POSITIONS)[:, None] * frequencies()
    table = torch.zeros(POSITIONS, width)
    table[:, :PLACE] = 2**0.5 * torch.cat([angles.sin(), angles.cos()], dim=1)
    return table


def look(
    attention: Any,  # noqa: ANN401  # a module whose parts torch does not type
    offsets: tuple[int, ...],
    sharpness: float,
) -> None:
    """Let each head look at the bytes at a distance: queries are the waves, turned by it."""
    attention.query.weight *= FAINT
    attention.key.weight *= FAINT
    size = attention.attention_head_size
    half, used = PLACE // 2, size // 2
    for head, offset in enumerate(offsets):
        rows = slice(head * size, (head + 1) * size)
        query, key = torch.zeros(size, PLACE), torch.zeros(size, PLACE)
        turn = frequencies()[:used] * offset
        for i in range(used):
            sine, cosine = turn[i].sin(), turn[i].cos()
            query[2 * i, [i, half + i]] = torch.stack([cosine, sine])
            query[2 * i + 1, [i, half + i]] = torch.stack([-sine, cosine])
            key[2 * i, i] = key[2 * i + 1, half + i] = 1.0
        scale = (sharpness * size**0.5 / 2) ** 0.5
        attention.query.weight[rows, :PLACE] = scale * query
        attention.key.weight[rows, :PLACE] = scale * key
