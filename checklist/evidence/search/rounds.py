"""Searches in several texts at once, one call of the engine for each round."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from math import inf
from typing import NamedTuple, TypeAlias

from shakeproof.evidence.search.shrinking import Steps, Subset
from shakeproof.evidence.search.trials import Scores, Trial
from shakeproof.metrics.engine.engine import Engine
from shakeproof.metrics.protocols import Metric

Lot: TypeAlias = tuple[Trial, Sequence[Subset]]  # sets of edits of one text


class Reading(NamedTuple):
    """What some edits of a text did to its scores."""

    beyond: float  # above 0 they break it
    scores: Scores


UNKNOWN = Reading(-inf, ())


@dataclass(frozen=True, slots=True)
class Counterexample:
    """The fewest edits of a text that were found to break the metric."""

    trial: Trial
    edits: Subset
    scores: Scores
    calls: int  # scores that finding them took
    settled: bool = True  # False: it ran out of calls, and fewer may do


@dataclass(frozen=True, slots=True)
class Rater:
    """Rates edited texts by one metric, through the engine and its cache.

    No lock is held: several processes may write to the cache at once, and a few scores that two
    of them happen to compute cost less than waiting would.
    """

    engine: Engine
    metric: Metric

    def read(self, lots: Sequence[Lot]) -> list[list[Reading]]:
        """Rate sets of edits of several texts together."""
        asked = [(trial, edits) for trial, subsets in lots for edits in subsets]
        items = [item for trial, edits in asked for item in trial.items(edits)]
        self.engine.fill([(self.metric, item)] for item in items)
        scores = iter(self.engine.read(self.metric, items).tolist())
        return [[_reading(trial, scores) for _ in subsets] for trial, subsets in lots]


def _reading(trial: Trial, scores: Iterator[float]) -> Reading:
    found = tuple(islice(scores, len(trial.positions)))
    return Reading(trial.beyond(found), found)


class Inquiry:
    """A search in one text: what it knows, and how many scores it may still ask for."""

    def __init__(self, trial: Trial, steps: Steps, room: int) -> None:
        self.trial = trial
        self.room = room
        self.calls = 0
        self.known = {trial.everything: Reading(trial.beyond(trial.whole), trial.whole)}
        self._steps = steps
        self._asked: list[Subset] | None = None
        self._found: Subset | None = None
        self._starved = False

    def advance(self) -> list[Subset]:
        """Go on with what is known; give what must be rated next, or nothing at the end.

        What there is no room for counts as harmless.
        """
        try:
            while self._found is None:
                wanted = [one for one in dict.fromkeys(self._asked or ()) if one not in self.known]
                if wanted:
                    fitting = wanted[: self.room // self._cost(wanted[:1])]
                    self._starved |= len(fitting) < len(wanted)
                    self.known |= dict.fromkeys(wanted[len(fitting) :], UNKNOWN)
                    return fitting
                self._asked = self._steps.send(self._answers())  # type: ignore[arg-type]  # None begins
        except StopIteration as stop:
            self._found = stop.value
        return []

    def _answers(self) -> list[float] | None:
        return None if self._asked is None else [self.known[one].beyond for one in self._asked]

    def _cost(self, subsets: Sequence[Subset]) -> int:
        return len(subsets) * len(self.trial.positions)

    def learn(self, subsets: Sequence[Subset], readings: Sequence[Reading]) -> None:
        """Take in what sets of edits were found to do."""
        self.known.update(zip(subsets, readings, strict=True))
        self.calls += self._cost(subsets)
        self.room -= self._cost(subsets)

    def conclude(self) -> Counterexample:
        """Give what was found, or the best so far if there was no room to end the search."""
        breaking = [one for one, reading in self.known.items() if reading.beyond > 0]
        best = min(breaking, key=lambda one: (len(one), -self.known[one].beyond))
        edits = best if self._found is None else self._found
        scores, settled = self.known[edits].scores, self._found is not None and not self._starved
        return Counterexample(self.trial, edits, scores, self.calls, settled)


def pursue(inquiries: Sequence[Inquiry], rater: Rater) -> list[Counterexample]:
    """Let searches go on side by side until all of them have ended."""
    while lots := [(one, wanted) for one in inquiries if (wanted := one.advance())]:
        found = rater.read([(one.trial, wanted) for one, wanted in lots])
        for (one, wanted), readings in zip(lots, found, strict=True):
            one.learn(wanted, readings)
    return [one.conclude() for one in inquiries]
