"""BLEU, chrF and TER of single sentences, as sacrebleu computes them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import ClassVar, Literal, TypeAlias

import numpy as np
from pydantic import Field

from shakeproof.metrics.formulas import AllReferences
from shakeproof.metrics.kinds.chrf import ChrfScorer
from shakeproof.metrics.options import Options
from shakeproof.metrics.protocols import Metric, Texts, Vector
from shakeproof.metrics.settings import Settings
from shakeproof.metrics.versions import name_and_version

Arguments: TypeAlias = tuple[tuple[str, str | bool | int | float | None], ...]


@dataclass(frozen=True, slots=True)
class SacrebleuScorer:
    """A sentence score of sacrebleu, 0 to 100; texts are (candidate, reference, …)."""

    name: Literal["BLEU", "TER"]
    arguments: Arguments

    @property
    def signature(self) -> str:
        arguments = "|".join(f"{name}:{value}" for name, value in self.arguments)
        return f"{self.name.lower()}|{arguments}|{name_and_version('sacrebleu')}"

    def score(self, tuples: Sequence[Texts]) -> Vector:
        rate = _load(self.name, self.arguments)
        return np.array([rate(candidate, references) for candidate, *references in tuples])


class BleuOptions(Options):
    """Settings of BLEU, named as in sacrebleu."""

    summary: ClassVar[str] = "BLEU of single sentences, 0 to 100 (sacrebleu)"

    tokenize: Literal["13a", "intl", "char", "zh", "none", "ja-mecab", "ko-mecab"] = "13a"
    lowercase: bool = False
    smooth_method: Literal["exp", "floor", "add-k", "none"] = "exp"
    smooth_value: float | None = None
    max_ngram_order: int = Field(default=4, ge=1)
    effective_order: bool = True

    def build(self, others: Mapping[str, Metric], settings: Settings) -> AllReferences:
        return AllReferences(SacrebleuScorer("BLEU", tuple(self.model_dump().items())))


class ChrfOptions(Options):
    """Settings of chrF, named as in sacrebleu; `word_order: 2` makes it chrF++."""

    summary: ClassVar[str] = "chrF, 0 to 100: common character n-grams (sacrebleu)"

    char_order: int = Field(default=6, ge=1)
    word_order: int = Field(default=0, ge=0)
    beta: int = Field(default=2, ge=1)
    lowercase: bool = False
    whitespace: bool = False
    eps_smoothing: bool = False

    def build(self, others: Mapping[str, Metric], settings: Settings) -> AllReferences:
        return AllReferences(ChrfScorer(**self.model_dump()))


class TerOptions(Options):
    """Settings of TER, named as in sacrebleu."""

    summary: ClassVar[str] = "minus TER: edits per reference word, negated (sacrebleu)"

    normalized: bool = False
    no_punct: bool = False
    asian_support: bool = False
    case_sensitive: bool = False

    def build(self, others: Mapping[str, Metric], settings: Settings) -> AllReferences:
        scorer = SacrebleuScorer("TER", tuple(self.model_dump().items()))
        return AllReferences(scorer, sign=-1.0)


@cache
def _load(name: str, arguments: Arguments) -> Callable[[str, list[str]], float]:
    from sacrebleu import metrics

    metric = getattr(metrics, name)(**dict(arguments))
    return lambda candidate, references: float(metric.sentence_score(candidate, references).score)
