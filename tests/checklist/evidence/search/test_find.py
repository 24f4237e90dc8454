"""Searches in several texts: one call for each round, within the budget, also with Hypothesis."""

from hypothesis import given, settings
from hypothesis import strategies as st

from shakeproof.data.segments import Candidate, Segment
from shakeproof.evidence.rows import ScoreLimits
from shakeproof.evidence.search.edited_text import EditedText, edits_of_texts
from shakeproof.evidence.search.find import (
    MAX_SINGLES,
    find_counterexample,
    growing_sets,
    single_edits,
)
from shakeproof.evidence.search.minimal import (
    Rating,
    ShrinkTask,
    minimal_counterexamples,
    shrink_together,
    shrink_with_hypothesis,
)
from shakeproof.evidence.search.shrinking import shrink
from shakeproof.stats.text_limits import TextLimits


class Fake:
    """Rates by functions of the edits, and counts the ratings of each round."""

    def __init__(self, *functions):
        self.functions = dict(functions)
        self.rounds = []

    def rate(self, work):
        self.rounds.append(sum(len(edit_sets) for _, edit_sets in work))
        return [
            [
                Rating(self.functions[text.segment.id](edits), (float(len(edits)),))
                for edits in edit_sets
            ]
            for text, edit_sets in work
        ]

    @property
    def calls(self):
        return sum(self.rounds)


def edited(name, count, whole=1.0):
    """Make a text of which so many words were edited."""
    before, after = "the " * count, "THE " * count
    return EditedText(
        segment=Segment(name, (Candidate(before),)),
        field="candidate",
        positions=(0,),
        edits=edits_of_texts((before,), (after,)),
        clean_scores=(0.0,),
        perturbed_scores=(float(whole),),
        limits=ScoreLimits(TextLimits("rise", high=0.5)),
    )


def needing(*needed):
    return lambda edits: 1.0 if set(needed) <= edits else -1.0 + len(edits & set(needed)) / 10


def test_texts_are_searched_side_by_side_with_one_call_a_round():
    fake = Fake(("a", needing(2)), ("b", needing(1, 5)), ("c", needing(0, 3, 6)))
    tasks = [ShrinkTask(edited(name, 8), shrink(8), 100) for name in "abc"]
    found = shrink_together(tasks, fake)

    assert [set(one.edits) for one in found] == [{2}, {1, 5}, {0, 3, 6}]
    assert all(one.finished for one in found)
    assert fake.rounds[0] == 3 * 8
    assert sum(one.calls for one in found) == fake.calls


def test_nothing_is_rated_twice():
    rated = []

    def excess(edits):
        rated.append(edits)
        return needing(1, 5, 6, 7)(edits)

    shrink_together([ShrinkTask(edited("a", 9), shrink(9), 1_000)], Fake(("a", excess)))

    assert len(rated) == len(set(rated))


@given(count=st.integers(2, 60), budget=st.integers(0, 120), data=st.data())
@settings(max_examples=40)
def test_a_search_never_asks_for_more_than_it_may_and_what_it_ends_with_breaks(count, budget, data):
    needed = data.draw(st.sets(st.integers(0, count - 1), min_size=1, max_size=4))
    fake = Fake(("a", needing(*needed)))
    (found,) = shrink_together([ShrinkTask(edited("a", count), shrink(count), budget)], fake)

    assert found.calls == fake.calls <= budget
    assert needed <= found.edits
    assert not found.finished or found.edits == needed


def test_texts_that_all_edits_leave_whole_are_not_searched():
    fake = Fake(("a", needing(0)))
    found = minimal_counterexamples([edited("b", 4, whole=0.2), edited("a", 4)], fake, 50)

    assert found[0] is None
    assert found[1].edits == {0}


def test_the_budget_is_shared_out_among_the_texts():
    fake = Fake(*((name, needing(0, 1, 2)) for name in "abc"))
    texts = [edited(name, 20) for name in "abc"]

    assert [one.finished for one in minimal_counterexamples(texts, fake, 60)] == [True] * 3
    assert fake.calls <= 60
    assert [one.finished for one in minimal_counterexamples(texts, fake, 15)] == [False] * 3
    assert fake.calls <= 75


def test_hypothesis_finds_what_dropping_edits_one_by_one_cannot():
    def excess(edits):
        first, second = {0, 1, 2} & edits, {7, 8} & edits
        return 1.0 if len(first) == 3 or len(second) == 2 else len(first) / 10 - 0.9

    fake = Fake(("a", excess))
    (plain,) = minimal_counterexamples([edited("a", 10)], fake, 200)
    found = [shrink_with_hypothesis(plain, fake, 200 - plain.calls) for _ in range(2)]

    assert plain.edits == {0, 1, 2}
    assert [one.edits for one in found] == [{7, 8}] * 2
    assert found[0].calls == found[1].calls > plain.calls


def test_hypothesis_stays_within_the_budget_and_writes_nothing(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    fake = Fake(("a", needing(0, 1, 2, 3)))
    (plain,) = minimal_counterexamples([edited("a", 10)], fake, 200)
    before = fake.calls
    found = shrink_with_hypothesis(plain, fake, 5)

    assert found.edits == plain.edits
    assert found.calls - plain.calls == fake.calls - before <= 5
    assert not list(tmp_path.iterdir())


def test_two_edits_are_not_shrunk_with_hypothesis():
    fake = Fake(("a", needing(0, 1)))
    (plain,) = minimal_counterexamples([edited("a", 5)], fake, 100)

    assert shrink_with_hypothesis(plain, fake, 100) is plain


def test_a_search_rates_single_edits_of_all_texts_first_and_stops_at_the_first_break():
    fake = Fake(("a", needing(7, 8)), ("b", needing(3)))
    found = find_counterexample([edited("a", 10), edited("b", 10)], fake, max_edits=3, budget=200)

    assert found.counterexample.text.segment.id == "b"
    assert found.counterexample.edits == {3}
    assert fake.rounds == [20]
    assert (found.texts, found.calls) == (2, 20)


def test_a_search_joins_the_most_harmful_edits_and_drops_what_is_not_needed():
    weights = [0.0, 0.3, 0.0, 0.5, 0.1, 0.3]
    fake = Fake(("a", lambda edits: sum(weights[one] for one in edits) - 0.75))
    found = find_counterexample([edited("a", 6)], fake, max_edits=3, budget=100)

    assert found.counterexample.edits == {1, 3}
    assert found.counterexample.finished


def test_a_search_that_finds_nothing_says_what_it_tried():
    fake = Fake(("a", lambda edits: -1 / len(edits)), ("b", lambda edits: -2.0))
    found = find_counterexample([edited("a", 10), edited("b", 40)], fake, max_edits=3, budget=300)

    assert found.counterexample is None
    assert found.furthest[0].segment.id == "a"
    assert (found.texts, found.calls) == (2, fake.calls)


def test_no_set_of_more_edits_than_allowed_counts():
    fake = Fake(("a", lambda edits: len(edits) - 2.5))
    found = find_counterexample([edited("a", 10)], fake, max_edits=2, budget=300)

    assert found.counterexample is None


def test_a_text_with_few_edits_is_rated_without_a_call():
    fake = Fake(("a", needing(0, 1)))
    found = find_counterexample([edited("a", 2)], fake, max_edits=2, budget=0)

    assert found.counterexample.edits == {0, 1}
    assert fake.calls == 0


def test_nothing_can_be_found_where_there_is_no_text():
    found = find_counterexample([], Fake(), max_edits=3, budget=100)

    assert found.furthest is None


@given(
    counts=st.lists(st.integers(1, 60), min_size=1, max_size=12),
    budget=st.integers(1, 400),
    max_edits=st.integers(1, 4),
)
@settings(max_examples=40)
def test_a_search_keeps_to_its_budget(counts, budget, max_edits):
    texts = [edited(str(number), count, whole=0.1) for number, count in enumerate(counts)]
    fake = Fake(*((text.segment.id, lambda edits: -1.0) for text in texts))
    found = find_counterexample(texts, fake, max_edits=max_edits, budget=budget)

    assert found.calls == fake.calls <= budget


def test_the_texts_on_which_few_edits_should_do_most_come_first():
    rated = []
    fake = Fake(("long", needing(99)), ("short", needing(99)))
    rate = fake.rate
    fake.rate = lambda work: rated.extend(text.segment.id for text, _ in work) or rate(work)
    texts = [edited("long", 40, 0.4), edited("short", 4, 0.4)]
    find_counterexample(texts, fake, max_edits=3, budget=30)

    assert set(rated) == {"short"}


def test_of_very_many_edits_some_from_all_over_the_text_are_tried():
    chosen = [next(iter(one)) for one in single_edits(edited("a", 1_000))]

    assert len(chosen) == len(set(chosen)) == MAX_SINGLES
    assert chosen[0] < 50
    assert chosen[-1] > 950


def test_growing_sets_begin_with_the_most_harmful_edit():
    alone = {frozenset({n}): Rating(far, ()) for n, far in enumerate([-3, -1, -2])}

    assert growing_sets(alone, 5) == [{1, 2}, {0, 1, 2}]
