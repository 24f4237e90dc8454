"""Which inputs get a copy among their candidates, and how it is rated."""

from math import nan

import pytest

from shakeproof.data.copies import copy_rating, gets_copy


def test_every_fifth_input_gets_a_copy_beginning_with_the_first():
    assert [position for position in range(12) if gets_copy(position)] == [0, 5, 10]
    assert [position for position in range(5) if gets_copy(position, 2)] == [0, 2, 4]


@pytest.mark.parametrize(
    ("ratings", "rating"),
    [
        pytest.param([0.4, 1.0], 0.0, id="ratings above 0"),
        pytest.param([-2.0, 1.0], -2.0, id="ratings below 0"),
        pytest.param([nan, 3.0], 0.0, id="an unrated candidate"),
        pytest.param([], 0.0, id="no ratings"),
    ],
)
def test_a_copy_is_rated_0_or_with_the_lowest_rating_below_it(ratings, rating):
    assert copy_rating(iter(ratings)) == rating
