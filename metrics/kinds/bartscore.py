"""BARTScore (Yuan et al. 2021): how likely a model finds one text after reading the other."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import isnan, nan
from typing import ClassVar, Literal, TypeAlias

from shakeproof.metrics.formulas import REFERENCES
from shakeproof.metrics.models.decoder import load_reader
from shakeproof.metrics.models.files import config_of
from shakeproof.metrics.models.runtime import ModelRuntime, find_runtime
from shakeproof.metrics.models.truncation import Overflow, overflow_of
from shakeproof.metrics.options import Options
from shakeproof.metrics.protocols import Instance, Metric, Scorer, ScoreRequest, Texts, Vector
from shakeproof.metrics.settings import Settings

Direction: TypeAlias = Literal["precision", "recall", "f1"]

VERSION = 1  # of the arithmetic; raise it when a score changes


@dataclass(frozen=True, slots=True)
class LikelihoodScorer:
    """Rates pairs (given, told): the mean log-probability of the tokens told."""

    runtime: ModelRuntime

    @property
    def signature(self) -> str:
        """Name everything that the score depends on."""
        return self.runtime.describe("likelihood", VERSION)

    @property
    def overflow(self) -> Overflow:
        """Return the scorer that counts what the model cuts off a text."""
        return overflow_of(self.runtime)

    def score(self, tuples: Sequence[Texts]) -> Vector:
        """Rate each pair."""
        return load_reader(*self.runtime.settled()).likelihoods(tuples)


@dataclass(frozen=True, slots=True)
class BartScore:
    """The likelihood of the candidate given the reference, or the reverse, or their mean."""

    scorer: Scorer
    direction: Direction = "f1"

    @property
    def signature(self) -> str:
        """Name the direction and the scorer."""
        return f"bartscore-{self.direction}|{self.scorer.signature}"

    @property
    def requires(self) -> frozenset[str]:
        """Ask for references."""
        return REFERENCES

    def needs(self, instance: Instance) -> list[ScoreRequest]:
        """Tell the candidate after each reference, and each reference after the candidate."""
        return [
            (self.scorer, texts)
            for reference in instance.references
            for texts in self._ways(instance.candidate, reference)
        ]

    def combine(self, instance: Instance, scores: Sequence[float]) -> float:
        """Average over the ways and take the best reference."""
        if any(map(isnan, scores)):
            return nan
        ways = len(self._ways("", ""))
        return max(sum(scores[i : i + ways]) / ways for i in range(0, len(scores), ways))

    def _ways(self, candidate: str, reference: str) -> list[Texts]:
        ways = {"precision": (reference, candidate), "recall": (candidate, reference)}
        return [*ways.values()] if self.direction == "f1" else [ways[self.direction]]


class BartScoreOptions(Options):
    """Precision is p(candidate | reference), recall the reverse, f1 their arithmetic mean.

    The reference-free twin with `precision` is what the authors call faithfulness. With
    several references the best one counts.
    """

    summary: ClassVar[str] = "BARTScore: how likely one text is after the other"

    model: str = "facebook/bart-large-cnn"
    revision: str | None = None
    direction: Direction = "f1"

    def build(self, others: Mapping[str, Metric], settings: Settings) -> BartScore:
        """Find the model, and load nothing."""
        runtime = find_runtime(self.model, self.revision, settings)
        if not config_of(runtime.model).get("is_encoder_decoder"):
            raise ValueError(f"model {self.model!r} only encodes; BARTScore needs one that decodes")
        return BartScore(LikelihoodScorer(runtime), self.direction)
