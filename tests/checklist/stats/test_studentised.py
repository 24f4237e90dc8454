"""The studentised bootstrap: errors within draws, ends of intervals, p-values."""

import numpy as np
import pytest

from shakeproof.results import Bounds, Verdict
from shakeproof.stats.bootstrap import influence, segment_sums
from shakeproof.stats.estimate import resample
from shakeproof.stats.intervals import (
    STUDENTISED,
    standard_error,
    standard_error_of,
    stretch,
    t_quantile,
)
from shakeproof.stats.kinds.agreement import correlation, difference
from shakeproof.stats.kinds.coefficients import Pearson
from shakeproof.stats.kinds.pairs import WmtKendall
from shakeproof.stats.kinds.scores import MeanScore, Shift
from shakeproof.stats.kinds.systems import BySystem
from shakeproof.stats.pvalues import p_value
from shakeproof.stats.studentised import drawn_errors, error_columns
from shakeproof.stats.verdicts import compare
from shakeproof.stats.weights import bootstrap_weights

DROP = difference(correlation(Pearson(), ["clean"]), correlation(Pearson(), ["noisy"]))


@pytest.mark.parametrize(
    "statistic",
    [
        pytest.param(MeanScore(("clean",)), id="mean"),
        pytest.param(Shift("clean", ("noisy",)), id="change in spreads"),
        pytest.param(DROP, id="drop of Pearson's r"),
        pytest.param(correlation(WmtKendall(rating_gap=1), ["noisy"]), id="pairs"),
    ],
)
def test_the_error_of_a_draw_is_that_of_its_own_influences(statistic, observations):
    table, units = segment_sums(statistic, observations), np.arange(60)
    psi = influence(statistic, table, units)
    (weights,) = bootstrap_weights(60, 20, 3, step=20)
    columns = error_columns(table.sums, psi)
    found = drawn_errors(statistic, weights @ table.sums, weights @ columns, 60)

    drawn = [np.repeat(table.sums, counts.astype(int), axis=0) for counts in weights]
    jackknifed = [
        standard_error(59 * (statistic.value(rows.sum(0)) - statistic.value(rows.sum(0) - rows)))
        for rows in drawn
    ]
    assert np.corrcoef(found, jackknifed)[0, 1] > 0.9
    assert found == pytest.approx(jackknifed, rel=0.2)
    assert np.median(found / jackknifed) == pytest.approx(1, abs=0.06)


def test_an_interval_is_never_narrower_than_that_of_students_t(observe):
    scores = np.random.default_rng(1).normal(size=50)
    (sample,) = resample([MeanScore(("m",))], observe({"m": scores}))
    reach = t_quantile(0.95, 49) * scores.std(ddof=1) / np.sqrt(50) * stretch(50)

    assert sample.estimate.method == STUDENTISED
    assert sample.estimate.value - sample.estimate.low >= 0.999 * reach
    assert sample.estimate.high - sample.estimate.value >= 0.999 * reach


def test_skewed_means_reach_further_on_the_side_of_the_long_tail(observe):
    scores = np.random.default_rng(2).exponential(size=60)
    (sample,) = resample([MeanScore(("m",))], observe({"m": scores}))
    down, up = (
        sample.estimate.value - sample.estimate.low,
        sample.estimate.high - sample.estimate.value,
    )

    assert up > 1.1 * down


def test_one_segment_unlike_all_others_leaves_both_ends_finite(observe):
    scores = np.append(np.zeros(39), 1.0)
    (sample,) = resample([MeanScore(("m",))], observe({"m": scores}))

    assert -0.1 < sample.estimate.low < 0 < 0.132 < sample.estimate.high < 0.2


def test_the_interval_of_a_correlation_stays_below_one(observe):
    rng = np.random.default_rng(4)
    rating = np.repeat(rng.normal(size=40), 3) + np.tile([-1, 0, 1], 40)
    scores = rating + 0.02 * rng.normal(size=120) ** 3
    observed = observe({"m": scores}, segment=np.repeat(np.arange(40), 3), rating=rating)
    (sample,) = resample([correlation(Pearson(), ["m"])], observed)

    assert 0.9 < sample.estimate.low < sample.estimate.value < sample.estimate.high < 1


def test_a_value_that_moves_in_steps_takes_the_expanded_percentile(observe):
    rng = np.random.default_rng(5)
    rating = np.tile(np.arange(4.0), 40) + rng.normal(size=160)
    observed = observe(
        {"m": rating + rng.normal(size=160)},
        segment=np.repeat(np.arange(40), 4),
        rating=rating,
        members=np.stack([np.arange(160), np.tile(np.arange(4), 40)], axis=1),
        systems=("a", "b", "c", "d"),
    )
    (sample,) = resample([correlation(BySystem("tau-b"), ["m"])], observed)

    assert sample.estimate.method == "expanded percentile"


@pytest.mark.parametrize("statistic", [DROP, correlation(Pearson(), ["noisy"])])
def test_p_is_at_most_one_in_forty_where_the_interval_fails_the_bound(statistic, observations):
    (sample,) = resample([statistic], observations)
    ends = sample.estimate.low, sample.estimate.high
    for step in (-0.01, 0.01):
        bounds = Bounds(high=sample.estimate.low + step)
        failed = compare(bounds, *ends) is Verdict.FAIL

        assert (p_value(bounds, sample) <= 0.025) == failed


def test_the_stretch_of_an_interval_is_not_taken_for_a_larger_error(observe):
    scores = np.random.default_rng(6).normal(size=100)
    (sample,) = resample([MeanScore(("m",))], observe({"m": scores}))

    assert standard_error_of(sample.estimate) == pytest.approx(scores.std(ddof=1) / 10, rel=0.04)
