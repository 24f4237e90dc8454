"""Differences between texts, cut into edits that make sense alone."""

from itertools import pairwise
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shakeproof.evidence.search.edits import changes_between, edits_between, with_changes
from shakeproof.perturbations import PERTURBATIONS
from shakeproof.perturbations.clusters import seams
from shakeproof.perturbations.editing import apply
from shakeproof.perturbations.family import Context, Edit, Rule

SOURCE = "All trains to Leeds leave from platform 4 today, and they will be late."
TEXT = "The 12 trains to Leeds aren't on time; all of them leave from platform 4."
AROUND = Context(source=SOURCE, references=(SOURCE,), neighbour=Context(candidates=(SOURCE,)))
WORDS = st.lists(st.sampled_from(["the", "cat", "sat", "mat,", "há", "猫", "🙂"])).map(" ".join)


@pytest.mark.parametrize(
    ("before", "after", "edits"),
    [
        pytest.param("the cat", "the cat", [], id="nothing"),
        pytest.param("", "the", [(0, 0, "the")], id="out of nothing"),
        pytest.param("the", "", [(0, 3, "")], id="to nothing"),
        pytest.param("a big dog", "a large hound", [(2, 5, "large"), (6, 9, "hound")], id="words"),
        pytest.param("form the", "from teh", [(1, 3, "ro"), (6, 8, "eh")], id="swapped letters"),
        pytest.param("wonder", "w:on:der", [(1, 1, ":"), (3, 3, ":")], id="letters put in"),
        pytest.param("Hello, you", "HELLO, YOU", [(0, 5, "HELLO"), (7, 10, "YOU")], id="capitals"),
        pytest.param("the cat sat", "the sat", [(4, 8, "")], id="a word left out"),
        pytest.param("a b", "a\u00a0b", [(1, 2, "\u00a0")], id="a blank"),
        pytest.param("cafe\u0301", "caf\u00e9", [(3, 5, "\u00e9")], id="a letter with its accent"),
        pytest.param("hi 👩‍👧", "hi 👩‍👦", [(3, 6, "👩‍👦")], id="an emoji as a whole"),
        pytest.param("שלום עולם", "שלוש עולם", [(3, 4, "ש")], id="right to left"),
    ],
)
def test_edits_are_where_a_reader_would_see_them(before, after, edits):
    assert edits_between(before, after) == tuple(Edit(*one) for one in edits)


@given(before=st.text() | WORDS, after=st.text() | WORDS)
def test_all_edits_make_the_new_text_and_none_leaves_the_old_one(before, after):
    edits = edits_between(before, after)

    assert apply(before, edits) == after
    assert apply(before, []) == before


@given(before=st.text() | WORDS, after=st.text() | WORDS)
def test_no_two_edits_touch(before, after):
    edits = edits_between(before, after)

    assert all(one.end < other.start for one, other in pairwise(edits))
    assert all(before[one.start : one.end] != one.text for one in edits)


@given(before=st.text() | WORDS, after=st.text() | WORDS)
def test_no_edit_tears_what_readers_see_as_one_character(before, after):
    ends = seams(before)

    assert all({one.start, one.end} <= ends for one in edits_between(before, after))


@pytest.mark.parametrize("name", PERTURBATIONS)
def test_every_family_can_be_taken_apart_and_put_together(name):
    family = PERTURBATIONS[name]
    level = {Rule.COUNT: 3, Rule.SWITCH: 1}.get(family.rule, 0.4)
    damaged = family(TEXT, level, Random(name), AROUND)
    edits = edits_between(TEXT, damaged)

    assert apply(TEXT, edits) == damaged
    assert bool(edits) == (damaged != TEXT)


def test_a_long_text_is_taken_apart_in_no_time():
    before = "a long text about 7 trains " * 400
    edits = edits_between(before, before.upper())

    assert len(edits) == 400 * 5
    assert apply(before, edits) == before.upper()


def test_changes_know_which_text_they_belong_to():
    before, after = ("one two", "three"), ("one too", "three four")
    changes = changes_between(before, after)

    assert [change.place for change in changes] == [0, 1]
    assert with_changes(before, changes) == list(after)
    assert with_changes(before, changes[1:]) == ["one two", "three four"]
    assert with_changes(before, reversed(changes)) == list(after)
