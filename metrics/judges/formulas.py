"""The formulas of judges: the mean of several draws, and the share of rivals that lose."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import islice
from math import nan
from statistics import fmean

from shakeproof.metrics.judges.texts import limited_to, pair_texts
from shakeproof.metrics.judges.views import Formula, MetricView, View, draw_view, rival_view
from shakeproof.metrics.kinds.python import pack
from shakeproof.metrics.protocols import Instance, Metric, Scorer, ScoreRequest, Texts

RIVALS = frozenset({"rivals"})
TIE = 1e-9  # preferences this near to one half name no winner


@dataclass(frozen=True, slots=True)
class MeanOfDraws:
    """The mean of several answers to one question, with a scorer for each draw.

    The scorers differ in the number of their draw alone. If the score of one draw is missing, so
    is the mean: a mean of fewer draws would be noisier than the others.
    """

    scorers: tuple[Scorer, ...]
    requires: frozenset[str]

    @property
    def signature(self) -> str:
        return f"{self.scorers[0].signature}|mean of {len(self.scorers)}"

    @property
    def views(self) -> Mapping[str, Metric]:
        """Return the score of each draw alone."""
        formulas: list[Formula] = [partial(_score_at, at) for at in range(len(self.scorers))]
        return _views(self, {draw_view(at + 1): one for at, one in enumerate(formulas)})

    def needs(self, instance: Instance) -> list[ScoreRequest]:
        texts = pack(limited_to(self.requires, instance))
        return [(scorer, texts) for scorer in self.scorers]

    def combine(self, instance: Instance, scores: Sequence[float]) -> float:
        return fmean(scores)


def _views(metric: Metric, formulas: Mapping[str, Formula]) -> dict[str, Metric]:
    return {name: MetricView(name, metric, formula) for name, formula in formulas.items()}


def _score_at(number: int, _instance: Instance, scores: Sequence[float]) -> float:
    return scores[number]


@dataclass(frozen=True, slots=True)
class Comparison:
    """A candidate against one rival in one draw: how far the judge prefers whom it sees first."""

    candidate_first: float  # the preference for the candidate, shown first
    rival_first: float  # the preference for the rival, shown first

    @property
    def preference(self) -> float:
        """Return the preference for the candidate, the mean of both orders."""
        return (self.candidate_first + 1 - self.rival_first) / 2

    @property
    def first(self) -> float:
        """Return the preference for the first place, the mean of both orders."""
        return (self.candidate_first + self.rival_first) / 2

    @property
    def winners(self) -> tuple[int, int]:
        """Return who wins in each order: 1 the candidate, -1 the rival, 0 nobody."""
        return _sign(self.candidate_first - 0.5), _sign(0.5 - self.rival_first)

    @property
    def consistent(self) -> float:
        """Return 1 if both orders have the same winner, or none."""
        one, other = self.winners
        return float(one == other)

    @property
    def flipped(self) -> float:
        """Return 1 if each order has another winner; a tie in one order alone is no flip."""
        one, other = self.winners
        return float(one * other < 0)


def _both_orders(candidate: str, rival: str, shown: Instance) -> tuple[Texts, Texts]:
    return pair_texts(candidate, rival, shown), pair_texts(rival, candidate, shown)


def _sign(number: float) -> int:
    return 0 if abs(number) <= TIE else 1 if number > 0 else -1


@dataclass(frozen=True, slots=True)
class WinRate:
    """The mean preference for a candidate over its rivals, both orders and all draws.

    A scorer, one for each draw, returns the preference for the first of two candidates: 1, 0, or
    a number between them; 0.5 is a tie. A rival with the same text is a tie and is not asked
    about. If one of the scores is missing, so is the win rate. Rivals are those that follow the
    candidate in its segment, so each candidate meets equally many.
    """

    scorers: tuple[Scorer, ...]
    requires: frozenset[str]
    rivals: int  # at most

    def __post_init__(self) -> None:
        object.__setattr__(self, "requires", self.requires | RIVALS)

    @property
    def signature(self) -> str:
        draws = len(self.scorers)
        return f"{self.scorers[0].signature}|win rate over {self.rivals} rivals|mean of {draws}"

    @property
    def views(self) -> Mapping[str, Metric]:
        """Return what else the comparisons show: draws, rivals and positions."""
        draws: dict[str, Formula] = {
            draw_view(at + 1): partial(self._win_rate, draw=at) for at in range(len(self.scorers))
        }
        rivals: dict[str, Formula] = {
            rival_view(at + 1): partial(self._against, at) for at in range(self.rivals)
        }
        positions: dict[str, Formula] = {
            View.CONSISTENT: partial(self._mean_of, lambda one: one.consistent),
            View.FLIPPED: partial(self._mean_of, lambda one: one.flipped),
            View.FIRST: partial(self._mean_of, lambda one: one.first),
            View.ASKED: self._asked,
        }
        return _views(self, {**draws, **rivals, **positions})

    def needs(self, instance: Instance) -> list[ScoreRequest]:
        """Ask each draw about each rival with another text, in both orders."""
        shown, candidate = limited_to(self.requires, instance), instance.candidate
        return [
            (scorer, texts)
            for rival in self._met(instance)
            if rival != candidate
            for scorer in self.scorers
            for texts in _both_orders(candidate, rival, shown)
        ]

    def combine(self, instance: Instance, scores: Sequence[float]) -> float:
        return self._win_rate(instance, scores)

    def _met(self, instance: Instance) -> tuple[str, ...]:
        return instance.rivals[: self.rivals]

    def _comparisons(
        self, instance: Instance, scores: Sequence[float]
    ) -> Iterator[list[Comparison]]:
        """Yield the draws of each rival; none for a rival with the same text."""
        stream = iter(scores)
        pairs = (Comparison(one, next(stream)) for one in stream)
        for rival in self._met(instance):
            count = 0 if rival == instance.candidate else len(self.scorers)
            yield list(islice(pairs, count))

    def _preferences(
        self, instance: Instance, scores: Sequence[float], draw: int | None
    ) -> list[float]:
        """Return the preference for the candidate over each rival, in one draw or in all."""
        chosen = slice(None) if draw is None else slice(draw, draw + 1)
        return [
            fmean(one.preference for one in draws[chosen]) if draws else 0.5
            for draws in self._comparisons(instance, scores)
        ]

    def _win_rate(
        self, instance: Instance, scores: Sequence[float], draw: int | None = None
    ) -> float:
        preferences = self._preferences(instance, scores, draw)
        return fmean(preferences) if preferences else nan

    def _against(self, number: int, instance: Instance, scores: Sequence[float]) -> float:
        """Return the preference over one rival; NaN if there are fewer rivals."""
        preferences = self._preferences(instance, scores, None)
        return preferences[number] if number < len(preferences) else nan

    def _asked(self, instance: Instance, scores: Sequence[float]) -> float:
        """Return the number of comparisons, each of which was made in both orders."""
        return len(scores) / 2

    def _mean_of(
        self,
        quantity: Callable[[Comparison], float],
        instance: Instance,
        scores: Sequence[float],
    ) -> float:
        """Return the mean over all comparisons that were asked; NaN without any."""
        numbers = [quantity(one) for draws in self._comparisons(instance, scores) for one in draws]
        return fmean(numbers) if numbers else nan
