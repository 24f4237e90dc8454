"""Tau, coefficients within segments, accuracy with ties and system level, by scipy and by hand."""

from dataclasses import replace

import numpy as np
import pytest
from scipy import stats

from shakeproof.stats.estimate import estimate, resample
from shakeproof.stats.kinds.accuracy import (
    AccuracyEq,
    best_threshold,
    cross_fit,
    development_threshold,
    halves,
)
from shakeproof.stats.kinds.agreement import correlation, difference
from shakeproof.stats.kinds.ranks import Tau, Within
from shakeproof.stats.kinds.systems import BySystem
from shakeproof.stats.observations import Observations
from shakeproof.stats.weights import bootstrap_weights


@pytest.mark.parametrize("variant", ["b", "c"])
def test_tau_over_all_candidates_is_scipys(variant, observations):
    observations.scores["clean"][:] = np.round(observations.scores["clean"], 1)
    found, _ = estimate(correlation(Tau(variant), ["clean"]), observations, draws=0)
    theirs = stats.kendalltau(
        observations.scores["clean"], observations.candidates.rating, variant=variant
    )

    assert found.value == pytest.approx(theirs.statistic, abs=1e-12)


@pytest.mark.parametrize("variant", ["b", "c"])
def test_linearised_tau_has_the_standard_error_of_counting_anew(variant, observations):
    statistic = correlation(Tau(variant), ["clean"])
    drawn = next(bootstrap_weights(60, 500, seed=2, step=500))
    rows = [
        np.repeat(np.arange(300), w[observations.candidates.segment].astype(int)) for w in drawn
    ]
    exact = [
        stats.kendalltau(
            observations.scores["clean"][at], observations.candidates.rating[at], variant=variant
        ).statistic
        for at in rows
    ]

    assert statistic.value(drawn @ statistic.sums(observations)).std() == pytest.approx(
        np.std(exact), rel=0.03
    )


def test_segments_without_ratings_change_neither_tau_nor_its_error(observations, observe):
    more = observe(
        {"clean": np.append(observations.scores["clean"], [0.1, 0.2])},
        segment=np.append(observations.candidates.segment, [60, 60]),
        rating=np.append(observations.candidates.rating, [np.nan, np.nan]),
    )
    statistic = correlation(Tau(), ["clean"])

    assert (
        estimate(statistic, more, draws=200)[0] == estimate(statistic, observations, draws=200)[0]
    )


KINDS = {
    "pearson": lambda x, y: stats.pearsonr(x, y).statistic,
    "spearman": lambda x, y: stats.spearmanr(x, y).statistic,
    "tau-b": lambda x, y: stats.kendalltau(x, y).statistic,
}


@pytest.mark.parametrize("kind", KINDS)
def test_coefficients_within_segments_are_averaged(kind, observations):
    clean = observations.scores["clean"].reshape(60, 5)
    grades = observations.candidates.rating.reshape(60, 5)
    usable = [at for at in range(60) if np.ptp(grades[at]) > 0]
    by_hand = np.mean([KINDS[kind](clean[at], grades[at]) for at in usable])
    found, _ = estimate(correlation(Within(kind), ["clean"]), observations, draws=0)

    assert found.value == pytest.approx(by_hand, abs=1e-9)
    assert found.segments == len(usable)


def test_a_segment_that_turns_constant_leaves_both_conditions(observations):
    observations.scores["noisy"][:5] = 0.5
    drop = difference(correlation(Within(), ["clean"]), correlation(Within(), ["noisy"]))
    found, _ = estimate(drop, observations, draws=0)
    rest = Observations(
        observations.candidates, {k: v.copy() for k, v in observations.scores.items()}, {}
    )
    for values in rest.scores.values():
        values[:5] = np.nan
    without, _ = estimate(drop, rest, draws=0)

    assert found.value == pytest.approx(without.value)
    assert found.segments == without.segments
    assert "scores constant in 1 of " in found.note


def test_a_metric_constant_in_many_segments_is_undefined_within_segments(observations):
    observations.scores["clean"][:50] = 0.5
    found, _ = estimate(correlation(Within(), ["clean"]), observations, draws=10)

    assert found.value is None
    assert found.note.endswith("use wmt-kendall or acc-eq")


@pytest.mark.parametrize("seed", range(5))
def test_the_tie_threshold_is_the_best_of_all(seed):
    rng = np.random.default_rng(seed)
    human = rng.integers(-1, 2, 60).astype(float)
    margin = np.round(human + rng.normal(size=60), 1)

    def accuracy(width):
        tied = np.abs(margin) <= width
        return np.where(tied, human == 0, np.sign(margin) == human).mean()

    every = [1e-6, *np.abs(margin)]

    assert accuracy(best_threshold(human, margin)) == max(map(accuracy, every))


def test_thresholds_are_set_on_the_other_half():
    human = np.array([0.0, 1.0, 0.0, 1.0])
    margin = np.array([0.1, 0.5, 0.3, 0.9])
    half = np.array([True, True, False, False])

    assert cross_fit(human, margin, half, 1e-6) == (0.3, 0.1)


def test_the_split_does_not_depend_on_order(observations):
    ids = tuple(f"segment {at}" for at in range(60))
    forth, back = (
        halves(replace(observations.candidates, ids=order)) for order in (ids, ids[::-1])
    )

    assert (forth == back[::-1]).all()
    assert 15 < forth.sum() < 45


def test_the_clean_threshold_is_kept_under_noise(observations):
    observations.scores["noisy"][:] = observations.scores["clean"] / 100
    clean = correlation(AccuracyEq(), ["clean"])
    kept, own = (
        difference(clean, correlation(AccuracyEq(), ["noisy"], anchor))
        for anchor in ("clean", None)
    )
    ties = [
        correlation(AccuracyEq(ties=True), [score_key], "clean") for score_key in ("clean", "noisy")
    ]
    found = [
        sample.estimate.value for sample in resample([kept, own, *ties], observations, draws=0)
    ]

    assert found[1] == pytest.approx(0)  # squeezed scores have the same order
    assert found[0] > 0.1
    assert found[3] > 2 * found[2] > 0


def test_each_metric_has_a_threshold_of_its_own_in_a_difference(observations):
    observations.scores["other"] = observations.scores["noisy"] * 1000
    drops = [
        difference(correlation(AccuracyEq(), [clean]), correlation(AccuracyEq(), ["noisy"], clean))
        for clean in ("clean", "other")
    ]
    apart = resample([*drops, difference(*drops)], observations, draws=0)
    values = [sample.estimate.value for sample in apart]

    assert values[2] == pytest.approx(values[0] - values[1])


def test_a_threshold_set_on_other_data_is_taken_as_it_is(observations):
    margins = np.abs(observations.scores["clean"][::5] - observations.scores["clean"][1::5])
    coefficient = AccuracyEq(known=(("clean", float(np.median(margins))),))
    found, _ = estimate(
        correlation(AccuracyEq(ties=True, known=coefficient.known), ["clean"]), observations
    )
    fitted, _ = estimate(correlation(AccuracyEq(), ["clean"]), observations, draws=0)

    assert found.value == pytest.approx(0.5, abs=0.1)
    assert found.note == f"ties within {np.median(margins):.3g}, set on the development part"
    assert fitted.note.endswith(" set on the other half of the segments")


def test_a_threshold_is_set_on_the_pairs_that_people_and_the_metric_rated(observe):
    rating = [1, 1, 2, np.nan, 3, 3]
    observed = observe({"m": [0.1, 0.2, 0.9, 5.0, np.nan, 0.8]}, segment=[0] * 6, rating=rating)
    candidates, scores = observed.candidates, observed.scores["m"]
    # people tie the first two, which are 0.1 apart; (2, 5) is wrong either way
    assert development_threshold(candidates, scores) == pytest.approx(0.1)
    assert development_threshold(candidates, np.full(6, np.nan)) is None


@pytest.fixture
def contest(observe):
    """Four systems in 40 segments, one output each; better systems score higher on average."""
    rng = np.random.default_rng(4)
    rating = np.arange(4) + 3 * rng.normal(size=(40, 4))
    scores = rating + 2 * rng.normal(size=(40, 4))
    members = np.stack([np.arange(160), np.tile(np.arange(4), 40)], axis=1)
    observed = observe(
        {"m": scores.ravel()},
        segment=np.repeat(np.arange(40), 4),
        rating=rating.ravel(),
        members=members,
        systems=tuple("abcd"),
    )
    return observed, scores.mean(axis=0), rating.mean(axis=0)


@pytest.mark.parametrize("kind", KINDS)
def test_systems_are_compared_by_their_means(kind, contest):
    observed, score, rating = contest
    found, _ = estimate(correlation(BySystem(kind), ["m"]), observed, draws=200)

    assert found.value == pytest.approx(KINDS[kind](score, rating))
    assert found.low < found.value <= found.high


def test_system_draws_equal_means_of_resampled_outputs(contest):
    observed, _, _ = contest
    statistic = correlation(BySystem(), ["m"])
    drawn = next(bootstrap_weights(40, 20, seed=1, step=20))
    scores, rating = (v.reshape(40, 4) for v in (observed.scores["m"], observed.candidates.rating))
    exact = [np.corrcoef(w @ scores, w @ rating)[0, 1] for w in drawn]

    assert statistic.value(drawn @ statistic.sums(observed)) == pytest.approx(exact, abs=1e-12)


def test_two_systems_are_too_few(observe):
    observed = observe(
        {"m": [1.0, 2.0]},
        segment=[0, 0],
        rating=[1, 2],
        members=np.array([[0, 0], [1, 1]]),
        systems=("a", "b"),
    )
    found, _ = estimate(correlation(BySystem(), ["m"]), observed)

    assert found.value is None
    assert found.note == "2 systems of at least 3"
