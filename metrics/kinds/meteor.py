"""METEOR (Banerjee and Lavie 2005): words aligned by form, stem and, with WordNet, sense."""

from __future__ import annotations

import heapq
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from operator import eq
from typing import ClassVar, Literal, NamedTuple, TypeAlias

import numpy as np
from pydantic import Field

from shakeproof.metrics.formulas import BestReference
from shakeproof.metrics.kinds.stemming import check_nltk, stemmer, synonyms, wordnet_version
from shakeproof.metrics.options import Options
from shakeproof.metrics.protocols import Metric, Texts, Vector
from shakeproof.metrics.settings import Settings
from shakeproof.metrics.versions import name_and_version

Link: TypeAlias = tuple[int, int]  # positions in candidate and reference

WORD = re.compile(r"\w+|[^\w\s]")
MAX_BEAM = 40  # alignments kept at each word
MAX_WORK = 4_000  # words times alignments; long texts keep fewer alignments
MAX_PLACES = 4  # places tried for a word that occurs often


def meteor(
    candidate: Sequence[str],
    reference: Sequence[str],
    stages: Sequence[Callable[[str, str], bool]],
    *,
    alpha: float = 0.9,
    beta: float = 3.0,
    gamma: float = 0.5,
) -> float:
    """Combine precision and recall of the aligned words, less a penalty for fragmentation."""
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
    """Return whether the words share a sense in WordNet."""
    return other in synonyms(word)


class Alignment(NamedTuple):
    """Links between the words of two texts; of two alignments the smaller tuple is better."""

    unlinked: int = 0
    crossings: int = 0
    chunks: int = 0  # runs of links that are adjacent in both texts
    links: tuple[Link, ...] = ()

    def link(self, ours: int, theirs: int) -> Alignment:
        crossed = sum((ours - i) * (theirs - j) < 0 for i, j in self.links)
        joined = sum((ours + step, theirs + step) in self.links for step in (-1, 1))
        return Alignment(
            self.unlinked,
            self.crossings + crossed,
            self.chunks + 1 - joined,
            (*self.links, (ours, theirs)),
        )

    def skip(self) -> Alignment:
        """Leave a word without a link although it could have one."""
        return self._replace(unlinked=self.unlinked + 1)


def align(
    candidate: Sequence[str],
    reference: Sequence[str],
    stages: Iterable[Callable[[str, str], bool]],
) -> Alignment:
    """Link words stage by stage; a later stage keeps the links of the earlier ones.

    Each stage links as many words as it can and, among such alignments, takes one with the
    fewest crossings (Banerjee and Lavie 2005), and of those one with the fewest chunks.
    """
    alignment = Alignment()
    for same in stages:
        alignment = _extend(alignment, candidate, reference, same)
    return alignment


def _extend(
    alignment: Alignment,
    candidate: Sequence[str],
    reference: Sequence[str],
    same: Callable[[str, str], bool],
) -> Alignment:
    """Link the words that are the same by one stage, with a beam search."""
    ours = {i for i, _ in alignment.links}
    theirs = {j for _, j in alignment.links}
    free = [j for j in range(len(reference)) if j not in theirs]
    words = {word for i, word in enumerate(candidate) if i not in ours}
    options = {word: [j for j in free if same(word, reference[j])] for word in words}
    width = max(1, min(MAX_BEAM, MAX_WORK // len(candidate))) if candidate else 1
    beam = [alignment._replace(unlinked=0)]
    for i, word in enumerate(candidate):
        if i not in ours and options[word]:
            beam = heapq.nsmallest(width, _extensions(beam, i, options[word]))
    return beam[0]


def _extensions(beam: Iterable[Alignment], i: int, options: Sequence[int]) -> Iterator[Alignment]:
    """Skip word i, or link it to one of its first free places or to the next one in order."""
    for alignment in beam:
        yield alignment.skip()
        used = {j for _, j in alignment.links}
        last = max((link for link in alignment.links if link[0] < i), default=(0, -1))[1]
        free = [j for j in options if j not in used]
        later = (j for j in free if j > last)
        yield from (alignment.link(i, j) for j in {*free[:MAX_PLACES], *islice(later, 1)})


@dataclass(frozen=True, slots=True)
class MeteorScorer:
    """Rates pairs (candidate, reference)."""

    alpha: float
    beta: float
    gamma: float
    senses: bool | Literal["auto"]

    @property
    def signature(self) -> str:
        wordnet = self._wordnet()
        stages = f"exact+stem+wordnet-{wordnet}" if wordnet else "exact+stem"
        weights = f"alpha:{self.alpha}|beta:{self.beta}|gamma:{self.gamma}"
        return f"meteor|{weights}|match:{stages}|case:lower|{name_and_version('nltk')}"

    def score(self, tuples: Sequence[Texts]) -> Vector:
        stages = [eq, same_stem, *([same_sense] if self._wordnet() else [])]
        weights = {"alpha": self.alpha, "beta": self.beta, "gamma": self.gamma}
        pairs = ([WORD.findall(text.lower()) for text in pair] for pair in tuples)
        return np.array(
            [meteor(candidate, reference, stages, **weights) for candidate, reference in pairs]
        )

    def _wordnet(self) -> str | None:
        version = wordnet_version() if self.senses else None
        if self.senses is True and version is None:
            raise ValueError(
                "meteor with senses: true needs nltk's wordnet data; run "
                "python -m nltk.downloader wordnet, or set senses: auto"
            )
        return version


class MeteorOptions(Options):
    """The weights; `senses: auto` uses WordNet where nltk has it, and the signature says so."""

    summary: ClassVar[str] = (
        "METEOR: words aligned by form and stem, and by sense if WordNet is installed"
    )

    alpha: float = Field(default=0.9, ge=0, le=1)
    beta: float = Field(default=3.0, ge=0)
    gamma: float = Field(default=0.5, ge=0, le=1)
    senses: bool | Literal["auto"] = "auto"

    def build(self, others: Mapping[str, Metric], settings: Settings) -> BestReference:
        check_nltk("meteor")
        return BestReference(MeteorScorer(self.alpha, self.beta, self.gamma, self.senses))
