"""Groups, seeds, swaps, stored runs and plans."""

import numpy as np
import pytest
from scipy import stats

from shakeproof.results import Bounds, Estimate, Verdict
from shakeproof.stats.compare import (
    StoredEstimate,
    compare_estimates,
    worse_direction,
)
from shakeproof.stats.difference_tests import permutation_p, williams_p, williams_t
from shakeproof.stats.estimate import resample
from shakeproof.stats.heterogeneity import heterogeneity, seeds_share
from shakeproof.stats.intervals import stretch
from shakeproof.stats.kinds.agreement import correlation, difference
from shakeproof.stats.kinds.coefficients import Pearson
from shakeproof.stats.kinds.pairs import WmtKendall
from shakeproof.stats.kinds.scores import MeanScore
from shakeproof.stats.observations import Candidates, Observations
from shakeproof.stats.power import (
    PENALTIES,
    detectable,
    influence_se,
    mean_over,
    pair_change,
    pair_level,
    row_change,
    row_level,
)


def with_error(value, se):
    return Estimate(value=value, low=value - 1.96 * se, high=value + 1.96 * se)


def test_q_weighs_distances_by_errors():
    found = heterogeneity([with_error(0.037, 0.02), with_error(-0.035, 0.018)])

    assert found.q == pytest.approx(0.072**2 / (0.02**2 + 0.018**2), rel=1e-3)
    assert found.freedom == 1
    assert found.p == pytest.approx(stats.chi2.sf(found.q, 1))


@pytest.mark.parametrize(
    "groups",
    [
        pytest.param([with_error(0.1, 0.02)], id="one group"),
        pytest.param([with_error(0.1, 0.02), Estimate(value=None)], id="an undefined group"),
        pytest.param([with_error(0.1, 0.02), with_error(0.1, 0.0)], id="no error"),
    ],
)
def test_q_needs_groups_with_intervals(groups):
    assert heterogeneity(groups) is None


@pytest.mark.parametrize("share", [0.0, 0.3, 0.9])
def test_the_share_of_variance_due_to_seeds_is_recovered(share):
    rng = np.random.default_rng(1)
    segments = np.sqrt(1 - share) * rng.normal(size=20_000)
    psi = segments + np.sqrt(share) * rng.normal(size=(5, 20_000))

    assert seeds_share(psi) == pytest.approx(share, abs=0.02)


def test_one_seed_has_no_share():
    assert np.isnan(seeds_share(np.ones((1, 40))))


@pytest.mark.parametrize("coefficient", [Pearson(), WmtKendall(rating_gap=1)])
def test_swapping_finds_a_difference_and_none_where_there_is_none(coefficient, observations):
    rng = np.random.default_rng(0)
    quality = observations.scores["clean"]
    observations.scores["twin"] = quality + 1e-3 * rng.normal(size=300)
    observations.scores["worse"] = quality + 3 * rng.normal(size=300)
    clean, twin, worse = (correlation(coefficient, [name]) for name in ("clean", "twin", "worse"))

    assert permutation_p(clean, worse, observations, draws=999, seed=0) < 0.01
    assert permutation_p(clean, twin, observations, draws=999, seed=0) > 0.05


def test_swapping_is_right_under_exchangeability():
    rng = np.random.default_rng(3)
    p = []
    candidates = Candidates(
        segments=40,
        segment=np.repeat(np.arange(40), 3),
        rating=rng.normal(size=120),
        pairs=np.empty((0, 2), np.int64),
        group=np.zeros(40, np.int64),
    )
    for _ in range(200):
        scores = {name: candidates.rating + rng.normal(size=120) for name in ("a", "b")}
        a, b = (correlation(Pearson(), [name]) for name in scores)
        p.append(permutation_p(a, b, Observations(candidates, scores, {}), draws=199, seed=1))

    assert np.mean(np.array(p) <= 0.05) < 0.1
    assert 0.4 < np.mean(p) < 0.6


def test_only_what_pairs_up_can_be_swapped(observations):
    one = correlation(Pearson(), ["clean"])
    two = difference(one, correlation(Pearson(), ["noisy"]))

    with pytest.raises(ValueError, match="pair up"):
        permutation_p(one, two, observations, draws=10, seed=0)


def test_williams_t_is_as_worked_by_hand():
    # k = 1 - .36 - .16 - .25 + .24 = .47; spread = .94 * 52 / 50 + .125 / 4 = 1.00885
    by_hand = 0.2 * (52 * 1.5 / 1.00885) ** 0.5

    assert williams_t(0.6, 0.4, 0.5, 53) == pytest.approx(by_hand)


def test_williams_is_refused_where_segments_have_several_candidates(observations):
    with pytest.raises(ValueError, match="bootstrap over segments"):
        williams_p("clean", "noisy", observations)


def test_williams_agrees_with_the_bootstrap_on_single_candidates(observe):
    rng = np.random.default_rng(2)
    rating = rng.normal(size=400)
    scores = {"a": rating + rng.normal(size=400), "b": rating + 1.4 * rng.normal(size=400)}
    observed = observe(scores, rating=rating)
    ahead = difference(correlation(Pearson(), ["a"]), correlation(Pearson(), ["b"]))
    (sample,) = resample([ahead], observed)
    z = sample.estimate.value / sample.se

    assert williams_p("a", "b", observed) == pytest.approx(2 * stats.norm.sf(z), rel=0.5)


@pytest.fixture
def stored(observe):
    rng = np.random.default_rng(6)
    scores = rng.normal(size=200)
    noise = 0.1 * rng.normal(size=200)

    def run(shift):
        observed = observe({"m": scores + shift + (noise if shift else 0)})
        (sample,) = resample([MeanScore(("m",))], observed, draws=10)
        return StoredEstimate(sample.estimate.value, sample.influence)

    return run


def test_a_baseline_is_compared_in_pairs(stored):
    found = compare_estimates(stored(0.0), stored(0.1), direction=1, allowed=0.05)

    assert found.regressed
    assert found.estimate.value == pytest.approx(0.1, abs=0.02)
    assert found.estimate.high - found.estimate.low == pytest.approx(4 * 0.1 / 200**0.5, rel=0.15)
    assert found.judgement.message.startswith("worse by 0.")


def test_documents_that_change_as_one_are_compared_as_one(observe):
    rng = np.random.default_rng(4)
    document, scores = np.repeat(np.arange(40), 5), rng.normal(size=200)
    shifted = scores + 0.1 * rng.normal(size=40)[document]
    widths = []
    for cluster in (None, document):
        then, now = (
            resample([MeanScore(("m",))], observe({"m": values}, cluster=cluster), draws=0)[0]
            for values in (scores, shifted)
        )
        old, new = (StoredEstimate(one.estimate.value, one.influence) for one in (then, now))
        found = compare_estimates(old, new, direction=1, allowed=0.05).estimate
        widths.append((found.high - found.low) / stretch(found.segments))

    assert widths[1] == pytest.approx(widths[0] * np.sqrt(5), rel=0.1)


@pytest.mark.parametrize(
    ("shift", "direction", "verdict", "improved"),
    [
        pytest.param(0.1, -1, Verdict.PASS, True, id="better"),
        pytest.param(0.03, 1, Verdict.PASS, False, id="worse, within the tolerance"),
        pytest.param(0.05, 1, Verdict.INCONCLUSIVE, False, id="worse, about the tolerance"),
        pytest.param(0.1, 0, Verdict.FAIL, False, id="changed where any change is harm"),
    ],
)
def test_only_changes_beyond_the_tolerance_regress(shift, direction, verdict, improved, stored):
    found = compare_estimates(stored(0.0), stored(shift), direction=direction, allowed=0.05)

    assert found.judgement.verdict is verdict
    assert found.improved is improved


def test_the_same_run_is_unchanged(stored):
    found = compare_estimates(stored(0.0), stored(0.0), direction=1, allowed=0.0)

    assert found.judgement.message.startswith("unchanged at ")
    assert found.estimate is None
    assert not found.regressed


def test_other_segments_are_not_comparable(stored):
    old, new = stored(0.0), stored(0.1)
    gap = new.influence.copy()
    gap[3] = np.nan

    with pytest.raises(ValueError, match="199 segments then, 200 now"):
        compare_estimates(StoredEstimate(0.0, old.influence[1:]), new, direction=1, allowed=0.0)
    with pytest.raises(ValueError, match="other segments count"):
        compare_estimates(old, StoredEstimate(0.0, gap), direction=1, allowed=0.0)


def test_harm_lies_beyond_the_bound():
    assert worse_direction(Bounds(high=0.1)) == 1
    assert worse_direction(Bounds(low=0.1)) == -1
    assert worse_direction(Bounds(low=-0.1, high=0.1)) == 0


def test_plans_name_the_smallest_drop_that_is_found(observations):
    (sample,) = resample([correlation(Pearson(), ["clean"])], observations)

    assert detectable(0.01, 1_000_000) == pytest.approx(0.028, abs=1e-4)
    assert detectable(0.01, 100) == pytest.approx(0.01 * (1.9842 * 1.1 + 0.8416), abs=1e-5)
    assert influence_se(sample.influence) == pytest.approx(sample.se, rel=0.05)


@pytest.mark.parametrize(
    ("guessed", "by_hand"),
    [
        pytest.param(pair_change(9_728), (0.0064, 0.0157), id="a Kendall-like drop"),
        pytest.param(pair_level(9_728), (0.0124, 0.0190), id="a Kendall-like correlation"),
        pytest.param(row_change(7_159), (0.0052, 0.0164), id="a drop of r"),
        pytest.param(row_level(7_159), (0.0093, 0.0221), id="r itself"),
        pytest.param(mean_over(761, PENALTIES), (0.054, 0.127), id="a penalty for a copy"),
    ],
)
def test_guessed_errors_are_as_worked_by_hand(guessed, by_hand):
    assert guessed == pytest.approx(by_hand, rel=0.01)
