"""What intervals allow for: changes that no segment at hand shows, and noise in means."""

import numpy as np
import pytest
from compared_scores import COMPARED

from shakeproof.expectations import EXPECTATIONS
from shakeproof.expectations.assess import assess
from shakeproof.results import Bounds, Verdict
from shakeproof.stats.estimate import resample
from shakeproof.stats.intervals import RULE_OF_THREE
from shakeproof.stats.kinds.agreement import correlation, difference
from shakeproof.stats.kinds.coefficients import Pearson, Spearman
from shakeproof.stats.kinds.pairs import WmtKendall
from shakeproof.stats.kinds.ranks import Within
from shakeproof.stats.kinds.scores import Shift
from shakeproof.stats.kinds.systems import BySystem
from shakeproof.stats.pvalues import p_value

SEGMENT = np.repeat(np.arange(40), 3)
CLEAN = np.tile([0.0, 1.0, 2.0], 40)
SHARE = 1 - 0.025 ** (1 / 40)  # of segments that may change although none of 40 does


@pytest.fixture
def nearly_alike(observe):
    """Make 40 segments whose scores change, but not their order."""
    scores = {"clean": CLEAN, "noisy": 0.9 * CLEAN}
    return observe(scores, segment=SEGMENT, rating=CLEAN)


@pytest.mark.parametrize(
    ("coefficient", "largest"),
    [
        pytest.param(WmtKendall(rating_gap=1), 2, id="pairs"),
        pytest.param(Within(), 2, id="tau within segments"),
    ],
)
def test_a_drop_that_no_segment_shows_has_the_interval_of_the_rule_of_three(
    coefficient, largest, nearly_alike
):
    drop = difference(correlation(coefficient, ["clean"]), correlation(coefficient, ["noisy"]))
    (sample,) = resample([drop], nearly_alike, draws=100)

    assert sample.estimate.value == 0
    assert sample.estimate.high == pytest.approx(largest * SHARE)
    assert sample.estimate.low == pytest.approx(-largest * SHARE)
    assert sample.estimate.method == RULE_OF_THREE
    assert "no judgement changed here" in sample.estimate.note


@pytest.mark.parametrize(
    ("allowed", "verdict"),
    [
        pytest.param(0.05, Verdict.INCONCLUSIVE, id="within what may change"),
        pytest.param(0.2, Verdict.PASS, id="beyond what may change"),
    ],
)
def test_only_bounds_beyond_what_may_change_unseen_pass(allowed, verdict, nearly_alike):
    expected = EXPECTATIONS["correlation_drop"](
        coefficient="wmt-kendall", rating_gap=1, at_most=allowed
    )
    judgement = assess(expected, COMPARED, nearly_alike, draws=100).judgement

    assert judgement.verdict is verdict
    assert ("at least 150 segments are needed" in judgement.advice) == (allowed == 0.05)


def test_retention_allows_for_unseen_changes_too(nearly_alike):
    kept = EXPECTATIONS["retention"](coefficient="wmt-kendall", rating_gap=1, at_least=0.95)

    assert assess(kept, COMPARED, nearly_alike, draws=100).judgement.verdict is Verdict.INCONCLUSIVE


def test_a_metric_that_gives_the_same_scores_passes(observe):
    observed = observe({"clean": CLEAN, "noisy": CLEAN}, segment=SEGMENT, rating=CLEAN)
    expected = EXPECTATIONS["correlation_drop"](
        coefficient="wmt-kendall", rating_gap=1, at_most=0.0
    )

    assert assess(expected, COMPARED, observed, draws=100).judgement.verdict is Verdict.PASS
    (change,) = resample([Shift("clean", ("noisy",))], observed, draws=100)
    assert (change.estimate.low, change.estimate.high) == (0, 0)


def systems(observe, noise):
    """Make 60 segments with the outputs of 5 systems, and scores with this much noise."""
    rng = np.random.default_rng(3)
    system = np.tile(np.arange(5.0), 60)
    return observe(
        {"m": system + noise * rng.normal(size=300)},
        segment=np.repeat(np.arange(60), 5),
        rating=system + noise * rng.normal(size=300),
        members=np.stack([np.arange(300), system.astype(int)], axis=1),
        systems=tuple("abcde"),
    )


@pytest.mark.parametrize("kind", ["pearson", "spearman", "tau-b"])
def test_a_correlation_of_noisy_means_may_be_one(kind, observe):
    (sample,) = resample([correlation(BySystem(kind), ["m"])], systems(observe, 12.0), draws=1_000)

    assert sample.estimate.value < 1
    assert sample.estimate.high == 1
    assert "too noisy" in sample.estimate.note
    assert p_value(Bounds(low=0.9999), sample) > 0.025


def test_a_correlation_of_other_means_may_not_be_one(observe):
    observed = systems(observe, 0.2)
    other = np.tile([0.0, 3.0, 1.0, 2.0, 4.0], 60)
    observed.scores["m"][:] = other + 0.01 * observed.scores["m"]
    (sample,) = resample([correlation(BySystem(), ["m"])], observed, draws=1_000)

    assert sample.estimate.high < 0.75


def test_pooled_pearson_is_widened_more_than_ranks(observations):
    pearson, spearman = (
        resample([correlation(coefficient, ["noisy"])], observations)[0].pivots
        for coefficient in (Pearson(), Spearman())
    )

    assert (pearson.stretch, spearman.stretch) == (3, 1)
