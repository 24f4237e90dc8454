import numpy as np
import pytest

from shakeproof.data.segments import Candidate, Segment
from shakeproof.plan.perturbed import CLEAN, Condition, perturbed
from shakeproof.scoring.changes import changed_rows
from shakeproof.scoring.score_table import instances_of
from shakeproof.stats.rows import candidates_of

SEGMENTS = (
    Segment(
        "a", (Candidate("A", 1.0), Candidate("B", 0.5)), ("R",), preferences=((0, 1),), group="x"
    ),
    Segment("b", (), ("R",), group="x"),
    Segment("c", (Candidate("C"), Candidate("D", 0.0)), ("R",), preferences=((1, 0),), group="y"),
)


def test_candidates_become_rows_in_segment_order():
    candidates = candidates_of(SEGMENTS)

    assert candidates.segment.tolist() == [0, 0, 2, 2]
    np.testing.assert_equal(candidates.rating, [1.0, 0.5, np.nan, 0.0])


def test_preferences_point_at_rows_of_the_whole_data_set():
    assert candidates_of(SEGMENTS).pairs.tolist() == [[0, 1], [3, 2]]


def test_groups_are_numbered_in_order_of_appearance():
    candidates = candidates_of(SEGMENTS)

    assert candidates.groups == ("x", "y")
    assert candidates.group.tolist() == [0, 0, 1]


def test_no_segments_make_an_empty_frame():
    candidates = candidates_of(())

    assert candidates.segments == 0
    assert candidates.pairs.shape == (0, 2)


def test_a_changed_candidate_marks_its_own_row_only():
    noisy = (
        Segment("a", (Candidate("A"), Candidate("b")), ("R",)),
        *SEGMENTS[1:],
    )
    rows = changed_rows(Condition("lower-case", "candidate", 1), SEGMENTS, noisy)

    assert rows.tolist() == [False, True, False, False]


@pytest.mark.parametrize(
    "references", [pytest.param(("r",), id="one"), pytest.param((), id="none")]
)
def test_a_changed_reference_marks_all_rows_of_its_segment(references):
    noisy = (
        Segment("a", (Candidate("A"), Candidate("B")), references),
        *SEGMENTS[1:],
    )
    rows = changed_rows(Condition("lower-case", "reference", 1), SEGMENTS, noisy)

    assert rows.tolist() == [True, True, False, False]


def test_nothing_is_changed_when_clean():
    assert not changed_rows(CLEAN, SEGMENTS, SEGMENTS).any()


def test_the_rivals_of_a_candidate_are_the_others_the_next_one_first():
    segment = Segment("a", tuple(map(Candidate, "abc")))

    assert [one.rivals for one in instances_of(segment)] == [("b", "c"), ("c", "a"), ("a", "b")]


@pytest.mark.parametrize("first", [False, True])
def test_rivals_stay_clean_when_candidates_are_perturbed(first):
    segment = Segment("a", (Candidate("a"), Candidate("b")))
    condition = Condition("upper-case", "candidate", 1.0, first=first)
    (noisy,) = perturbed(condition, [segment])
    instances = instances_of(noisy)

    assert [one.candidate for one in instances] == ["A", "b" if first else "B"]
    assert [one.rivals for one in instances] == [("b",), ("a",)]


def test_rivals_stay_clean_when_stored_texts_are_replayed():
    stored = {"candidates": {"mine": {"1": ("x", "y")}}}
    segment = Segment("a", (Candidate("a"), Candidate("b")), perturbed=stored)
    (noisy,) = perturbed(Condition("mine", "candidate", 1.0, stored=True), [segment])

    assert [one.rivals for one in instances_of(noisy)] == [("b",), ("a",)]
