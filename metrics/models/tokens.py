"""Texts to token numbers, as bert_score prepares them, and token numbers to tensors."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from shakeproof.metrics.models.transfers import send_integers

if TYPE_CHECKING:
    import torch

    Tensor: TypeAlias = torch.Tensor

Tokens: TypeAlias = list[int]

NO_LIMIT = 1_000_000  # tokenizers without a limit report one with thirty digits
# Byte-pair tokenizers for which bert_score puts a blank before the text, so that its first word
# is the same token as anywhere else. transformers 5 ignores that setting, so we add the blank.
BLANK_FIRST = ("RobertaTokenizer", "GPT2Tokenizer")


def prepare(text: str) -> str:
    """Strip a text, and make it valid Unicode."""
    return replace_surrogates(text.strip())


def replace_surrogates(text: str) -> str:
    """Replace lone surrogates, which tokenizers do not accept."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return text


def tokenize(
    tokenizer: Any,  # noqa: ANN401  # transformers is untyped
    texts: Sequence[str],
    limit: int | None = None,
) -> list[Tokens]:
    """Split texts into tokens, special ones included, up to the limit; empty texts have none."""
    prepared = [prepare(text) for text in texts]
    if not any(prepared):
        return [[] for _ in texts]
    blank = leading_blank(type(tokenizer).__name__)
    numbers = iter(
        tokenizer(
            [blank + text for text in prepared if text],
            truncation=limit is not None,
            max_length=limit,
            return_attention_mask=False,
            return_token_type_ids=False,
            verbose=False,
        )["input_ids"]
    )
    return [next(numbers) if text else [] for text in prepared]


def leading_blank(tokenizer_class: str) -> str:
    """Return what is put before a text, by the name of the tokenizer's class."""
    return " " if tokenizer_class.startswith(BLANK_FIRST) else ""


def token_limit(tokenizer: Any, model: Any) -> int:  # noqa: ANN401  # transformers is untyped
    """Return how many tokens the model takes, by its tokenizer and its position embeddings."""
    stated = getattr(tokenizer, "model_max_length", NO_LIMIT)
    return min(stated, position_count(model), NO_LIMIT)


def position_count(model: Any) -> int:  # noqa: ANN401
    """Count the positions of the model; the first rows of RoBERTa's table are not used."""
    for name, module in model.named_modules():
        if name.endswith("position_embeddings") and hasattr(module, "num_embeddings"):
            unused = 0 if module.padding_idx is None else module.padding_idx + 1
            return int(module.num_embeddings - unused)
    stated = getattr(model.config, "max_position_embeddings", None)
    return stated if stated and stated > 0 else NO_LIMIT


@dataclass(frozen=True, slots=True)
class PaddedTexts:
    """Some texts in one tensor, padded to the longest."""

    ids: Tensor  # (texts, longest)
    mask: Tensor  # (texts, longest): True for real tokens
    rows: Tensor  # the places of the real tokens in the flattened tensor


def pad(device: str, padding: int, *batches: Sequence[Tokens]) -> list[PaddedTexts]:
    """Put batches of texts on a device, all of them in one transfer."""
    import torch

    lengths = [np.array([len(tokens) for tokens in batch], dtype=np.int64) for batch in batches]
    masks = [np.arange(numbers.max()) < numbers[:, None] for numbers in lengths]
    arrays = []
    for batch, numbers, mask in zip(batches, lengths, masks, strict=True):
        ids = np.full(mask.shape, padding, dtype=np.int64)
        ids[mask] = np.fromiter(chain.from_iterable(batch), dtype=np.int64)
        arrays += [ids, numbers, np.flatnonzero(mask)]
    sent = send_integers(device, *arrays)
    return [
        PaddedTexts(ids, torch.arange(ids.shape[1], device=device) < numbers[:, None], rows)
        for ids, numbers, rows in zip(sent[::3], sent[1::3], sent[2::3], strict=True)
    ]
