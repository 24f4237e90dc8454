import pytest
from hypothesis import given
from hypothesis import strategies as st

from shakeproof.metrics.kinds.distance import (
    EditSimilarityOptions,
    edit_distance,
    word_edit_distance,
)
from shakeproof.metrics.protocols import Instance
from shakeproof.metrics.settings import Settings


def closeness(candidate, *references, **options):
    instance = Instance(candidate, references)
    return EditSimilarityOptions(**options).build({}, Settings()).combine(instance, [])


@pytest.mark.parametrize(
    ("candidate", "other", "distance"),
    [
        pytest.param("kitten", "sitting", 3 / 7, id="the textbook case"),
        pytest.param("same", "same", 0.0, id="equal"),
        pytest.param("", "", 0.0, id="both empty"),
        pytest.param("", "abc", 1.0, id="one empty"),
        pytest.param("🙂", "🙃", 1.0, id="emoji count as one"),
        pytest.param("שלום", "שלוש", 0.25, id="right to left"),
        pytest.param("a" * 10_000, "a" * 9_999 + "b", 1 / 10_000, id="long"),
    ],
)
def test_edits_are_divided_by_the_longer_length(candidate, other, distance):
    assert edit_distance(candidate, other) == pytest.approx(distance)


@given(first=st.text(max_size=30), second=st.text(min_size=1, max_size=30))
def test_distances_equal_those_of_nltk(first, second):
    nltk = pytest.importorskip("nltk")

    expected = nltk.edit_distance(first, second) / max(len(first), len(second))
    assert edit_distance(first, second) == pytest.approx(expected, abs=1e-12)


def test_words_may_be_the_unit():
    assert word_edit_distance("a b c d", "a x c") == 0.5
    assert closeness("a b c d", "a x c", unit="word") == 0.5


def test_the_closest_reference_counts():
    assert closeness("abcd", "xxxx", "abcx") == 0.75


def test_capitals_matter_unless_lowercase_is_set():
    assert closeness("ABCD", "abcd") == 0.0
    assert closeness("ABCD", "abcd", lowercase=True) == 1.0
