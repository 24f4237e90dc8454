"""METEOR (Banerjee and Lavie 2005): words aligned by form, stem and, with WordNet, sense."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from operator import eq
from typing import ClassVar, Literal

import numpy as np
from pydantic import Field

from shakeproof.metrics.formulas import BestReference
from shakeproof.metrics.kinds.meteor_alignment import align
from shakeproof.metrics.kinds.stemming import check_nltk, stemmer, synonyms, wordnet_version
from shakeproof.metrics.options import Options
from shakeproof.metrics.protocols import Metric, Texts, Vector
from shakeproof.metrics.settings import Settings
from shakeproof.metrics.versions import installed

WORD = re.compile(r"\w+|[^\w\s]")


def meteor(
    candidate: Sequence[str],
    reference: Sequence[str],
    stages: Sequence[Callable[[str, str], bool]],
    *,
    alpha: float = 0.9,
    beta: float = 3.0,
    gamma: float = 0.5,
) -> float:
    """Weigh precision and recall of the aligned words, less a penalty for scattered ones."""
    alignment = align(candidate, reference, stages)
    matches = len(alignment.links)
    if matches == 0:
        return 0.0
    precision, recall = matches / len(candidate), matches / len(reference)
    mean = precision * recall / (alpha * precision + (1 - alpha) * recall)
    penalty: float = gamma * (alignment.chunks / matches) ** beta
    return mean * (1 - penalty)


def same_stem(word: str, other: str) -> bool:
    """Compare two words by their Porter stems."""
    stem = stemmer()
    return stem(word) == stem(other)


def same_sense(word: str, other: str) -> bool:
    """Say whether WordNet has the other word among the synonyms of the first."""
    return other in synonyms(word)


@dataclass(frozen=True, slots=True)
class MeteorScorer:
    """METEOR of one pair: (candidate, reference)."""

    alpha: float
    beta: float
    gamma: float
    senses: bool | Literal["auto"]

    @property
    def signature(self) -> str:
        """Name the parameters and what words are matched by."""
        wordnet = self._wordnet()
        stages = f"exact+stem+wordnet-{wordnet}" if wordnet else "exact+stem"
        weights = f"alpha:{self.alpha}|beta:{self.beta}|gamma:{self.gamma}"
        return f"meteor|{weights}|match:{stages}|case:lower|{installed('nltk')}"

    def score(self, tuples: Sequence[Texts]) -> Vector:
        """Rate pair by pair."""
        stages = [eq, same_stem, *([same_sense] if self._wordnet() else [])]
        weights = {"alpha": self.alpha, "beta": self.beta, "gamma": self.gamma}
        pairs = ([WORD.findall(text.lower()) for text in pair] for pair in tuples)
        return np.array([meteor(ours, theirs, stages, **weights) for ours, theirs in pairs])

    def _wordnet(self) -> str | None:
        found = wordnet_version() if self.senses else None
        if self.senses is True and found is None:
            raise ValueError("meteor with senses needs nltk's wordnet data; set senses: auto")
        return found


class MeteorOptions(Options):
    """The weights; `senses: auto` uses WordNet where nltk has it, and the signature says so."""

    summary: ClassVar[str] = "METEOR: words aligned by form and stem, by sense if WordNet is there"

    alpha: float = Field(default=0.9, ge=0, le=1)
    beta: float = Field(default=3.0, ge=0)
    gamma: float = Field(default=0.5, ge=0, le=1)
    senses: bool | Literal["auto"] = "auto"

    def build(self, others: Mapping[str, Metric], settings: Settings) -> BestReference:
        """Compare with the closest reference."""
        check_nltk("meteor")
        return BestReference(MeteorScorer(self.alpha, self.beta, self.gamma, self.senses))
