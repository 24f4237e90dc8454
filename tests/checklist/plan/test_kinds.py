"""Kinds of segments: what checks need of the data, counted in one pass."""

from shakeproof.data.segments import Candidate, Segment
from shakeproof.plan import kinds
from shakeproof.plan.kinds import first_segments, kinds_of


def segment(number, **rest):
    return Segment(str(number), (Candidate(f"text {number}", 1.0), Candidate("b")), **rest)


def test_segments_that_differ_in_their_texts_alone_are_of_one_kind():
    (kind,) = kinds_of(segment(number, preferences=((0, 1),)) for number in range(5))

    assert kind.first.id == "0"
    assert (kind.count, kind.candidates, kind.rated, kind.preferences) == (5, 10, 5, 5)


def test_what_a_check_may_ask_for_makes_another_kind():
    others = [
        {"group": "b"},
        {"source": "s"},
        {"references": ("r",)},
        {"preferences": ((0, 1),)},
        {"extra": {"language": "de"}},
        {"extra": {"language": "en"}},
        {"extra": {"document": None}},
        {"perturbed": {"references": {"visual": {"0.1": ()}}}},
        {"perturbed": {"references": {"visual": {"0.3": ()}}}},
    ]
    unrated = Segment("u", (Candidate("a"),))
    scored = Segment("s", (Candidate("a", scores={"x": 1.0}),))
    segments = [segment(0), *(segment(1, **rest) for rest in others), unrated, scored]

    assert len(kinds_of(segments)) == len(segments)


def test_few_segments_of_each_kind_are_kept_in_the_order_of_the_data(monkeypatch):
    monkeypatch.setattr(kinds, "MAX_KEPT", 3)
    found = kinds_of(segment(number, group="ab"[number % 2]) for number in range(10))

    assert [[one.id for _, one in kind.kept] for kind in found] == [
        ["0", "2", "4"],
        ["1", "3", "5"],
    ]
    assert [one.id for one in first_segments(found)] == ["0", "1", "2"]
