"""Bins: a bootstrap over many segments costs no more than one over a few thousand."""

import numpy as np
import pytest

from shakeproof.stats import bins
from shakeproof.stats.bins import MAX_UNITS, binned, binned_influence
from shakeproof.stats.compare import StoredEstimate, compare_estimates
from shakeproof.stats.estimate import resample
from shakeproof.stats.kinds.agreement import correlation, difference
from shakeproof.stats.kinds.coefficients import Pearson

DROP = difference(correlation(Pearson(), ["clean"]), correlation(Pearson(), ["noisy"]))


def test_a_few_rows_stay_as_they_are():
    rows = np.arange(2.0 * MAX_UNITS).reshape(-1, 2)
    assert binned(rows, (0, 0)) is rows


def test_bins_keep_the_total_and_nearly_the_same_size():
    rows = np.ones((7 * MAX_UNITS + 5, 3))
    sums = binned(rows, (0, 0))
    assert sums.shape == (MAX_UNITS, 3)
    assert sums.sum(axis=0).tolist() == [7 * MAX_UNITS + 5] * 3
    assert set(np.unique(sums)) == {7.0, 8.0}


def test_bins_mix_segments_that_stand_together():
    rows = np.repeat([0.0, 1.0], 5 * MAX_UNITS)[:, None]
    assert len(np.unique(binned(rows, (0, 0)))) > 2


def test_influences_of_bins_have_the_same_mean_and_standard_error():
    psi = np.random.default_rng(0).normal(size=20 * MAX_UNITS)
    gathered = binned_influence(psi, (0, 0))
    assert gathered.mean() == pytest.approx(psi.mean())
    error, of_bins = (one.std() / np.sqrt(len(one)) for one in (psi, gathered))
    assert of_bins == pytest.approx(error, rel=0.05)


def test_a_comparison_of_runs_with_bins_equals_one_without(monkeypatch):
    rng = np.random.default_rng(1)
    old = StoredEstimate(0.5, rng.normal(size=3 * MAX_UNITS))
    new = StoredEstimate(0.48, old.influence + rng.gamma(1.0, size=3 * MAX_UNITS))
    gathered = compare_estimates(old, new, direction=-1, allowed=0.1).estimate
    monkeypatch.setattr(bins, "MAX_UNITS", 4 * MAX_UNITS)
    single = compare_estimates(old, new, direction=-1, allowed=0.1).estimate
    width = single.high - single.low
    assert gathered.low == pytest.approx(single.low, abs=0.02 * width)
    assert gathered.high == pytest.approx(single.high, abs=0.02 * width)


def test_intervals_of_many_segments_are_those_of_single_ones(observe, monkeypatch):
    rng = np.random.default_rng(3)
    rating = rng.gamma(2.0, size=5_000)
    clean = rating + rng.gamma(1.0, size=5_000)
    noisy = clean + rng.normal(size=5_000)
    observed = observe({"clean": clean, "noisy": noisy}, rating=rating)
    gathered = resample([DROP], observed, draws=4_000)[0].estimate
    monkeypatch.setattr(bins, "MAX_UNITS", 5_000)
    single = resample([DROP], observed, draws=4_000)[0].estimate

    width = single.high - single.low
    assert gathered.value == single.value
    assert gathered.low == pytest.approx(single.low, abs=0.02 * width)
    assert gathered.high == pytest.approx(single.high, abs=0.02 * width)
