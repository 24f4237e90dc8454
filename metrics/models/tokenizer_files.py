"""Texts cut as the model of a metric cuts them, by its tokenizer alone: no model is loaded."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from importlib.util import find_spec
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from shakeproof.metrics.models.files import ModelFiles, config_of
from shakeproof.metrics.models.tokens import blank_before, prepare
from shakeproof.metrics.protocols import Instance, Metric

if TYPE_CHECKING:
    from tokenizers import Tokenizer

Tokenize = Callable[[str], tuple[str, ...]]

UNKNOWN = "[UNK]"
SENTENCE_PIECE = "<unk>"  # where the tokenizer does not tell
START, JOINED = "", "##"  # a piece that begins a word, and one that goes on
REMEMBERED = 16_384  # texts: clean ones return at every level
CLASS = "tokenizer_class"


def tokenizer_model(metric: Metric, instance: Instance) -> ModelFiles | None:
    """Find the model whose tokenizer a metric sees texts through; the first if it has several."""
    models = (getattr(scorer, "model", None) for scorer, _ in metric.needs(instance))
    return next((model for model in models if isinstance(model, ModelFiles)), None)


@lru_cache(maxsize=8)
def load_tokenizer(model: ModelFiles) -> Tokenize | None:
    """Load the tokenizer of a model; none where it has no tokenizer.json."""
    tokenizer = _tokenizer(model)
    if tokenizer is None:
        return None
    unknown = _unknown(tokenizer)
    return lru_cache(maxsize=REMEMBERED)(lambda text: _marks(tokenizer, unknown, text))


def overflow(model: ModelFiles, texts: Sequence[str]) -> list[int] | None:
    """Count the tokens of each text beyond what a model takes; none where its files do not tell."""
    tokenizer, limit, kind = _tokenizer(model), limit_in_files(model), _settings(model).get(CLASS)
    if tokenizer is None or limit is None or kind is None:
        return None
    full = [prepared for text in texts if (prepared := prepare(text))]
    found = iter(tokenizer.encode_batch_fast([blank_before(kind) + text for text in full]))
    return [max(0, len(next(found)) - limit) if prepare(text) else 0 for text in texts]


def limit_in_files(model: ModelFiles) -> int | None:
    """Read how many tokens a model takes; none where only the live model can tell."""
    stated, positions = _settings(model).get("model_max_length"), _positions(config_of(model))
    return None if stated is None or positions is None else int(min(stated, positions))


def _positions(config: Mapping[str, Any]) -> int | None:
    """Count the positions that a model has, where its configuration says all about them."""
    count, padding = config.get("max_position_embeddings"), config.get("pad_token_id")
    match config.get("model_type"):
        case "bert" | "distilbert" | "electra" | "modernbert":
            return count
        case "camembert" | "mpnet" | "roberta" | "xlm-roberta":  # those up to the padding's unused
            return None if count is None or padding is None else count - padding - 1
    return None


@lru_cache(maxsize=8)
def _tokenizer(model: ModelFiles) -> Tokenizer | None:
    path = model.folder / "tokenizer.json"
    if not path.is_file() or find_spec("tokenizers") is None:
        return None
    from tokenizers import Tokenizer

    tokenizer = Tokenizer.from_file(str(path))
    tokenizer.no_truncation()
    tokenizer.no_padding()
    return tokenizer


def _settings(model: ModelFiles) -> dict[str, Any]:
    """Read what the tokenizer is called and how long its texts may be."""
    path = model.folder / "tokenizer_config.json"
    settings: dict[str, Any] = json.loads(path.read_text("utf-8")) if path.is_file() else {}
    return settings


def _unknown(tokenizer: Tokenizer) -> int | None:
    """Find the number of the unknown token, if there is one."""
    name = getattr(tokenizer.model, "unk_token", None) or SENTENCE_PIECE
    return tokenizer.token_to_id(name)


def _marks(tokenizer: Tokenizer, unknown: int | None, text: str) -> tuple[str, ...]:
    """Write each piece as its mark alone, the same for every kind of tokenizer."""
    found = tokenizer.encode(prepare(text), add_special_tokens=False)
    words = pairwise([None, *found.word_ids])
    pieces = zip(found.ids, words, strict=True)
    return tuple(
        UNKNOWN if number == unknown else JOINED if before == word is not None else START
        for number, (before, word) in pieces
    )
