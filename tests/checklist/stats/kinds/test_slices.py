"""Slices and difference pairs, worked by hand."""

import numpy as np
import pytest

from shakeproof.stats.estimate import estimate, resample
from shakeproof.stats.kinds.agreement import correlation
from shakeproof.stats.kinds.coefficients import Pearson
from shakeproof.stats.kinds.slices import (
    DifferencePairs,
    EqualShare,
    PairCount,
    ScoresHigher,
    Sliced,
    SliceShare,
)

WHOLE = correlation(Pearson(), ["clean"])


@pytest.fixture
def sliced(observations):
    rng = np.random.default_rng(9)
    observations.scores["near"] = rng.uniform(size=300)
    observations.scores["far"] = rng.uniform(size=300)
    return observations


def test_quarters_hold_all_candidates_once(sliced):
    usable = np.ones(300, bool)
    quarters = [EqualShare("near", part).rows(sliced, usable) for part in range(4)]

    assert np.sum(quarters, axis=0).tolist() == [1] * 300
    assert [quarter.sum() for quarter in quarters] == [75] * 4


def test_equal_scores_stay_in_one_slice(sliced):
    near = sliced.scores["near"]
    near[:] = np.round(9 * near)
    low, high = (EqualShare("near", part, 2).rows(sliced, np.ones(300, bool)) for part in range(2))

    assert not set(near[low]) & set(near[high])
    assert set(near[low]) | set(near[high]) == set(near)


def test_a_slice_is_correlated_alone(sliced):
    rows = EqualShare("near", 1).rows(sliced, np.ones(300, bool))
    found, _ = estimate(Sliced(WHOLE, EqualShare("near", 1)), sliced, draws=0)
    by_hand = np.corrcoef(sliced.scores["clean"][rows], sliced.candidates.rating[rows])[0, 1]

    assert found.value == pytest.approx(by_hand)
    assert found.segments == len(np.unique(sliced.candidates.segment[rows]))


def test_nearer_to_one_text_than_to_the_other(sliced):
    sliced.scores["near"][0] = sliced.scores["far"][0]
    one, other = (
        ScoresHigher(*score_keys).rows(sliced, np.ones(300, bool))
        for score_keys in (("near", "far"), ("far", "near"))
    )

    assert not (one & other).any()
    assert (one | other).sum() == 299


def test_shares_of_slices_leave_out_what_lies_in_neither(sliced):
    near, far = sliced.scores["near"], sliced.scores["far"]
    near[:30] = far[:30]
    slices = ScoresHigher("near", "far"), ScoresHigher("far", "near")
    found = [estimate(SliceShare(WHOLE, one, slices), sliced, draws=0)[0].value for one in slices]

    assert found == pytest.approx([(near > far).sum() / 270, (far > near).sum() / 270])


def test_an_empty_slice_is_undefined_and_said(sliced):
    sliced.scores["near"][:] = np.nan
    found, _ = estimate(Sliced(WHOLE, EqualShare("near", 0)), sliced, draws=10)

    assert found.value is None
    assert found.note == "no candidate in this slice"


def test_slices_share_their_draws(sliced):
    parts = [Sliced(WHOLE, EqualShare("near", part, 2)) for part in range(2)]
    first, second = resample(parts, sliced, draws=200)

    assert len(first.draws) == len(second.draws) == 200


def test_difference_pairs_hold_one_quantity_and_vary_another(observe):
    observed = observe(
        {
            "m": [0.1, 0.6, 0.2, 0.5, 0.9],
            "held": [0.50, 0.52, 0.90, 0.30, 0.33],
            "varied": [0.10, 0.60, 0.90, 0.20, 0.70],
        },
        segment=[0, 0, 0, 1, 1],
        rating=[1, 3, 2, 2, 1],
    )
    found, _ = estimate(DifferencePairs("m", "held", "varied"), observed, draws=0)
    # pairs (0, 1) and (3, 4): score differences -.5, -.4; rating differences -2, 1
    assert found.value == pytest.approx((1.0 - 0.4) / np.sqrt((0.25 + 0.16) * (4 + 1)))
    assert found.note == "2 pairs"

    up_to, _ = estimate(DifferencePairs("m", "held", "varied", up_to=0.15), observed, draws=0)
    beyond, _ = estimate(DifferencePairs("m", "held", "varied", beyond=0.15), observed, draws=0)
    assert (up_to.value, beyond.value) == pytest.approx((1, -1))


@pytest.mark.parametrize(
    ("within", "pairs"),
    [pytest.param(100.0, 60 * 10, id="all"), pytest.param(0.0, 0, id="none")],
)
def test_pairs_are_counted(observations, within, pairs):
    chosen = DifferencePairs("noisy", "clean", "clean", within, apart=0.0)

    assert estimate(PairCount(chosen), observations, draws=0)[0].value == pairs
