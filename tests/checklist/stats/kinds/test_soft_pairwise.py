"""Soft pairwise accuracy equals WMT's, and the limit that intervals use is near it."""

from itertools import product

import numpy as np
import pytest

from shakeproof.expectations import EXPECTATIONS
from shakeproof.results import Bounds
from shakeproof.stats.estimate import estimate, resample
from shakeproof.stats.intervals import PREDICTION, expanded, prediction
from shakeproof.stats.kinds.agreement import correlation, difference
from shakeproof.stats.kinds.retention import Retention, weighted_correlation
from shakeproof.stats.kinds.soft_pairwise import (
    SoftPairwise,
    limit_p_values,
    permutation_p_values,
    soft_pairwise_accuracy,
)
from shakeproof.stats.observations import ComparedScores
from shakeproof.stats.pvalues import p_value
from shakeproof.stats.weights import bootstrap_weights

HUMAN = np.array([[(3 * i * s + s * s) % 7 for i in range(12)] for s in (1, 2, 3, 5)], float)
METRIC = np.array(
    [[((5 * i + 2 * s * s) % 11) / 10 + s / 20 for i in range(12)] for s in (1, 2, 3, 5)]
)
DRAWS = 100_000


def above_diagonal(matrix):
    return matrix[np.triu_indices(len(matrix), 1)].tolist()


def enumerated_p(first, second):
    """Swap the segments of two systems in every possible way."""
    differences = np.array(first) - np.array(second)
    sums = [np.dot(signs, differences) for signs in product((1, -1), repeat=len(differences))]
    return np.mean(np.array(sums) >= differences.sum() - 1e-9)


@pytest.mark.parametrize(
    ("scores", "settings", "published"),
    [
        pytest.param(HUMAN, {}, [0.417, 0.617, 0.598, 0.774, 0.799, 0.584], id="ratings"),
        pytest.param(METRIC, {}, [0.71, 0.813, 0.936, 0.51, 0.767, 1.0], id="scores"),
        pytest.param(
            HUMAN,
            {"draws": 200, "seed": 9},
            [0.435, 0.625, 0.545, 0.78, 0.795, 0.495],
            id="another seed",
        ),
    ],
)
def test_p_values_are_those_of_mt_metrics_eval(scores, settings, published):
    p = permutation_p_values(scores, **settings)

    assert above_diagonal(p) == published
    assert np.isnan(p[np.tril_indices(4)]).all()


def test_soft_pairwise_accuracy_is_that_of_mt_metrics_eval():
    assert soft_pairwise_accuracy(HUMAN, METRIC) == 0.7435


@pytest.mark.parametrize(
    ("first", "second", "p"),
    [
        pytest.param([1, 1, 1], [0, 0, 0], 1 / 8, id="always better"),
        pytest.param([0, 0, 0], [1, 1, 1], 1.0, id="always worse"),
        pytest.param([3, 1, 1, 0], [0, 0, 0, 2], 5 / 16, id="mostly better"),
        pytest.param([1, 0], [0, 1], 3 / 4, id="once each"),
        pytest.param([5, 5], [5, 5], 1.0, id="equal"),
    ],
)
def test_p_values_are_those_of_all_swaps(first, second, p):
    scores = np.array([first, second], float)

    assert enumerated_p(first, second) == p
    assert permutation_p_values(scores, draws=100_000)[0, 1] == pytest.approx(p, abs=0.006)


@pytest.mark.parametrize("seed", range(4))
def test_all_swaps_of_ten_segments_come_near_the_limit(seed):
    first, second = np.random.default_rng(seed).normal(size=(2, 10))
    d = first - second

    p = limit_p_values(d.sum(), (d * d).sum())

    assert float(p) == pytest.approx(enumerated_p(first, second), abs=0.02)


def test_systems_that_never_differ_have_the_p_value_1():
    assert limit_p_values(np.array([0.0, 3.0]), np.array([0.0, 3.0])) == pytest.approx(
        [1.0, 0.0416], abs=1e-4
    )


@pytest.fixture
def contest(observe):
    """Five systems in 60 segments; better systems score higher on average."""
    rng = np.random.default_rng(4)
    rating = np.arange(5) / 3 + 2 * rng.normal(size=(60, 5))
    noisy = rating + 2 * rng.normal(size=(60, 5))
    return by_system(observe, rating, m=rating + rng.normal(size=(60, 5)), noisy=noisy)


def by_system(observe, rating, **scores):
    segments, systems = rating.shape
    rows = np.arange(segments * systems)
    return observe(
        {name: values.ravel() for name, values in scores.items()},
        segment=rows // systems,
        rating=rating.ravel(),
        members=np.stack([rows, rows % systems], axis=1),
        systems=tuple("abcdefghi"[:systems]),
    )


def exact_value(human, metric):
    """Compare the limits of p pair by pair: (systems, segments)."""
    apart = []
    for first in range(len(human)):
        for second in range(first + 1, len(human)):
            p = []
            for scores in (human, metric):
                d = scores[first] - scores[second]
                d = d[np.isfinite(d)]
                p.append(limit_p_values(d.sum(), (d * d).sum()))
            apart.append(abs(p[0] - p[1]))
    return 1 - np.mean(apart)


def columns(observed, name="m"):
    rating = observed.candidates.rating.reshape(-1, 5).T
    return rating, observed.scores[name].reshape(-1, 5).T


def test_the_value_is_the_mean_over_pairs_and_near_that_of_wmt(contest):
    found, _ = estimate(correlation(SoftPairwise(), ["m"]), contest)
    human, metric = columns(contest)

    assert found.value == pytest.approx(exact_value(human, metric), abs=1e-12)
    assert found.value == pytest.approx(soft_pairwise_accuracy(human, metric, 100_000), abs=0.005)
    assert found.low < found.value < found.high <= 1


def test_draws_equal_resampled_segments(contest):
    statistic = correlation(SoftPairwise(), ["m"])
    drawn = next(bootstrap_weights(60, 20, seed=1, step=20))
    human, metric = columns(contest)
    exact = [
        exact_value(*(np.repeat(scores, weights.astype(int), axis=1) for scores in (human, metric)))
        for weights in drawn
    ]

    assert statistic.value(drawn @ statistic.sums(contest)) == pytest.approx(exact, abs=1e-12)


def test_systems_are_compared_on_the_segments_that_both_have(observe):
    rng = np.random.default_rng(3)
    rating, scores = rng.normal(size=(2, 50, 5)) + np.arange(5) / 4
    rating[:20, 1] = np.nan
    scores[10:30, 3] = np.nan
    observed = by_system(observe, rating, m=scores)
    missing = np.isnan(rating) | np.isnan(scores)
    human, metric = (np.where(missing, np.nan, values).T for values in (rating, scores))

    found, _ = estimate(correlation(SoftPairwise(), ["m"]), observed, draws=0)

    assert found.value == pytest.approx(exact_value(human, metric), abs=1e-12)
    assert found.segments == 50


def test_several_outputs_of_a_system_count_as_their_mean(observe):
    rng = np.random.default_rng(3)
    rating, scores = rng.normal(size=(2, 40, 3)) + np.arange(3) / 2
    whole = by_system(observe, rating, m=scores)
    shift = np.tile([-1.0, 1.0], 120)
    twice = observe(
        {"m": np.repeat(scores.ravel(), 2) + shift},
        segment=np.arange(240) // 6,
        rating=np.repeat(rating.ravel(), 2) - shift,
        members=np.stack([np.arange(240), np.arange(240) // 2 % 3], axis=1),
        systems=("a", "b", "c"),
    )
    values = [
        estimate(correlation(SoftPairwise(), ["m"]), observed, draws=0)[0].value
        for observed in (whole, twice)
    ]

    assert values[0] == pytest.approx(values[1], abs=1e-12)


def test_differences_that_are_rounding_errors_are_none(observe):
    rng = np.random.default_rng(3)
    rating = rng.normal(size=(40, 3))
    flat = np.full((40, 3), 0.5)
    flat[:, 2] = rng.normal(size=40)
    rounded = flat + 1e-9 * rng.normal(size=(40, 3))
    observed = by_system(observe, rating, flat=flat, rounded=rounded)
    flat, rounded = (
        estimate(correlation(SoftPairwise(), [name]), observed, draws=0)[0].value
        for name in ("flat", "rounded")
    )

    assert flat == pytest.approx(rounded, abs=1e-6)


@pytest.mark.parametrize(
    ("rating", "scores", "note"),
    [
        pytest.param(1.0, None, "all 160 ratings are 1.000", id="ratings"),
        pytest.param(None, 0.9, "all 160 scores are 0.900", id="scores"),
    ],
)
def test_what_is_constant_agrees_with_nothing(rating, scores, note, observe):
    varied = np.random.default_rng(2).normal(size=(40, 4))
    given = [varied if value is None else np.full((40, 4), value) for value in (rating, scores)]
    found, _ = estimate(
        correlation(SoftPairwise(), ["m"]), by_system(observe, given[0], m=given[1])
    )

    assert found.value is None
    assert found.note == note


def test_two_systems_are_too_few(observe):
    rating, scores = np.random.default_rng(2).normal(size=(2, 40, 2))
    observed = by_system(observe, rating, m=scores)
    found, _ = estimate(correlation(SoftPairwise(), ["m"]), observed)

    assert found.value is None
    assert found.note == "2 systems of at least 3"


def test_candidates_of_unknown_systems_cannot_be_compared(observe):
    rating, scores = np.random.default_rng(2).normal(size=(2, 40))
    found, _ = estimate(
        correlation(SoftPairwise(), ["m"]), observe({"m": scores}, rating=rating), draws=100
    )

    assert found.value is None
    assert found.note == "no candidate has both a score and a judgement"


def test_a_drop_is_the_difference_of_two_accuracies(contest):
    accuracies = [correlation(SoftPairwise(), [name]) for name in ("m", "noisy")]
    clean, noisy, drop = resample([*accuracies, difference(*accuracies)], contest)

    assert drop.estimate.value == pytest.approx(clean.estimate.value - noisy.estimate.value)
    assert drop.estimate.low < drop.estimate.value < drop.estimate.high


def test_the_interval_reaches_as_far_as_new_data_of_the_same_size(contest):
    statistic = correlation(SoftPairwise(), ["m"])
    (sample,) = resample([statistic], contest, draws=2_000)
    sums = statistic.sums(contest)
    total = sums.sum(axis=0)
    drawn = np.concatenate(list(bootstrap_weights(60, 2_000, (0, 0)))) @ sums
    as_new = total + 2**0.5 * (drawn - total)
    as_new[:, 1::2] = np.maximum(as_new[:, 1::2], total[1::2] / 4)
    low, high, _, _ = expanded(statistic.value(as_new), 0.95, 60)
    value = sample.estimate.value

    assert sample.estimate.method == PREDICTION
    assert sample.estimate.low == pytest.approx(min(low, 2 * value - high), abs=1e-9)
    assert sample.estimate.high == pytest.approx(min(1, max(high, 2 * value - low)), abs=1e-9)


@pytest.mark.parametrize(
    ("moved", "reach"),
    [pytest.param(1e-6, 0.01, id="hardly"), pytest.param(0.0, 0.0, id="not at all")],
)
def test_a_prediction_from_draws_that_move(moved, reach):
    draws = np.linspace(0.5 - moved, 0.5 + moved, 100)

    assert prediction(draws, 0.5, 0.95, 60)[:2] == pytest.approx((0.5 - reach, 0.5 + reach))


def test_the_share_that_is_kept_is_predicted_too(contest):
    compared = ComparedScores("m", (0.3,), (("noisy",),))
    kept = Retention(weighted_correlation(SoftPairwise(), compared, (0, 1)))
    found, _ = estimate(kept, contest)

    assert found.method == PREDICTION


def test_p_follows_from_the_interval(contest):
    (sample,) = resample([correlation(SoftPairwise(), ["m"])], contest)
    inside, outside = sample.estimate.high - 0.01, sample.estimate.high + 0.01

    assert p_value(Bounds(low=inside), sample) > 0.025
    assert p_value(Bounds(low=outside), sample) < 0.025


def test_it_is_asked_for_by_name():
    expectation = EXPECTATIONS["correlation"].model_validate(
        {"coefficient": "soft-pairwise", "by": "system", "at_least": 0.8}
    )

    assert expectation.coefficient == "soft-pairwise between systems"
    assert expectation.rule.startswith("p-values of pairs of systems")
    assert not expectation.more_segments_help


@pytest.mark.realdata
@pytest.mark.parametrize("name", ["chrF", "BERTScore"])
def test_the_limit_is_within_the_error_of_random_swaps_on_real_data(name, real, observe):
    segments, candidates = real("wmt21-flores-hi-bn")
    judged = [
        {system: (c.rating, c.scores[name]) for c in segment.candidates for system in c.systems}
        for segment in segments
        if all(c.rating is not None for c in segment.candidates)
    ]
    whole = [one for one in judged if len(one) == len(candidates.systems)]
    table = np.array([[one[system] for system in candidates.systems] for one in whole])
    human, metric = table[:, :, 0].T, table[:, :, 1].T
    observed = by_system(observe, human.T, m=metric.T)
    found, _ = estimate(correlation(SoftPairwise(), ["m"]), observed, draws=0)
    first, second = np.triu_indices(len(human), 1)
    d = human[first] - human[second]
    p = limit_p_values(d.sum(axis=1), (d * d).sum(axis=1))
    drawn = permutation_p_values(human, DRAWS)

    assert len(whole) > 100
    assert p == pytest.approx(above_diagonal(drawn), abs=4 * (0.25 / DRAWS) ** 0.5)
    assert found.value == pytest.approx(soft_pairwise_accuracy(human, metric, DRAWS), abs=0.001)
