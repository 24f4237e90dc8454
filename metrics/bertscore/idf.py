"""Weights of tokens: all equal, or by rarity (inverse document frequency, idf)."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain
from math import log
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from shakeproof.metrics.files import find_file
from shakeproof.metrics.models.tokens import Tokens
from shakeproof.metrics.protocols import Vector
from shakeproof.metrics.settings import Settings

if TYPE_CHECKING:
    from shakeproof.metrics.models.encoder import Encoder


@dataclass(frozen=True, slots=True)
class Corpus:
    """A file of texts in which the tokens are counted.

    One text per line, or JSON Lines of segments, whose references are used.
    """

    path: Path

    @property
    def name(self) -> str:
        """Name the corpus and its content, the same on every machine."""
        digest = hashlib.sha256("\0".join(read_corpus(self)).encode("utf-8", "replace"))
        return f"{self.path.name}-{digest.hexdigest()[:12]}"


def find_corpus(name: str | None, settings: Settings) -> Corpus | None:
    """Find the corpus that a checklist names, if it names one."""
    return Corpus(find_file(name, settings)) if name else None


@lru_cache(maxsize=8)
def read_corpus(corpus: Corpus) -> tuple[str, ...]:
    """Read the texts of a corpus."""
    lines = [line for line in corpus.path.read_text("utf-8").split("\n") if line.strip()]
    if corpus.path.suffix != ".jsonl":
        return tuple(lines)
    return tuple(text for line in lines for text in json.loads(line).get("references", []))


@dataclass(frozen=True, slots=True)
class TokenWeights:
    """The weights of some tokens by their numbers, and the weight of all others."""

    listed: dict[int, float]
    other: float

    def of(self, texts: Sequence[Tokens]) -> Vector:
        """Return the weights of all tokens, text after text; those of a text add up to one.

        A text whose tokens all have weight zero keeps zeros.
        """
        flat = np.fromiter(chain.from_iterable(texts), dtype=np.int64)
        lengths = [len(tokens) for tokens in texts]
        owner = np.repeat(np.arange(len(texts)), lengths)
        unique, inverse = np.unique(flat, return_inverse=True)
        listed = np.array([self.listed.get(int(number), self.other) for number in unique])
        raw = listed[inverse] if len(flat) else np.zeros(0)
        total = np.bincount(owner, raw, minlength=len(texts))
        return raw / np.where(total == 0, 1.0, total)[owner]


def token_weights(encoder: Encoder, corpus: Corpus | None) -> TokenWeights:
    """Weigh tokens as bert_score does: by idf, or [CLS] and [SEP] 0 and all others 1."""
    if corpus is None:
        special = (encoder.tokenizer.cls_token_id, encoder.tokenizer.sep_token_id)
        return TokenWeights({number: 0.0 for number in special if number is not None}, 1.0)
    return idf_weights(encoder, corpus)


@lru_cache(maxsize=8)
def idf_weights(encoder: Encoder, corpus: Corpus) -> TokenWeights:
    """Weigh tokens by idf: the fewer texts of the corpus have a token, the higher its weight."""
    documents = encoder.tokenize(read_corpus(corpus))
    counts = Counter(chain.from_iterable(map(set, documents)))
    idf = {number: log((len(documents) + 1) / (n + 1)) for number, n in counts.items()}
    return TokenWeights(idf, log(len(documents) + 1))
