from dataclasses import dataclass, field
from math import isnan, nan

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shakeproof.metrics.asking import HasViews
from shakeproof.metrics.engine.cache import Cache
from shakeproof.metrics.engine.engine import Engine
from shakeproof.metrics.judges.formulas import MeanOfDraws, WinRate
from shakeproof.metrics.judges.texts import pair_texts, unpack_pair
from shakeproof.metrics.protocols import Instance

texts = st.text(max_size=5)


@dataclass(frozen=True)
class LongerWins:
    """Prefers the longer text, and the first one of two that differ by one letter."""

    draw: int = 1
    asked: list = field(default_factory=list, compare=False)

    @property
    def signature(self):
        return f"longer|draw:{self.draw}"

    def score(self, tuples):
        self.asked.extend(tuples)
        pairs = [unpack_pair(texts) for texts in tuples]
        return np.array([self.preference(a.candidate, b.candidate) for a, b in pairs])

    def preference(self, first, second):
        difference = len(first) - len(second)
        return 1.0 if difference >= -1 and difference else 0.0 if difference else 0.5


@dataclass(frozen=True)
class Lengths:
    """Rates a packed instance by its letters plus the number of the draw."""

    draw: int

    @property
    def signature(self):
        return f"lengths|draw:{self.draw}"

    def score(self, tuples):
        return np.array([len(texts[0]) + self.draw for texts in tuples], float)


def segment(*candidates, references=()):
    """Return the candidates of a segment as instances."""
    return [
        Instance(text, references, rivals=(*candidates[at + 1 :], *candidates[:at]))
        for at, text in enumerate(candidates)
    ]


def read(metric, instances):
    with Cache() as cache:
        engine = Engine(cache)
        assert engine.fill([[(metric, instance) for instance in instances]]) == {}
        views = {name: engine.read(view, instances) for name, view in metric.views.items()}
        return engine.read(metric, instances).tolist(), views


@given(texts, texts, st.lists(texts).map(tuple), st.none() | texts)
def test_a_packed_pair_is_read_as_it_was(first, second, references, source):
    pair = unpack_pair(pair_texts(first, second, Instance("", references, source)))

    assert pair == (Instance(first, references, source), Instance(second, references, source))


def test_the_mean_of_draws_has_each_draw_as_a_view():
    metric = MeanOfDraws((Lengths(1), Lengths(2), Lengths(6)), frozenset())
    scores, views = read(metric, [Instance("abc"), Instance("")])

    assert scores == [6.0, 3.0]
    assert {name: view.tolist() for name, view in views.items()} == {
        "draw 1": [4.0, 1.0],
        "draw 2": [5.0, 2.0],
        "draw 3": [9.0, 6.0],
    }
    assert isinstance(metric, HasViews)


def test_metrics_and_their_views_have_signatures_of_their_own():
    one, two = (MeanOfDraws((Lengths(1), Lengths(2))[:count], frozenset()) for count in (1, 2))
    duels = [WinRate((LongerWins(),), frozenset(), rivals) for rivals in (1, 2)]
    metrics = [one, two, *duels]
    signatures = [m.signature for m in metrics] + [
        view.signature for metric in metrics for view in metric.views.values()
    ]

    assert len(set(signatures)) == len(signatures)


def test_a_mean_without_one_of_its_draws_is_missing():
    @dataclass(frozen=True)
    class Silent(Lengths):
        def score(self, tuples):
            return np.array([nan if texts[0] == "b" else 1.0 for texts in tuples])

    metric = MeanOfDraws((Lengths(1), Silent(2)), frozenset())
    scores, views = read(metric, [Instance("a"), Instance("b")])

    assert scores[0] == 1.5
    assert isnan(scores[1])
    assert isnan(views["draw 1"][1])


def test_what_a_prompt_does_not_show_is_no_part_of_the_question():
    free = MeanOfDraws((Lengths(1),), frozenset({"source"}))
    pairs = WinRate((LongerWins(),), frozenset(), 4)
    for metric in (free, pairs):
        one, other = (
            metric.needs(Instance("a", (reference,), "s", rivals=("b",))) for reference in "xy"
        )

        assert one == other


def test_a_win_rate_is_the_mean_over_rivals_and_both_orders():
    metric = WinRate((LongerWins(),), frozenset(), 4)
    scores, views = read(metric, segment("a", "bb", "cccc"))

    assert scores == [0.25, 0.25, 1.0]  # "a" and "bb" win when they are first
    assert views["consistent"].tolist() == [0.5, 0.5, 1.0]
    assert views["flipped"].tolist() == [0.5, 0.5, 0.0]
    assert views["first"].tolist() == [0.75, 0.75, 0.5]
    assert views["rival 1"].tolist() == [0.5, 0.0, 1.0]
    assert views["rival 2"].tolist() == [0.0, 0.5, 1.0]
    assert np.isnan(views["rival 3"]).all()
    assert views["draw 1"].tolist() == scores


def test_a_tie_in_both_orders_is_consistent_and_in_one_alone_no_flip():
    @dataclass(frozen=True)
    class Ties(LongerWins):
        def preference(self, first, second):
            return 0.5 if "tie" in first else 1.0

    metric = WinRate((Ties(),), frozenset(), 4)
    _, both = read(metric, segment("tie a", "tie b"))
    _, half = read(metric, segment("tie a", "b"))

    assert both["consistent"].tolist() == [1.0, 1.0]
    assert half["consistent"].tolist() == [0.0, 0.0]
    assert half["flipped"].tolist() == [0.0, 0.0]


def test_a_pair_is_asked_once_in_each_order():
    judge = LongerWins()
    read(WinRate((judge,), frozenset(), 4), segment("a", "bb", "cccc"))

    assert len(judge.asked) == len(set(judge.asked)) == 6


def test_an_equal_rival_is_a_tie_that_costs_nothing():
    judge = LongerWins()
    metric = WinRate((judge,), frozenset(), 4)
    scores, views = read(metric, segment("aa", "aa", "bbbb"))

    assert scores == [0.25, 0.25, 1.0]
    assert len(judge.asked) == 2
    assert views["consistent"].tolist() == [1.0, 1.0, 1.0]
    assert views["rival 1"].tolist() == [0.5, 0.0, 1.0]


def test_candidates_that_are_all_equal_have_no_view_on_positions():
    scores, views = read(WinRate((LongerWins(),), frozenset(), 4), segment("a", "a"))

    assert scores == [0.5, 0.5]
    assert np.isnan(views["consistent"]).all()


@pytest.mark.parametrize("rivals", [1, 2, 3])
def test_each_candidate_meets_equally_many_and_is_met_by_as_many(rivals):
    metric = WinRate((LongerWins(),), frozenset(), rivals)
    met = [
        unpack_pair(request[1])[1].candidate
        for instance in segment(*"abcde")
        for request in metric.needs(instance)[::2]
    ]

    assert sorted(met) == sorted("abcde" * rivals)


def test_draws_are_averaged():
    @dataclass(frozen=True)
    class Fickle(LongerWins):
        def preference(self, first, second):
            return float(self.draw == 1)

    metric = WinRate((Fickle(1), Fickle(2)), frozenset(), 4)
    scores, views = read(metric, segment("a", "b"))

    assert scores == [0.5, 0.5]
    assert views["first"].tolist() == [0.5, 0.5]  # always the first in one draw, never in the other
    assert views["flipped"].tolist() == [1.0, 1.0]


def test_a_win_rate_requires_rivals():
    assert WinRate((LongerWins(),), frozenset({"source"}), 4).requires == {"source", "rivals"}


def test_a_candidate_without_rivals_has_no_win_rate():
    assert isnan(WinRate((LongerWins(),), frozenset(), 4).combine(Instance("a"), []))
