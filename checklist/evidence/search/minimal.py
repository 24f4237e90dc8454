"""Minimal counterexamples: as few edits of a text as still break the metric.

Several texts are searched together, with one call of the engine for each round.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import islice
from math import inf
from typing import NamedTuple, TypeAlias

from shakeproof.evidence.search.edited_text import EditedText, Scores
from shakeproof.evidence.search.shrinking import MAX_UNITS, EditSet, Search, shrink
from shakeproof.metrics.engine.engine import Engine
from shakeproof.metrics.protocols import Metric

ROUNDS = 3  # in which about all units of a text are rated
MIN_FOR_HYPOTHESIS = 3  # edits; every edit was rated alone already, so 2 cannot become 1

EditSets: TypeAlias = tuple[EditedText, Sequence[EditSet]]  # sets of edits of one text


class Rating(NamedTuple):
    """The scores of a text after some edits, and how far they are outside their limits."""

    excess: float  # above 0 the edits break the metric
    scores: Scores


NOT_RATED = Rating(-inf, ())


@dataclass(frozen=True, slots=True)
class Counterexample:
    """The fewest edits of a text that were found to break the metric."""

    text: EditedText
    edits: EditSet
    scores: Scores
    calls: int  # scores that the search cost
    finished: bool = True  # False: the budget was used up, and fewer edits may do


@dataclass(frozen=True, slots=True)
class Rater:
    """Rates edited texts by one metric, through the engine and its cache.

    No lock is held: several processes may write to the cache at once, and a few scores that two
    of them happen to compute cost less than waiting would.
    """

    engine: Engine
    metric: Metric

    def rate(self, work: Sequence[EditSets]) -> list[list[Rating]]:
        """Rate sets of edits of several texts together."""
        instances = [
            instance
            for text, edit_sets in work
            for edits in edit_sets
            for instance in text.instances(edits)
        ]
        self.engine.fill([(self.metric, instance)] for instance in instances)
        scores = iter(self.engine.read(self.metric, instances).tolist())
        ratings = []
        for text, edit_sets in work:
            own = [tuple(islice(scores, len(text.positions))) for _ in edit_sets]
            ratings.append([Rating(text.excess(some), some) for some in own])
        return ratings


class ShrinkTask:
    """The shrinking of one text: all ratings so far, and how many scores it may still cost."""

    def __init__(self, text: EditedText, search: Search, budget: int) -> None:
        self.text = text
        self.budget = budget
        self.calls = 0
        whole = text.perturbed_scores
        self.ratings = {text.all_edits: Rating(text.excess(whole), whole)}
        self._search = search
        self._wanted: list[EditSet] | None = None
        self._result: EditSet | None = None
        self._cut_short = False

    def advance(self) -> list[EditSet]:
        """Go on with the ratings so far; return what must be rated next, or nothing at the end.

        What the budget does not allow to rate counts as harmless.
        """
        try:
            while self._result is None:
                wanted = dict.fromkeys(self._wanted or ())
                missing = [edits for edits in wanted if edits not in self.ratings]
                if missing:
                    affordable = missing[: self.budget // len(self.text.positions)]
                    self._cut_short |= len(affordable) < len(missing)
                    self.ratings |= dict.fromkeys(missing[len(affordable) :], NOT_RATED)
                    return affordable
                if self._wanted is None:
                    self._wanted = next(self._search)
                else:
                    excesses = [self.ratings[edits].excess for edits in self._wanted]
                    self._wanted = self._search.send(excesses)
        except StopIteration as stop:
            self._result = stop.value
        return []

    def add_ratings(self, edit_sets: Sequence[EditSet], ratings: Sequence[Rating]) -> None:
        """Take in the ratings of sets of edits, and their cost."""
        self.ratings.update(zip(edit_sets, ratings, strict=True))
        cost = len(edit_sets) * len(self.text.positions)
        self.calls += cost
        self.budget -= cost

    def counterexample(self) -> Counterexample:
        """Return the result of the search, or the best set so far if the budget ended it."""
        edits = self._result
        if edits is None:
            rated = ((edits, rating) for edits, rating in self.ratings.items() if rating.excess > 0)
            edits, _ = min(rated, key=lambda pair: (len(pair[0]), -pair[1].excess))
        finished = self._result is not None and not self._cut_short
        return Counterexample(
            self.text, edits, self.ratings[edits].scores, self.calls, finished=finished
        )


def shrink_together(tasks: Sequence[ShrinkTask], rater: Rater) -> list[Counterexample]:
    """Advance all tasks side by side until every one has ended."""
    while work := [(task, wanted) for task in tasks if (wanted := task.advance())]:
        rated = rater.rate([(task.text, wanted) for task, wanted in work])
        for (task, wanted), ratings in zip(work, rated, strict=True):
            task.add_ratings(wanted, ratings)
    return [task.counterexample() for task in tasks]


def minimal_counterexamples(
    texts: Sequence[EditedText], rater: Rater, budget: int
) -> list[Counterexample | None]:
    """Find the fewest edits for each text; None where all of them together break nothing.

    The budget is a number of scores, shared out evenly among the texts.
    """
    share = budget // max(1, len(texts))
    units = min(MAX_UNITS, max(2, share // ROUNDS))
    tasks = {
        number: ShrinkTask(text, shrink(len(text.edits), units), share)
        for number, text in enumerate(texts)
        if text.edits and text.excess(text.perturbed_scores) > 0
    }
    found = dict(zip(tasks, shrink_together(list(tasks.values()), rater), strict=True))
    return [found.get(number) for number in range(len(texts))]


def shrink_with_hypothesis(
    counterexample: Counterexample, rater: Rater, budget: int
) -> Counterexample:
    """Shrink all edits of the text with Hypothesis, and return the smaller counterexample.

    Hypothesis runs without randomness and without its database, so the same texts give the same
    result. It asks for one set of edits after the other, up to `budget` scores.
    """
    if len(counterexample.edits) < MIN_FOR_HYPOTHESIS:
        return counterexample
    ratings: dict[EditSet, Rating] = {}
    cost = len(counterexample.text.positions)

    def breaks(mask: Sequence[bool]) -> bool:
        edits = frozenset(number for number, chosen in enumerate(mask) if chosen)
        if edits not in ratings:
            if not edits or (len(ratings) + 1) * cost > budget:
                return False
            ((ratings[edits],),) = rater.rate([(counterexample.text, [edits])])
        return ratings[edits].excess > 0

    _run_hypothesis(len(counterexample.text.edits), breaks)
    breaking = [edits for edits, rating in ratings.items() if rating.excess > 0]
    best = min([counterexample.edits, *breaking], key=len)
    scores = counterexample.scores if best == counterexample.edits else ratings[best].scores
    return replace(
        counterexample, edits=best, scores=scores, calls=counterexample.calls + len(ratings) * cost
    )


def _run_hypothesis(count: int, breaks: Callable[[Sequence[bool]], bool]) -> None:
    """Let Hypothesis look for a small mask of edits that breaks the metric."""
    from hypothesis import HealthCheck, Phase, find, settings
    from hypothesis import strategies as st
    from hypothesis.errors import NoSuchExample

    quiet = settings(
        derandomize=True,
        database=None,
        deadline=None,
        phases=(Phase.generate, Phase.shrink),
        suppress_health_check=list(HealthCheck),
    )
    masks = st.lists(st.booleans(), min_size=count, max_size=count)
    with suppress(NoSuchExample):
        find(masks, breaks, settings=quiet)
