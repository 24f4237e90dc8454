"""BARTScore (Yuan et al. 2021): the likelihood of one text given the other."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import isnan, nan
from typing import ClassVar, Literal, TypeAlias

from shakeproof.metrics.formulas import REFERENCES
from shakeproof.metrics.models.files import read_config
from shakeproof.metrics.models.runtime import ModelRuntime, find_runtime
from shakeproof.metrics.models.seq2seq import load_seq2seq
from shakeproof.metrics.options import Options
from shakeproof.metrics.protocols import Instance, Metric, Scorer, ScoreRequest, Texts, Vector
from shakeproof.metrics.settings import Settings

Direction: TypeAlias = Literal["precision", "recall", "f1"]

VERSION = 1  # of the arithmetic; raise it when a score changes


@dataclass(frozen=True, slots=True)
class LikelihoodScorer:
    """Rates pairs (given, target): the mean log-probability of the target's tokens."""

    runtime: ModelRuntime

    @property
    def signature(self) -> str:
        return self.runtime.signature("likelihood", VERSION)

    def score(self, tuples: Sequence[Texts]) -> Vector:
        return load_seq2seq(*self.runtime.resolve()).likelihoods(tuples)


@dataclass(frozen=True, slots=True)
class BartScore:
    """The likelihood of the candidate given the reference, or the reverse, or their mean."""

    scorer: Scorer
    direction: Direction = "f1"
    requires: ClassVar[frozenset[str]] = REFERENCES

    @property
    def signature(self) -> str:
        return f"bartscore-{self.direction}|{self.scorer.signature}"

    def needs(self, instance: Instance) -> list[ScoreRequest]:
        """Rate the candidate given each reference, or the reverse, or both."""
        return [
            (self.scorer, texts)
            for reference in instance.references
            for texts in self._pairs(instance.candidate, reference)
        ]

    def combine(self, instance: Instance, scores: Sequence[float]) -> float:
        """Average over the directions and take the best reference; NaN if any score is NaN."""
        if any(map(isnan, scores)):
            return nan
        count = len(self._pairs("", ""))
        return max(sum(scores[i : i + count]) / count for i in range(0, len(scores), count))

    def _pairs(self, candidate: str, reference: str) -> list[Texts]:
        """Return the pairs (given, target) to rate for one reference."""
        pairs = {"precision": (reference, candidate), "recall": (candidate, reference)}
        return [*pairs.values()] if self.direction == "f1" else [pairs[self.direction]]


class BartScoreOptions(Options):
    """Precision is p(candidate | reference), recall the reverse, f1 their arithmetic mean.

    The reference-free variant with `precision` is what the authors call faithfulness. With
    several references the best one counts.
    """

    summary: ClassVar[str] = "BARTScore: the likelihood of one text given the other"

    model: str = "facebook/bart-large-cnn"
    revision: str | None = None
    direction: Direction = "f1"

    def build(self, others: Mapping[str, Metric], settings: Settings) -> BartScore:
        runtime = find_runtime(self.model, self.revision, settings)
        if not read_config(runtime.model).get("is_encoder_decoder"):
            raise ValueError(
                f"model {self.model!r} has no decoder; BARTScore needs one that has, such as BART"
            )
        return BartScore(LikelihoodScorer(runtime), self.direction)
