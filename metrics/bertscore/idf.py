"""How much each token counts: all alike, or rare ones more (inverse document frequency)."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain
from math import log
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from shakeproof.metrics.models.tokens import Tokens
from shakeproof.metrics.protocols import Vector
from shakeproof.metrics.settings import Settings, find_file

if TYPE_CHECKING:
    from shakeproof.metrics.models.encoder import Encoder


@dataclass(frozen=True, slots=True)
class Corpus:
    """Texts in a file, in which the tokens are counted.

    One text per line, or JSON Lines of segments, whose references are taken.
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
    lines = corpus.path.read_text("utf-8").split("\n")
    return tuple(chain.from_iterable(_texts(lines, json_lines=corpus.path.suffix == ".jsonl")))


def _texts(lines: Iterable[str], *, json_lines: bool) -> Iterator[list[str]]:
    """Yield the texts of each line that is not blank."""
    for line in filter(str.strip, lines):
        yield json.loads(line).get("references", []) if json_lines else [line]


@dataclass(frozen=True, slots=True)
class Weights:
    """What each token weighs, and what one weighs that is not listed."""

    listed: dict[int, float]
    other: float

    def of(self, texts: Sequence[Tokens]) -> Vector:
        """Weigh the tokens of all texts, one after the other; those of a text add up to one.

        A text in which nothing has weight keeps zeros.
        """
        flat = np.fromiter(chain.from_iterable(texts), dtype=np.int64)
        lengths = [len(tokens) for tokens in texts]
        owner = np.repeat(np.arange(len(texts)), lengths)
        unique, inverse = np.unique(flat, return_inverse=True)
        listed = np.array([self.listed.get(int(number), self.other) for number in unique])
        raw = listed[inverse] if len(flat) else np.zeros(0)
        total = np.bincount(owner, raw, minlength=len(texts))
        return raw / np.where(total == 0, 1.0, total)[owner]


def weights_for(encoder: Encoder, corpus: Corpus | None) -> Weights:
    """Weigh tokens as bert_score does: [CLS] and [SEP] nothing, the others alike or by rarity."""
    if corpus is None:
        special = (encoder.tokenizer.cls_token_id, encoder.tokenizer.sep_token_id)
        return Weights({number: 0.0 for number in special if number is not None}, 1.0)
    return rarity_in(encoder, corpus)


@lru_cache(maxsize=8)
def rarity_in(encoder: Encoder, corpus: Corpus) -> Weights:
    """Weigh tokens by how few texts of the corpus have them."""
    documents = encoder.tokenise(read_corpus(corpus))
    counts = Counter(chain.from_iterable(map(set, documents)))
    rarity = {number: log((len(documents) + 1) / (n + 1)) for number, n in counts.items()}
    return Weights(rarity, log(len(documents) + 1))
