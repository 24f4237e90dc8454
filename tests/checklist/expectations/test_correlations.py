"""Expectations about correlations: under noise, in groups, and against other metrics."""

import numpy as np
import pytest
from compared_scores import COMPARED

from shakeproof.expectations import EXPECTATIONS
from shakeproof.expectations.assess import assess
from shakeproof.results import Verdict
from shakeproof.stats.observations import ComparedScores


def test_a_drop_is_shown_with_its_curve(check):
    found = check("correlation_drop", at_most=0.05)
    parts = {part.name: part for part in found.parts}

    assert found.judgement.verdict is Verdict.FAIL
    assert found.judgement.message.startswith("drop 0.")
    assert found.judgement.p < 0.025
    assert (parts["clean"].level, parts["perturbed"].level) == (0.0, 0.3)
    difference = parts["clean"].estimate.value - parts["perturbed"].estimate.value
    assert found.estimate.value == pytest.approx(difference)


@pytest.mark.parametrize(("at_least", "verdict"), [(0.5, Verdict.PASS), (0.99, Verdict.FAIL)])
@pytest.mark.parametrize("name", ["retention", "retention_area"])
def test_retention_is_stated_as_a_ratio(name, at_least, verdict, check):
    found = check(name, at_least=at_least)
    names = {"retention": "retention", "retention_area": "area under retention"}
    share = next(part for part in found.parts if part.name == names[name])

    assert found.judgement.verdict is verdict
    assert found.judgement.message.startswith(f"{share.name} 0.")
    assert (found.estimate.value > 0) == (share.estimate.value > at_least)


def test_retention_of_no_correlation_is_undefined(check, observe):
    rng = np.random.default_rng(0)
    scores = {name: rng.normal(size=200) for name in ("clean", "noisy")}
    observed = observe(scores, segment=np.repeat(np.arange(40), 5), rating=rng.normal(size=200))
    found = assess(EXPECTATIONS["retention"](at_least=0.5), COMPARED, observed, draws=1_000)

    assert "retention undefined: clean correlation" in found.judgement.message
    assert found.judgement.advice == ""
    assert not any(part.name == "retention" for part in found.parts)


@pytest.mark.parametrize(
    ("name", "settings"),
    [
        pytest.param("correlation", {"at_least": 0.0}, id="a correlation"),
        pytest.param("correlation_drop", {"at_most": 0.5}, id="a drop"),
        pytest.param("more_robust_than", {"metric": "other"}, id="two metrics, over levels"),
    ],
)
def test_every_correlation_shows_the_share_that_each_level_keeps(name, settings, check):
    parts = check(name, **settings).parts
    clean = next(part.estimate.value for part in parts if part.name == "clean")
    perturbed = {part.level: part.estimate.value for part in parts if part.name == "perturbed"}
    kept = {part.level: part.estimate.value for part in parts if part.name == "retention"}

    assert kept == pytest.approx({level: value / clean for level, value in perturbed.items()})
    assert any(part.name == "area under retention" for part in parts) == (len(perturbed) > 1)


def test_the_area_is_the_mean_height_of_the_curve(check):
    found = check("retention_area", at_least=0.5)
    height = {
        part.level: part.estimate.value
        for part in found.parts
        if part.name in ("clean", "perturbed")
    }
    mean = (height[0.0] / 2 + height[0.3] + height[0.6] / 2) / 2
    share = next(part for part in found.parts if part.name == "area under retention")

    assert share.estimate.value == pytest.approx(mean / height[0.0])


def test_a_metric_that_keeps_its_order_is_more_robust(check):
    found = check("more_robust_than", metric="other")
    tests = [part for part in found.parts if part.name.startswith("p of no difference")]

    assert found.judgement.verdict is Verdict.PASS
    assert len(tests) == 2
    assert all(part.estimate.value < 0.01 for part in tests)


def test_no_metric_is_more_robust_than_its_equal(observe):
    rng = np.random.default_rng(0)
    scores = {name: rng.normal(size=200) for name in ("clean", "noisy")}
    observed = observe(scores, segment=np.repeat(np.arange(40), 5), rating=rng.normal(size=200))
    compared = ComparedScores("clean", (0.3,), (("noisy",),), {"other": COMPARED})
    found = assess(EXPECTATIONS["more_robust_than"](metric="other"), compared, observed, draws=200)

    assert found.estimate.high == 0
    assert found.judgement.verdict is Verdict.FAIL


def test_a_good_metric_beats_a_random_yardstick_and_not_its_equal(observe):
    rng = np.random.default_rng(4)
    rating = rng.normal(size=200)
    scores = {"clean": rating + rng.normal(size=200), "random": rng.normal(size=200)}
    observed = observe(scores, rating=rating)
    compared = ComparedScores(
        "clean", others={"random": ComparedScores("random"), "twin": ComparedScores("clean")}
    )
    random, twin = (
        assess(EXPECTATIONS["beats_yardsticks"](yardsticks=names), compared, observed, draws=500)
        for names in (["random"], ["random", "twin"])
    )
    methods = {part.estimate.method for part in random.parts if part.name.startswith("p of no")}

    assert random.judgement.verdict is Verdict.PASS
    assert methods == {"permutation", "Williams"}
    assert twin.judgement.verdict is Verdict.FAIL
    assert twin.judgement.message.startswith("over twin: advantage 0.000")


def test_slices_are_judged_one_by_one(check):
    found = check("correlation_in_slices", slices_by="third", slices=3, at_least=0.0)
    slices = [part for part in found.parts if part.name.startswith("third ")]

    assert found.judgement.verdict is Verdict.PASS
    assert [part.name for part in slices] == ["third 1 of 3", "third 2 of 3", "third 3 of 3"]


def test_groups_may_be_judged_one_by_one(observe):
    rng = np.random.default_rng(1)
    rating = rng.normal(size=400)
    error = np.repeat([0.2, 8.0], 200) * rng.normal(size=400)
    observed = observe(
        {"clean": rating + error},
        segment=np.repeat(np.arange(80), 5),
        rating=rating,
        group=np.repeat([0, 1], 40),
    )
    mean, each = (
        assess(
            EXPECTATIONS["correlation"](at_least=0.4, **more),
            ComparedScores("clean"),
            observed,
            draws=1_000,
        )
        for more in ({}, {"each": "group"})
    )
    heterogeneity = next(part for part in mean.parts if part.name == "heterogeneity")

    assert mean.judgement.verdict is Verdict.PASS
    assert each.judgement.verdict is Verdict.FAIL
    assert each.judgement.message.startswith("g1: correlation ")
    assert heterogeneity.estimate.value > 10
    assert [part.group for part in mean.parts if part.group] == ["g0", "g1"]


def test_the_share_of_variance_due_to_seeds_is_shown(observe):
    rng = np.random.default_rng(7)
    rating = rng.normal(size=300)
    clean = rating + rng.normal(size=300)
    scores = {"clean": clean} | {f"s{k}": clean + rng.normal(size=300) for k in range(4)}
    observed = observe(scores, segment=np.repeat(np.arange(60), 5), rating=rating)
    compared = ComparedScores("clean", (0.3,), (("s0", "s1", "s2", "s3"),))
    found = assess(EXPECTATIONS["correlation_drop"](at_most=0.5), compared, observed, draws=200)
    share = next(part for part in found.parts if part.name == "variance due to seeds")

    assert 0.2 < share.estimate.value < 1


@pytest.mark.parametrize("by", ["candidate", "segment"])
@pytest.mark.parametrize("coefficient", ["pearson", "spearman", "tau-b"])
def test_coefficients_are_offered_over_all_and_within_segments(coefficient, by, check):
    found = check("correlation_drop", coefficient=coefficient, by=by, at_most=0.0)

    assert found.judgement.verdict is Verdict.FAIL


def test_accuracy_shows_its_ties_and_the_drop_at_own_thresholds(check):
    found = check("correlation_drop", coefficient="acc-eq", at_most=0.5)
    names = {part.name for part in found.parts}

    assert {"ties, clean", "ties, perturbed", "drop at own thresholds"} <= names


def test_squeezed_scores_lose_scale_and_not_order(observe):
    rng = np.random.default_rng(3)
    rating = np.round(rng.normal(size=600))
    clean = rating + 0.3 * rng.normal(size=600)
    observed = observe(
        {"clean": clean, "noisy": clean / 50}, segment=np.repeat(np.arange(100), 6), rating=rating
    )
    settings = {"coefficient": "acc-eq", "at_most": 0.05}
    found = assess(EXPECTATIONS["correlation_drop"](**settings), COMPARED, observed, draws=500)

    assert found.judgement.verdict is Verdict.FAIL
    assert "; scale, not order: drop 0.000 [" in found.judgement.message
