"""Coefficients equal scipy's or hand-worked values, in total and in every draw."""

import numpy as np
import pytest
from scipy import stats

from shakeproof.stats.estimate import resample
from shakeproof.stats.kinds.agreement import correlation, difference
from shakeproof.stats.kinds.coefficients import Pearson, Spearman
from shakeproof.stats.kinds.pairs import PairShare, WmtKendall
from shakeproof.stats.weights import bootstrap_weights

SCIPY = {"pearson": stats.pearsonr, "spearman": stats.spearmanr}
OURS = {"pearson": Pearson(), "spearman": Spearman()}


def total(statistic, observed):
    return float(statistic.value(statistic.sums(observed).sum(axis=0)))


@pytest.mark.parametrize("name", SCIPY)
def test_total_equals_scipy_with_ties_on_both_sides(name, observations):
    rounded = np.round(observations.scores["clean"], 1)
    observations.scores["clean"][:] = rounded
    ours = total(correlation(OURS[name], ["clean"]), observations)

    assert ours == pytest.approx(
        SCIPY[name](rounded, observations.candidates.rating).statistic, abs=1e-12
    )


@pytest.mark.parametrize("offset", [0.9, 1e4, 1e6])
def test_an_offset_of_the_scores_costs_no_digits(offset, observations):
    plain = total(correlation(Pearson(), ["clean"]), observations)
    observations.scores["clean"][:] += offset

    assert total(correlation(Pearson(), ["clean"]), observations) == pytest.approx(plain, abs=1e-9)


def test_pearson_draws_equal_resampled_rows(observations):
    drop = difference(correlation(Pearson(), ["clean"]), correlation(Pearson(), ["noisy"]))
    sums = drop.sums(observations)
    drawn = next(bootstrap_weights(60, 20, seed=1, step=20))
    rows = [
        np.repeat(np.arange(300), w[observations.candidates.segment].astype(int)) for w in drawn
    ]

    def exact(at):
        rating = observations.candidates.rating[at]
        clean, noisy = (
            stats.pearsonr(observations.scores[name][at], rating).statistic
            for name in ("clean", "noisy")
        )
        return clean - noisy

    assert drop.value(drawn @ sums) == pytest.approx([exact(at) for at in rows], abs=1e-12)


def test_linearised_spearman_has_the_standard_error_of_ranking_anew(observations):
    statistic = correlation(Spearman(), ["clean"])
    drawn = next(bootstrap_weights(60, 500, seed=2, step=500))
    rows = [
        np.repeat(np.arange(300), w[observations.candidates.segment].astype(int)) for w in drawn
    ]
    exact = [
        stats.spearmanr(
            observations.scores["clean"][at], observations.candidates.rating[at]
        ).statistic
        for at in rows
    ]
    linear = statistic.value(drawn @ statistic.sums(observations))

    assert linear.std() == pytest.approx(np.std(exact), rel=0.03)
    assert np.corrcoef(linear, exact)[0, 1] > 0.99


def test_kendall_counts_a_tie_as_wrong(observe):
    observed = observe(
        {"m": [3, 2, 2, 2 + 5e-7]},
        segment=[0, 0, 1, 1],
        pairs=[(0, 1), (0, 1), (1, 0), (3, 2)],
    )
    # right: the first pair, given twice; wrong: the third; a tie within the tolerance: the fourth
    assert total(correlation(WmtKendall(), ["m"]), observed) == pytest.approx((2 - 2) / 4)
    assert total(correlation(WmtKendall(tie=0), ["m"]), observed) == pytest.approx((3 - 1) / 4)
    assert total(correlation(PairShare("tied"), ["m"]), observed) == pytest.approx(1 / 4)


def test_a_rating_gap_makes_pairs_of_candidates_that_far_apart(observe):
    observed = observe(
        {"m": [1, 2, 3, 1, 2]}, segment=[0, 0, 0, 1, 1], rating=[0, 25, 60, 50, np.nan]
    )
    ours = total(correlation(WmtKendall(rating_gap=25), ["m"]), observed)
    # pairs (1,0), (2,0), (2,1), all right; the other segment has one rating only
    assert ours == 1
    assert correlation(WmtKendall(rating_gap=36), ["m"]).sums(observed)[0].tolist() == [1, 1]


def test_a_candidate_without_a_score_leaves_all_conditions(observations):
    whole = dict(observations.scores)
    observations.scores["noisy"][7] = np.nan
    drop = difference(correlation(Pearson(), ["clean"]), correlation(Pearson(), ["noisy"]))
    kept = np.arange(300) != 7
    rating = observations.candidates.rating[kept]
    clean, noisy = (stats.pearsonr(whole[name][kept], rating).statistic for name in whole)

    assert total(drop, observations) == pytest.approx(clean - noisy, abs=1e-12)
    assert drop.note(observations) == "1 candidate without a score left out"


def test_seeds_are_averaged_and_only_segments_resampled(observations):
    rng = np.random.default_rng(0)
    score_keys = {f"seed{k}": observations.scores["clean"] + rng.normal(size=300) for k in range(5)}
    observations.scores.update(score_keys)
    (sample,) = resample([correlation(Pearson(), score_keys)], observations, draws=200)
    alone = [total(correlation(Pearson(), [score_key]), observations) for score_key in score_keys]

    assert sample.estimate.value == pytest.approx(np.mean(alone))
    drawn = [
        resample([correlation(Pearson(), [b])], observations, draws=200)[0].draws
        for b in score_keys
    ]
    assert sample.draws == pytest.approx(np.mean(drawn, axis=0))
