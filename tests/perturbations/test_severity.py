"""Realised severity: shares of letters, words and segments that changed."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shakeproof.perturbations.severity import (
    letters_of,
    pieces_per_word,
    realised,
    unknown_per_segment,
    unknown_tokens,
)


@pytest.mark.parametrize(
    ("before", "after", "letters", "words", "segments", "edits"),
    [
        pytest.param(["ab cd"], ["ab cd"], 0, 0, 0, 0, id="nothing"),
        pytest.param(["ab cd"], ["ab xd"], 1 / 4, 1 / 2, 1, 1 / 5, id="a letter replaced"),
        pytest.param(["ab cd"], ["ab"], 2 / 4, 1 / 2, 1, 3 / 5, id="a word left out"),
        pytest.param(["ab cd"], ["ab c*d"], 0, 1 / 2, 1, 1 / 5, id="a mark inserted"),
        pytest.param(["ab.", "cd"], ["ab", "cd"], 0, 0, 1 / 2, 1 / 5, id="a stop left out"),
        pytest.param([""], ["ab"], 0, 0, 1, 0, id="nothing before"),
        pytest.param([], [], 0, 0, 0, 0, id="no texts"),
    ],
)
def test_shares_are_of_what_was_there(before, after, letters, words, segments, edits):
    found = realised(before, after)

    assert (found.letters, found.words, found.segments, found.edits) == pytest.approx(
        (letters, words, segments, edits)
    )


@given(st.text() | st.text(st.characters(max_codepoint=127)))
def test_letters_are_the_characters_that_python_calls_letters(text):
    assert letters_of(text) == sum(char.isalpha() for char in text)


@pytest.mark.parametrize(
    ("pieces", "count"),
    [
        pytest.param("the dog", 0, id="known words"),
        pytest.param("bass ##ing is", 1, id="a word in two pieces"),
        pytest.param("vers ##tä ##nd ##lich", 1, id="four pieces at the end count once"),
        pytest.param("[UNK] dog", 1, id="an unknown token"),
        pytest.param("a ##b [UNK] c ##d e", 3, id="both kinds"),
        pytest.param("", 0, id="nothing"),
    ],
)
def test_unknown_tokens_are_counted_by_algorithm_1(pieces, count):
    assert unknown_tokens(pieces.split()) == count


def test_averages_are_per_segment_and_per_word():
    def tokenize(text):
        return [
            piece for word in text.split() for piece in (word[:2], *(["##x"] * (len(word) > 2)))
        ]

    assert unknown_per_segment(["ab abc", "abcd abc"], tokenize) == 1.5
    assert pieces_per_word(["ab abc"], tokenize) == 1.5
    assert unknown_per_segment([], tokenize) == 0
