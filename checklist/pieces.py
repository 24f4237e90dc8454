"""Texts cut as the model of a metric cuts them, by its tokenizer alone: no model is loaded."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from importlib.util import find_spec
from itertools import pairwise
from typing import TYPE_CHECKING

from shakeproof.metrics.models import Place
from shakeproof.metrics.protocols import Item, Metric
from shakeproof.metrics.tokens import prepare

if TYPE_CHECKING:
    from tokenizers import Tokenizer

Cut = Callable[[str], tuple[str, ...]]

UNKNOWN = "[UNK]"
SENTENCE_PIECE = "<unk>"  # where the tokenizer does not tell
START, JOINED = "", "##"  # a piece that begins a word, and one that goes on
REMEMBERED = 16_384  # texts: clean ones return at every level


def model_of(metric: Metric, item: Item) -> Place | None:
    """Find the model whose tokenizer a metric sees texts through; the first if it has several."""
    models = (getattr(scorer, "model", None) for scorer, _ in metric.needs(item))
    return next((model for model in models if isinstance(model, Place)), None)


@lru_cache(maxsize=8)
def cutter(model: Place) -> Cut | None:
    """Load the tokenizer of a model; none where it has no tokenizer.json."""
    path = model.folder / "tokenizer.json"
    if not path.is_file() or find_spec("tokenizers") is None:
        return None
    from tokenizers import Tokenizer

    tokenizer = Tokenizer.from_file(str(path))
    tokenizer.no_truncation()
    tokenizer.no_padding()
    unknown = _unknown(tokenizer)
    return lru_cache(maxsize=REMEMBERED)(lambda text: _marks(tokenizer, unknown, text))


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
