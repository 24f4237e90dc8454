"""What the tokenizer files of a model say about texts, without loading the model."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from importlib.util import find_spec
from itertools import pairwise
from typing import TYPE_CHECKING, Any, TypeAlias

from shakeproof.metrics.models.files import ModelFiles, read_config
from shakeproof.metrics.models.runtime import runtimes_of
from shakeproof.metrics.models.tokens import leading_blank, prepare
from shakeproof.metrics.protocols import Instance, Metric

if TYPE_CHECKING:
    from tokenizers import Tokenizer

# From a text to one mark per token: UNKNOWN, WORD_START or CONTINUED.
Tokenize: TypeAlias = Callable[[str], tuple[str, ...]]

UNKNOWN = "[UNK]"
WORD_START, CONTINUED = "", "##"
DEFAULT_UNKNOWN = "<unk>"  # SentencePiece's, which tokenizer.json does not name
CACHED_TEXTS = 16_384  # clean texts come again at every level


def tokenizer_model(metric: Metric, instance: Instance) -> ModelFiles | None:
    """Return the model whose tokenizer a metric uses: the first one, None if there is none."""
    return next((runtime.model for runtime in runtimes_of(metric, instance)), None)


@lru_cache(maxsize=8)
def load_tokenizer(model: ModelFiles) -> Tokenize | None:
    """Load the tokenizer of a model; None if the model has no tokenizer.json."""
    tokenizer = _read_tokenizer(model)
    if tokenizer is None:
        return None
    unknown = tokenizer.token_to_id(getattr(tokenizer.model, "unk_token", None) or DEFAULT_UNKNOWN)
    return lru_cache(maxsize=CACHED_TEXTS)(lambda text: _marks(tokenizer, unknown, text))


def _marks(tokenizer: Tokenizer, unknown: int | None, text: str) -> tuple[str, ...]:
    """Return the mark of each token; marks are the same for every kind of tokenizer."""
    encoding = tokenizer.encode(prepare(text), add_special_tokens=False)
    words = pairwise([None, *encoding.word_ids])
    return tuple(
        UNKNOWN if number == unknown else CONTINUED if before == word is not None else WORD_START
        for number, (before, word) in zip(encoding.ids, words, strict=True)
    )


def count_overflow(model: ModelFiles, texts: Sequence[str]) -> list[int] | None:
    """Count the tokens of each text beyond the model's limit; None if the files do not say it."""
    tokenizer, limit = _read_tokenizer(model), read_token_limit(model)
    kind = _read_settings(model).get("tokenizer_class")
    if tokenizer is None or limit is None or kind is None:
        return None
    prepared = [prepare(text) for text in texts]
    full = [leading_blank(kind) + text for text in prepared if text]
    encodings = iter(tokenizer.encode_batch_fast(full))
    return [max(0, len(next(encodings)) - limit) if text else 0 for text in prepared]


def read_token_limit(model: ModelFiles) -> int | None:
    """Read how many tokens a model takes; None if only the loaded model shows it."""
    stated = _read_settings(model).get("model_max_length")
    positions = _position_count(read_config(model))
    return None if stated is None or positions is None else int(min(stated, positions))


def _position_count(config: Mapping[str, Any]) -> int | None:
    """Count the positions of a model, for kinds of models whose configuration has the number."""
    count, padding = config.get("max_position_embeddings"), config.get("pad_token_id")
    match config.get("model_type"):
        case "bert" | "distilbert" | "electra" | "modernbert":
            return count
        case "camembert" | "mpnet" | "roberta" | "xlm-roberta":  # unused up to the padding's
            return None if count is None or padding is None else count - padding - 1
    return None


@lru_cache(maxsize=8)
def _read_tokenizer(model: ModelFiles) -> Tokenizer | None:
    path = model.folder / "tokenizer.json"
    if not path.is_file() or find_spec("tokenizers") is None:
        return None
    from tokenizers import Tokenizer

    tokenizer = Tokenizer.from_file(str(path))
    tokenizer.no_truncation()
    tokenizer.no_padding()
    return tokenizer


def _read_settings(model: ModelFiles) -> dict[str, Any]:
    """Read the name of the tokenizer's class and the longest text it allows."""
    path = model.folder / "tokenizer_config.json"
    settings: dict[str, Any] = json.loads(path.read_text("utf-8")) if path.is_file() else {}
    return settings
