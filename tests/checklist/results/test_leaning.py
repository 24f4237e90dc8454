"""Which way undecided checks lean, in words."""

import pytest

from shakeproof.expectations import EXPECTATIONS
from shakeproof.results import Bounds, Leaning, describe_leaning
from shakeproof.results.leaning import ABOVE, BELOW

FAILS = Leaning.FAILS


@pytest.mark.parametrize(
    ("expectation", "value", "bounds", "words"),
    [
        ("correlation_drop", 0.12, Bounds(high=0.1), "probably too sensitive"),
        ("score_drop", 0.18, Bounds(low=0.2), "probably not sensitive enough"),
        ("score_change", -0.3, Bounds(low=-0.2, high=0.2), "probably too sensitive"),
        ("retention", -0.01, Bounds(low=0.0), "probably too sensitive"),
        ("correlation", 0.4, Bounds(low=0.5), "probably too little agreement with people"),
        ("correlation", 0.6, Bounds(high=0.5), "probably fails"),
        ("python", 0.6, Bounds(high=0.5), "probably fails"),
        pytest.param(
            "correlation_drop", 0.09, Bounds(high=0.1), "probably too sensitive", id="a worse group"
        ),
    ],
)
def test_an_estimate_beyond_its_bound_is_named_by_what_is_wrong(expectation, value, bounds, words):
    assert describe_leaning(FAILS, expectation, value, bounds) == words


def test_an_estimate_inside_its_bounds_is_probably_fine():
    assert describe_leaning(Leaning.PASSES, "monotone", 0.1, Bounds(low=0.0)) == "probably fine"
    assert describe_leaning(Leaning.NONE, "monotone", 0.1, Bounds(low=0.0)) == ""


def test_words_belong_to_expectations_that_exist():
    assert set(ABOVE) | set(BELOW) <= set(EXPECTATIONS)
