"""Searches in several texts: one call a round, no more calls than allowed, and a second opinion."""

from hypothesis import given, settings
from hypothesis import strategies as st

from shakeproof.data.segments import Candidate, Segment
from shakeproof.evidence.search.edits import changes_between
from shakeproof.evidence.search.hunting import SINGLES, hunt, piles, singles
from shakeproof.evidence.search.minimal import Effort, minimised
from shakeproof.evidence.search.places import Standard
from shakeproof.evidence.search.polish import polished
from shakeproof.evidence.search.rounds import Inquiry, Reading, pursue
from shakeproof.evidence.search.shrinking import shrink
from shakeproof.evidence.search.trials import Trial
from shakeproof.stats.text_limits import Fault


class Fake:
    """Rates by functions of the edits, and keeps what it was asked."""

    def __init__(self, *functions):
        self.functions = dict(functions)
        self.rounds = []

    def read(self, lots):
        self.rounds.append(sum(len(subsets) for _, subsets in lots))
        return [
            [
                Reading(self.functions[trial.segment.id](edits), (float(len(edits)),))
                for edits in subsets
            ]
            for trial, subsets in lots
        ]

    @property
    def calls(self):
        return sum(self.rounds)


def trial(name, count, whole=1.0):
    """Make a text of which so many words were edited."""
    before, after = "the " * count, "THE " * count
    return Trial(
        Segment(name, (Candidate(before),)),
        "candidate",
        (0,),
        changes_between((before,), (after,)),
        clean=(0.0,),
        whole=(float(whole),),
        standard=Standard(Fault("rise", high=0.5)),
    )


def needing(*needed):
    return lambda edits: 1.0 if set(needed) <= edits else -1.0 + len(edits & set(needed)) / 10


def test_texts_are_searched_side_by_side_with_one_call_a_round():
    fake = Fake(("a", needing(2)), ("b", needing(1, 5)), ("c", needing(0, 3, 6)))
    inquiries = [Inquiry(trial(name, 8), shrink(8), 100) for name in "abc"]
    found = pursue(inquiries, fake)

    assert [set(one.edits) for one in found] == [{2}, {1, 5}, {0, 3, 6}]
    assert all(one.settled for one in found)
    assert fake.rounds[0] == 3 * 8
    assert sum(one.calls for one in found) == fake.calls


def test_nothing_is_rated_twice():
    asked = []

    def beyond(edits):
        asked.append(edits)
        return needing(1, 5, 6, 7)(edits)

    pursue([Inquiry(trial("a", 9), shrink(9), 1_000)], Fake(("a", beyond)))

    assert len(asked) == len(set(asked))


@given(count=st.integers(2, 60), room=st.integers(0, 120), data=st.data())
@settings(max_examples=40)
def test_a_search_never_asks_for_more_than_it_may_and_what_it_ends_with_breaks(count, room, data):
    needed = data.draw(st.sets(st.integers(0, count - 1), min_size=1, max_size=4))
    fake = Fake(("a", needing(*needed)))
    (found,) = pursue([Inquiry(trial("a", count), shrink(count), room)], fake)

    assert found.calls == fake.calls <= room
    assert needed <= found.edits
    assert not found.settled or found.edits == needed


def test_texts_that_all_edits_leave_whole_are_not_searched():
    fake = Fake(("a", needing(0)))
    found = minimised([trial("b", 4, whole=0.2), trial("a", 4)], fake, Effort(calls=50))

    assert found[0] is None
    assert found[1].edits == {0}


def test_calls_are_shared_out_among_the_texts():
    fake = Fake(*((name, needing(0, 1, 2)) for name in "abc"))
    trials = [trial(name, 20) for name in "abc"]

    assert [one.settled for one in minimised(trials, fake, Effort(calls=60))] == [True] * 3
    assert fake.calls <= 60
    assert [one.settled for one in minimised(trials, fake, Effort(calls=15))] == [False] * 3
    assert fake.calls <= 75


def test_hypothesis_finds_what_dropping_edits_one_by_one_cannot():
    def beyond(edits):
        first, second = {0, 1, 2} & edits, {7, 8} & edits
        return 1.0 if len(first) == 3 or len(second) == 2 else len(first) / 10 - 0.9

    fake = Fake(("a", beyond))
    (plain,) = minimised([trial("a", 10)], fake, Effort(calls=200))
    polishes = [
        minimised([trial("a", 10)], fake, Effort(calls=200, polish=True))[0] for _ in range(2)
    ]

    assert plain.edits == {0, 1, 2}
    assert [one.edits for one in polishes] == [{7, 8}] * 2
    assert polishes[0].calls == polishes[1].calls > plain.calls


def test_hypothesis_stays_within_the_room_and_writes_nothing(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    fake = Fake(("a", needing(0, 1, 2, 3)))
    (plain,) = minimised([trial("a", 10)], fake, Effort(calls=200))
    before = fake.calls
    found = polished(plain, fake, 5)

    assert found.edits == plain.edits
    assert found.calls - plain.calls == fake.calls - before <= 5
    assert not list(tmp_path.iterdir())


def test_two_edits_need_no_second_opinion():
    fake = Fake(("a", needing(0, 1)))
    (plain,) = minimised([trial("a", 5)], fake, Effort(calls=100))

    assert polished(plain, fake, 100) is plain


def test_a_hunt_rates_single_edits_of_all_texts_first_and_stops_at_the_first_break():
    fake = Fake(("a", needing(7, 8)), ("b", needing(3)))
    found = hunt([trial("a", 10), trial("b", 10)], fake, most=3, calls=200)

    assert found.found.trial.segment.id == "b"
    assert found.found.edits == {3}
    assert fake.rounds == [20]
    assert (found.texts, found.calls) == (2, 20)


def test_a_hunt_piles_up_the_most_harmful_edits_and_drops_what_is_not_needed():
    weights = [0.0, 0.3, 0.0, 0.5, 0.1, 0.3]
    fake = Fake(("a", lambda edits: sum(weights[one] for one in edits) - 0.75))
    found = hunt([trial("a", 6)], fake, most=3, calls=100)

    assert found.found.edits == {1, 3}
    assert found.found.settled


def test_a_hunt_that_finds_nothing_says_how_hard_it_looked():
    fake = Fake(("a", lambda edits: -1 / len(edits)), ("b", lambda edits: -2.0))
    found = hunt([trial("a", 10), trial("b", 40)], fake, most=3, calls=300)

    assert found.found is None
    assert found.furthest[0].segment.id == "a"
    assert (found.texts, found.calls) == (2, fake.calls)


def test_no_set_of_more_edits_than_allowed_counts():
    fake = Fake(("a", lambda edits: len(edits) - 2.5))
    found = hunt([trial("a", 10)], fake, most=2, calls=300)

    assert found.found is None


def test_a_text_with_few_edits_is_known_without_a_call():
    fake = Fake(("a", needing(0, 1)))
    found = hunt([trial("a", 2)], fake, most=2, calls=0)

    assert found.found.edits == {0, 1}
    assert fake.calls == 0


def test_nothing_can_be_hunted_where_there_is_no_text():
    found = hunt([], Fake(), most=3, calls=100)

    assert found.furthest is None


@given(
    counts=st.lists(st.integers(1, 60), min_size=1, max_size=12),
    calls=st.integers(1, 400),
    most=st.integers(1, 4),
)
@settings(max_examples=40)
def test_a_hunt_keeps_to_its_budget(counts, calls, most):
    trials = [trial(str(number), count, whole=0.1) for number, count in enumerate(counts)]
    fake = Fake(*((one.segment.id, lambda edits: -1.0) for one in trials))
    found = hunt(trials, fake, most=most, calls=calls)

    assert found.calls == fake.calls <= calls


def test_the_texts_on_which_few_edits_should_do_most_come_first():
    asked = []
    fake = Fake(("long", needing(99)), ("short", needing(99)))
    read = fake.read
    fake.read = lambda lots: asked.extend(one.segment.id for one, _ in lots) or read(lots)
    hunt([trial("long", 40, 0.4), trial("short", 4, 0.4)], fake, most=3, calls=30)

    assert set(asked) == {"short"}


def test_of_very_many_edits_some_from_all_over_the_text_are_tried():
    chosen = [next(iter(one)) for one in singles(trial("a", 1_000))]

    assert len(chosen) == len(set(chosen)) == SINGLES
    assert chosen[0] < 50
    assert chosen[-1] > 950


def test_piles_begin_with_the_most_harmful_edit():
    alone = {frozenset({n}): Reading(far, ()) for n, far in enumerate([-3, -1, -2])}

    assert piles(alone, 5) == [{1, 2}, {0, 1, 2}]
