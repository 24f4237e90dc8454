"""Texts to token numbers, as bert_score prepares them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeAlias

Tokens: TypeAlias = list[int]

NO_LIMIT = 1_000_000  # tokenizers that know no limit report an astronomic one
# Byte-pair tokenizers for which bert_score puts a blank before the text, so that its first word
# is the same token as anywhere else. transformers 5 ignores that request; we do not.
SPACED = ("RobertaTokenizer", "GPT2Tokenizer")


def prepare(text: str) -> str:
    """Strip a text, and make it valid."""
    return valid(text.strip())


def valid(text: str) -> str:
    """Replace lone surrogates, which no tokenizer takes."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return text


def tokenise(
    tokenizer: Any,  # noqa: ANN401  # transformers is untyped
    texts: Sequence[str],
    limit: int | None = None,
) -> list[Tokens]:
    """Cut texts into tokens, special ones included, and off at the limit; empty texts have none."""
    full = [prepared for text in texts if (prepared := prepare(text))]
    found = iter(_numbers(tokenizer, full, limit) if full else [])
    return [next(found) if prepare(text) else [] for text in texts]


def blank_before(tokenizer: str) -> str:
    """Say what stands before a text, by the name of the tokenizer's class."""
    return " " if tokenizer.startswith(SPACED) else ""


def _numbers(tokenizer: Any, texts: list[str], limit: int | None) -> list[Tokens]:  # noqa: ANN401
    """Call the tokenizer."""
    blank = blank_before(type(tokenizer).__name__)
    numbers: list[Tokens] = tokenizer(
        [blank + text for text in texts],
        truncation=limit is not None,
        max_length=limit,
        return_attention_mask=False,
        return_token_type_ids=False,
        verbose=False,
    )["input_ids"]
    return numbers


def limit_of(tokenizer: Any, model: Any) -> int:  # noqa: ANN401  # transformers is untyped
    """Find how many tokens the model takes: what its tokenizer says, or its table of positions."""
    stated = getattr(tokenizer, "model_max_length", NO_LIMIT)
    return min(stated, positions_of(model), NO_LIMIT)


def positions_of(model: Any) -> int:  # noqa: ANN401
    """Count the positions of the model; RoBERTa's table begins with unused ones."""
    for name, module in model.named_modules():
        if name.endswith("position_embeddings") and hasattr(module, "num_embeddings"):
            unused = 0 if module.padding_idx is None else module.padding_idx + 1
            return int(module.num_embeddings - unused)
    stated = getattr(model.config, "max_position_embeddings", None)
    return stated if stated and stated > 0 else NO_LIMIT
