"""Shares of segments beyond a threshold that is estimated from the same data."""

import numpy as np
import pytest

from shakeproof.stats.binomial import Binomial, Threshold, clopper_pearson, exact

RNG = np.random.default_rng(7)
INFLUENCE = RNG.normal(size=200)  # a standard error of 0.07 of the threshold's logarithm


def interval(multiples):
    share = float((multiples > 1).mean())
    threshold = Threshold(multiples, True, INFLUENCE, np.zeros(200))
    return exact(Binomial(share, 200, threshold=threshold), 0.95)


def test_a_threshold_far_from_all_segments_adds_nothing():
    multiples = np.repeat([0.1, 9.0], 100)
    low, high = clopper_pearson(100, 200)

    assert (interval(multiples).low, interval(multiples).high) == (low, high)


def test_a_step_at_the_threshold_is_added_as_a_whole():
    tied = np.concatenate([np.full(60, 0.1), np.full(40, 0.95), np.full(100, 9.0)])
    apart = np.where(tied == 0.95, RNG.permutation(np.linspace(0.9, 0.99, 200)), tied)
    low, high = clopper_pearson(100, 200)

    assert interval(tied).low == pytest.approx(low)
    assert interval(tied).high == pytest.approx(high + 0.2)
    assert high < interval(apart).high < interval(tied).high
