"""ROUGE-N and ROUGE-L (Lin 2004), equal to Google's rouge-score."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from functools import partial
from typing import Annotated, ClassVar, Literal, TypeAlias

from pydantic import Field
from rapidfuzz.distance import LCSseq

from shakeproof.metrics.formulas import BestReference, PairwiseScorer
from shakeproof.metrics.kinds.stemming import check_nltk, stemmer
from shakeproof.metrics.options import Options
from shakeproof.metrics.protocols import Metric
from shakeproof.metrics.settings import Settings
from shakeproof.metrics.versions import name_and_version

Variant: TypeAlias = Literal["L"] | Annotated[int, Field(ge=1)]
Part: TypeAlias = Literal["precision", "recall", "f1"]

WORDS = {"ascii": re.compile(r"[a-z0-9]+"), "unicode": re.compile(r"[^\W_]+")}
MIN_STEMMED_LETTERS = 4  # rouge-score leaves words of up to three letters as they are


def rouge(
    candidate: str, reference: str, *, variant: Variant, part: Part, words: str, stem: bool
) -> float:
    """Compare n-grams, or the longest common subsequence of words."""
    ours, theirs = (tokens(text, words=words, stem=stem) for text in (candidate, reference))
    if variant == "L":
        return _share(LCSseq.similarity(ours, theirs), len(ours), len(theirs), part)
    our_ngrams, their_ngrams = (Counter(_ngrams(text, variant)) for text in (ours, theirs))
    common = (our_ngrams & their_ngrams).total()
    return _share(common, our_ngrams.total(), their_ngrams.total(), part)


def tokens(text: str, *, words: str, stem: bool) -> list[str]:
    """Split a text into lower-case words of letters and digits."""
    found_words: list[str] = WORDS[words].findall(text.lower())
    if not stem:
        return found_words
    stem_of = stemmer()
    return [stem_of(word) if len(word) >= MIN_STEMMED_LETTERS else word for word in found_words]


def _ngrams(words: Sequence[str], order: int) -> list[Hashable]:
    return list(zip(*(words[start:] for start in range(order)), strict=False))


def _share(common: int, ours: int, theirs: int, part: Part) -> float:
    """Divide the number in common by that of the candidate, the reference, or their mean."""
    if common == 0:
        return 0.0
    total = {"precision": ours, "recall": theirs, "f1": (ours + theirs) / 2}
    return common / total[part]


class RougeOptions(Options):
    """Which ROUGE; `words: ascii` is what rouge-score does, which ignores other scripts."""

    summary: ClassVar[str] = "ROUGE-1, ROUGE-2, … or ROUGE-L (as rouge-score)"
    scalar: ClassVar[str | None] = "variant"

    variant: Variant = "L"
    part: Part = "f1"
    stem: bool = False
    words: Literal["ascii", "unicode"] = "ascii"

    def build(self, others: Mapping[str, Metric], settings: Settings) -> BestReference:
        if self.stem:
            check_nltk("rouge with stem")
        choices = self.model_dump()
        parts = [f"{name}:{value}" for name, value in choices.items()]
        signature = "|".join(["rouge", *parts, *([name_and_version("nltk")] if self.stem else [])])
        return BestReference(PairwiseScorer(signature, partial(rouge, **choices)))
