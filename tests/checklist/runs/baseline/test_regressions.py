"""A run against a stored one: a clear loss fails, a gain passes, other questions do not compare."""

import pytest
from baseline_runs import CASED, CHECKLIST, WORSE, by_check

from shakeproof.errors import SpecError

SWAP = "swap: {on: candidate, levels: [1.0]}"


def test_the_same_run_again_is_unchanged(run):
    found = run(baseline=run())

    assert {one.outcome for one in found.results} == {"passed"}
    assert all(one.message.endswith("stored.json: unchanged") for one in found.results)
    assert [one.change.estimate.value for one in found.results] == [0.0, 0.0]
    assert found.baseline.endswith("stored.json")


def test_a_loss_whose_whole_interval_is_beyond_the_tolerance_fails_though_bounds_hold(run):
    found = by_check(run(WORSE, baseline=run()))["agreement"]

    assert (found.outcome, found.verdict) == ("failed", "pass")
    assert found.message.startswith("worse by 0.")
    assert "> 0.005 allowed since" in found.message
    assert found.change.estimate.high < -0.005


def test_where_less_is_better_a_rise_is_the_regression(run):
    found = by_check(run(CASED, baseline=run()))["capitals do not matter"]

    assert found.outcome == "failed"
    assert "> 0.05 allowed since" in found.message
    assert found.change.estimate.low > 0.05


def test_the_checklist_may_set_the_tolerance(run):
    lenient = CHECKLIST.replace("draws", "tolerance: {correlation: 2, spread: 0.5}\ndraws")
    worse = by_check(run(WORSE, lenient, baseline=run()))["agreement"]
    cased = by_check(run(CASED, lenient, baseline=run()))["capitals do not matter"]

    assert (worse.outcome, worse.change.estimate.high < -0.005) == ("passed", True)
    assert cased.outcome == "failed"
    assert "> 0.50 allowed since" in cased.message


@pytest.mark.parametrize(
    ("written", "mistake"),
    [
        pytest.param("{corelation: 0.1}", "did you mean 'correlation'", id="misspelt"),
        pytest.param("{spread: -1}", "spread must be at least 0, got -1", id="negative"),
        pytest.param("0.1", "tolerance must be a mapping, got 0.1", id="a number"),
    ],
)
def test_a_tolerance_that_is_none_is_refused(run, written, mistake):
    with pytest.raises(SpecError, match=mistake):
        run(text=CHECKLIST.replace("draws", f"tolerance: {written}\ndraws"))


def test_documents_are_compared_whole_where_they_are_drawn_whole(run):
    clustered = CHECKLIST.replace("draws", "cluster: domain\ndraws")
    alone, whole = (
        by_check(run(CASED, text, baseline=run(text=text)))["agreement"].change.estimate
        for text in (CHECKLIST, clustered)
    )

    assert (alone.segments, whole.segments) == (96, 24)
    assert alone.value == pytest.approx(whole.value)


def test_other_documents_are_not_comparable(run):
    found = run(text=CHECKLIST.replace("draws", "cluster: domain\ndraws"), baseline=run())

    assert "other segments are resampled together" in by_check(found)["agreement"].message


def test_a_gain_passes_and_says_so_with_what_else_the_metric_is_now(run):
    found = by_check(run(baseline=run(WORSE)))["agreement"]

    assert found.outcome == "passed"
    assert "stored.json: better by 0." in found.message
    assert "metric settings changed: " in found.message
    assert (found.change.kind, found.change.estimate.low > 0) == ("better", True)


@pytest.mark.parametrize(
    ("before", "after", "reason"),
    [
        pytest.param("language: en", "language: en\nseed: 3", "another seed", id="seed"),
        pytest.param("pearson", "spearman", "another quantity", id="coefficient"),
        pytest.param("pearson,", "pearson, tie: 0.1,", "other settings", id="settings"),
    ],
)
def test_another_question_is_not_comparable_and_says_why(run, before, after, reason):
    found = by_check(run(WORSE, CHECKLIST.replace(before, after), baseline=run()))["agreement"]

    assert found.outcome == "passed"
    assert f"not comparable with {found.message.split('with ')[1]}" in found.message
    assert reason in found.message
    assert found.change.kind == "not comparable"


def test_other_segments_are_not_comparable(run):
    found = by_check(run(WORSE, limit=50, baseline=run()))["agreement"]

    assert "another part of the data" in found.message


def test_another_bound_is_the_same_question(run):
    found = run(text=CHECKLIST.replace("-0.5", "-0.6"), baseline=run())

    assert by_check(found)["agreement"].message.endswith("unchanged")


def test_a_family_declared_otherwise_is_another_question(run):
    own = "families: {swap: {replace: {a: e}, keeps_meaning: true}}\nmetrics:"
    text = CHECKLIST.replace("metrics:", own).replace("upper-case: {on: candidate}", SWAP)
    found = run(text=text.replace("a: e", "a: o"), baseline=run(text=text))

    message = by_check(found)["capitals do not matter"].message
    assert "family 'swap' is declared differently" in message
