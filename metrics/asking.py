"""Scorers that ask a service over the network: what an answer is, what it costs, how it is kept."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Mapping, MutableMapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

from shakeproof.metrics.protocols import Metric, ScoreColumn, Scorer, Texts


@dataclass(frozen=True, slots=True)
class Answer:
    """A score that a service answered with, the model that it names, and the tokens it counts."""

    position: int  # of the tuple that was asked about
    score: float
    model: str
    input_tokens: int = 0
    output_tokens: int = 0


@dataclass(frozen=True, slots=True)
class Usage:
    """What answers cost, those that could not be used included."""

    calls: int = 0
    input_tokens: int = 0
    output_tokens: int = 0

    def __add__(self, other: Usage) -> Usage:
        return Usage(
            self.calls + other.calls,
            self.input_tokens + other.input_tokens,
            self.output_tokens + other.output_tokens,
        )


class AnswerStore(Protocol):
    """Where the answers of one scorer are kept."""

    @property
    def models(self) -> frozenset[str]:
        """Return the models that gave the answers kept so far, by all runs."""
        ...

    @property
    def shared(self) -> MutableMapping[Hashable, Any]:
        """Return what the scorers of one run share, such as a budget, by a key of theirs."""
        ...

    def keep(self, answers: Sequence[Answer]) -> None:
        """Write answers to the disk at once, because they were paid for."""
        ...

    def note_unusable(self, model: str, usage: Usage) -> None:
        """Count what answers without a score cost."""
        ...

    def spent(self, signatures: Collection[str]) -> Usage:
        """Return what the answers of some scorers cost since the run began, in all processes."""
        ...


@runtime_checkable
class AskingScorer(Scorer, Protocol):
    """A scorer that asks a service; the process that writes the cache runs it, never a worker."""

    def ask(self, tuples: Sequence[Texts], answers: AnswerStore) -> ScoreColumn:
        """Rate each tuple, in order, and keep every answer as soon as it comes.

        RatingFailed means that no other tuple can be rated either: the metric is an error.
        """
        ...


@runtime_checkable
class HasViews(Protocol):
    """A metric whose scores can be read in other ways, such as each of several draws alone.

    A view is a metric over the scorers and tuples that the metric itself needs, so it costs
    nothing. Its name is that of what it shows: "draw 1", "consistent".
    """

    @property
    def views(self) -> Mapping[str, Metric]:
        """Return the views by name."""
        ...
