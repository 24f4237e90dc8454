"""The formulas of judges: the mean of several draws, and the share of rivals that lose."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean

from shakeproof.metrics.judges.texts import limited_to
from shakeproof.metrics.kinds.python import pack
from shakeproof.metrics.protocols import Instance, Scorer, ScoreRequest


@dataclass(frozen=True, slots=True)
class MeanOfDraws:
    """The mean of several answers to one question, with a scorer for each draw."""

    scorers: tuple[Scorer, ...]
    requires: frozenset[str]

    @property
    def signature(self) -> str:
        return f"{self.scorers[0].signature}|mean of {len(self.scorers)}"

    def needs(self, instance: Instance) -> list[ScoreRequest]:
        texts = pack(limited_to(self.requires, instance))
        return [(scorer, texts) for scorer in self.scorers]

    def combine(self, instance: Instance, scores: Sequence[float]) -> float:
        return fmean(scores)


@dataclass(frozen=True, slots=True)
class WinRate:
    """The mean preference for a candidate over its rivals."""

    scorers: tuple[Scorer, ...]
    requires: frozenset[str]
    rivals: int

    @property
    def signature(self) -> str:
        return f"{self.scorers[0].signature}|win rate over {self.rivals} rivals"

    def needs(self, instance: Instance) -> list[ScoreRequest]:
        return []

    def combine(self, instance: Instance, scores: Sequence[float]) -> float:
        return 0.5
