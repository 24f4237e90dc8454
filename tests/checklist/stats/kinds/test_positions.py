"""Comparisons in both orders: shares of comparisons, and preferences shared with people."""

import numpy as np
import pytest

from shakeproof.stats.estimate import estimate
from shakeproof.stats.kinds.positions import ComparisonShare, SharedPreferences


def value(statistic, observed):
    return float(statistic.value(statistic.sums(observed).sum(axis=0)))


def test_each_comparison_counts_once_however_many_a_candidate_has(observe):
    scores = {"share": [1.0, 0.25, np.nan], "asked": [1.0, 4.0, 0.0]}
    observed = observe(scores, segment=[0, 0, 1])

    assert value(ComparisonShare(("share",), ("asked",)), observed) == pytest.approx(2 / 5)


def test_without_comparisons_the_share_says_so(observe):
    observed = observe({"share": [np.nan] * 2, "asked": [0.0] * 2}, segment=[0, 1])
    found, _ = estimate(ComparisonShare(("share",), ("asked",)), observed, draws=100)

    assert found.value is None
    assert found.note == "no two different candidates were compared"


def test_a_share_of_one_has_an_interval_for_what_was_not_seen(observe):
    scores = {"share": np.ones(120), "asked": np.full(120, 2.0)}
    observed = observe(scores, segment=np.repeat(np.arange(40), 3))
    found, _ = estimate(ComparisonShare(("share",), ("asked",)), observed, draws=100)

    assert found.value == found.high == 1
    assert found.low == pytest.approx(0.025 ** (1 / 40))


@pytest.mark.parametrize(
    ("pair", "shared"),
    [
        pytest.param((0, 1), 1.0, id="the next one"),
        pytest.param((1, 0), 0.0, id="turned round"),
        pytest.param((3, 0), 1.0, id="next of the last is the first"),
        pytest.param((2, 3), 0.0, id="a tie"),
        pytest.param((0, 2), np.nan, id="never compared"),
        pytest.param((4, 5), 1.0, id="in a segment of two"),
    ],
)
def test_a_preference_is_shared_if_the_judge_prefers_the_better_one(observe, pair, shared):
    ahead = [1.0, 0.2, 0.5, 0.75, 0.9, 0.1]  # over the next candidate of the segment
    observed = observe({"rival 1": ahead}, segment=[0, 0, 0, 0, 1, 1], pairs=[pair])

    assert value(SharedPreferences(("rival 1",)), observed) == pytest.approx(shared, nan_ok=True)


def test_far_rivals_are_found_from_either_side(observe):
    quality = np.array([3.0, 1.0, 2.0, 0.0, 4.0])
    scores = {
        f"rival {step}": [float(quality[row] > quality[(row + step) % 5]) for row in range(5)]
        for step in (1, 2)
    }
    pairs = [(a, b) for a in range(5) for b in range(5) if quality[a] > quality[b]]
    observed = observe(scores, segment=[0] * 5, pairs=pairs)
    statistic = SharedPreferences(tuple(scores))

    assert statistic.sums(observed).tolist() == [[10.0, 10.0]]


def test_preferences_that_the_judge_cannot_share_are_counted(observe):
    scores = {"rival 1": np.ones(120)}
    segment = np.repeat(np.arange(40), 3)
    pairs = [(row, row + 1) for row in range(0, 120, 3)]
    left_out = observe(
        {"rival 1": np.where(segment < 2, np.nan, 1.0)}, segment=segment, pairs=pairs
    )
    found, _ = estimate(SharedPreferences(("rival 1",)), left_out, draws=100)

    assert found.segments == 38
    assert found.note == "2 preferences left out: the judge did not compare the two"
    assert not SharedPreferences(("rival 1",)).note(observe(scores, segment=segment, pairs=pairs))
