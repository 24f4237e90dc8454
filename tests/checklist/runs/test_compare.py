"""Two runs compared, check by check: what can be compared, and by how much it changed."""

import numpy as np
import pytest
from built_results import drop
from built_runs import wrap

from shakeproof.results import (
    Bounds,
    ChangeKind,
    CheckRecord,
    Estimate,
    Outcome,
    Part,
    PartName,
    Tolerance,
)
from shakeproof.runs.compare import compare_runs
from shakeproof.stats.compare import pack_influence
from shakeproof.stats.intervals import stretch


def moved(result, by, values):
    estimate = result.estimate.model_copy(update={"value": result.estimate.value + by})
    return result.model_copy(
        update={"estimate": estimate, "influence": pack_influence(np.array(values))}
    )


NOISE = [value + (-1) ** value * 0.5 for value in range(50)]


@pytest.fixture
def result():
    return drop("deep", "visual", 0.3).model_copy(
        update={"influence": pack_influence(np.arange(50))}
    )


def change(old, new, *, before=None, after=None):
    """Compare one check in two runs, whose checklist records have these changes."""
    old_run, new_run = with_record(wrap([old]), before or {}), with_record(wrap([new]), after or {})
    return compare_runs(old_run, new_run).results[0].change


def with_record(run, update):
    return run.model_copy(update={"checklists": (run.checklists[0].model_copy(update=update),)})


def test_the_interval_is_that_of_the_paired_difference(result):
    rng = np.random.default_rng(3)
    old, new = rng.normal(size=(2, 200)).astype(np.float32)
    found = change(moved(result, 0.0, old), moved(result, 0.05, new)).estimate
    error = np.std((new - old).astype(float), ddof=1) / np.sqrt(200)

    assert found.value == pytest.approx(0.05)
    assert found.high - found.low == pytest.approx(2 * 1.9720 * error * stretch(200), rel=0.02)
    assert found.method == "studentised bootstrap"
    assert found.segments == 200


def test_segments_that_count_in_neither_run_are_left_out(result):
    values = [float("nan"), *range(49)]
    found = change(moved(result, 0.0, values), moved(result, 0.3, values)).estimate

    assert found.segments == 49
    assert found.value == pytest.approx(0.3)


@pytest.mark.parametrize(
    ("values", "reason"),
    [
        pytest.param([float("nan"), *range(49)], "other segments count now than then", id="one"),
        pytest.param([float("nan")] * 50, "other segments count now than then", id="none"),
        pytest.param(range(49), "50 segments then, 49 now", id="fewer"),
    ],
)
def test_runs_in_which_other_segments_count_are_not_comparable(result, values, reason):
    found = change(result, moved(result, 0.1, values))

    assert found.kind is ChangeKind.NOT_COMPARABLE
    assert reason in found.reason


def test_the_same_run_twice_is_unchanged(result):
    found = change(result, result)

    assert found.kind is ChangeKind.UNCHANGED
    assert found.estimate.value == 0


@pytest.mark.parametrize(
    ("bounds", "by", "kind"),
    [
        pytest.param(Bounds(high=0.1), 0.3, "worse", id="a larger drop"),
        pytest.param(Bounds(high=0.1), -0.3, "better", id="a smaller drop"),
        pytest.param(Bounds(low=0.5), 0.3, "better", id="a larger penalty"),
        pytest.param(Bounds(low=-1, high=1), 0.3, "higher", id="two bounds"),
        pytest.param(Bounds(high=0.1), 0.001, "unclear", id="too little to tell"),
    ],
)
def test_changes_are_named_by_what_was_expected(result, bounds, by, kind):
    bounded = result.model_copy(update={"bounds": bounds})
    found = change(bounded, moved(bounded, by, NOISE))

    assert found.kind is ChangeKind(kind)
    assert found.estimate.value == pytest.approx(by)


@pytest.mark.parametrize(
    ("by", "tolerance", "regressed"),
    [
        pytest.param(0.4, 0.005, True, id="worse"),
        pytest.param(0.4, 0.5, False, id="worse within the tolerance"),
        pytest.param(-0.4, 0.005, False, id="better"),
        pytest.param(0.001, 0.005, False, id="unclear"),
    ],
)
def test_a_change_beyond_the_tolerance_is_a_regression(result, by, tolerance, regressed):
    found = change(
        result,
        moved(result, by, NOISE),
        after={"tolerance": Tolerance(correlation=tolerance)},
    )

    assert found.regressed is regressed


def test_other_settings_of_the_expectation_are_not_comparable_whatever_the_bounds(result):
    before, after = (
        {result.check: CheckRecord(expectation=result.expectation, settings={"tie": tie})}
        for tie in (0.0, 0.1)
    )
    found = change(result, result, before={"checks": before}, after={"checks": after})

    assert found.kind is ChangeKind.NOT_COMPARABLE
    assert found.reason == "other settings of the expectation"


@pytest.mark.parametrize(
    ("update", "reason"),
    [
        ({"seeds": (8,)}, "other seeds"),
        ({"coefficient": "pearson"}, "another coefficient"),
        ({"unit": "raw"}, "another unit"),
        ({"stored": True}, "perturbed texts from elsewhere"),
        ({"estimate": None}, "no estimate now"),
    ],
)
def test_results_that_ask_for_other_things_are_not_comparable(result, update, reason):
    found = change(result, result.model_copy(update=update))

    assert found.kind is ChangeKind.NOT_COMPARABLE
    assert found.estimate is None
    assert found.reason == reason


@pytest.mark.parametrize(
    ("update", "reason"),
    [
        ({"seed": 8}, "another seed"),
        ({"cluster": "document"}, "other segments are resampled together"),
        ({"families": {"visual": {"rate": 0.5}}}, "family 'visual' is declared differently"),
    ],
)
def test_checklists_that_set_other_things_are_not_comparable(result, update, reason):
    assert change(result, result, after=update).reason == reason


@pytest.mark.parametrize(
    ("update", "reason"),
    [
        ({"sha256": "other"}, "other data or ratings"),
        ({"segments": 100}, "another part of the data"),
    ],
)
def test_other_data_are_not_comparable(result, update, reason):
    (data,) = wrap([result]).checklists[0].data

    assert (
        change(result, result, after={"data": (data.model_copy(update=update),)}).reason == reason
    )


def test_another_kind_of_metric_is_not_comparable(result):
    (metric,) = wrap([result]).checklists[0].metrics
    other = metric.model_copy(update={"kind": "chrf"})

    assert change(result, result, after={"metrics": (other,)}).reason == "another kind of metric"


def test_another_signature_is_compared_and_named(result):
    (metric,) = wrap([result]).checklists[0].metrics
    upgraded = metric.model_copy(update={"signature": f"{metric.signature[:-1]}9"})
    found = change(result, result, after={"metrics": (upgraded,)})

    assert found.kind is ChangeKind.UNCHANGED
    assert found.metric_changes == "metric settings changed: v:0.1.0 then, v:0.1.9 now"
    assert change(result, result).metric_changes == ""


def test_numbers_without_influence_are_compared_exactly(result):
    exact = result.model_copy(update={"influence": ""})
    found = change(exact, moved(exact, 0.1, []).model_copy(update={"influence": ""}))

    assert found.kind is ChangeKind.WORSE
    assert (found.estimate.value, found.estimate.method) == (pytest.approx(0.1), "exact")
    assert not found.regressed


def test_the_most_certain_change_comes_first(result):
    other = drop("deep", "intrude", 0.3).model_copy(
        update={"influence": pack_influence(np.arange(50))}
    )
    old = wrap([result, other])
    new = wrap([moved(result, 0.1, NOISE), moved(other, 0.4, NOISE)])

    assert [pair.new.family for pair in compare_runs(old, new).results] == ["intrude", "visual"]


def test_what_got_worse_comes_before_what_got_better(result):
    other = drop("deep", "intrude", 0.3).model_copy(
        update={"influence": pack_influence(np.arange(50))}
    )
    old = wrap([result, other])
    new = wrap([moved(result, 0.3, NOISE), moved(other, -0.4, NOISE)])
    kinds = [pair.change.kind for pair in compare_runs(old, new).results]

    assert kinds == [ChangeKind.WORSE, ChangeKind.BETTER]


@pytest.mark.parametrize("excused", [Outcome.KNOWN_FAILURE, Outcome.WARNED])
def test_a_regression_that_fails_comes_before_one_that_is_excused(result, excused):
    other = drop("deep", "intrude", 0.3).model_copy(update={"influence": result.influence})
    worse = moved(result, 0.3, NOISE).model_copy(update={"outcome": Outcome.FAILED})
    known = moved(other, 0.9, NOISE).model_copy(update={"outcome": excused})
    found = compare_runs(wrap([other, result]), wrap([known, worse])).results

    assert all(pair.change.regressed for pair in found)
    assert [pair.new.outcome for pair in found] == [Outcome.FAILED, excused]


def test_checks_of_one_run_only_are_listed(result):
    other = drop("chrf", "intrude", 0.1)
    found = compare_runs(wrap([result]), wrap([other]))

    assert (found.only_old, found.only_new, found.results) == ((result,), (other,), ())


@pytest.mark.parametrize(
    ("expectation", "name"),
    [("retention", PartName.RETENTION), ("retention_area", PartName.RETENTION_AREA)],
)
def test_a_change_of_retention_is_stated_as_retention(result, expectation, name):
    def kept(result, share):
        part = Part(name=name, estimate=Estimate(value=share), level=0.3)
        other = part.model_copy(update={"group": "gu-en"})
        return result.model_copy(
            update={"expectation": expectation, "parts": (other, part), "bounds": Bounds(low=0.0)}
        )

    found = change(kept(result, 0.905), kept(moved(result, -0.4, NOISE), 0.671))

    assert found.regressed
    assert found.message.startswith(f"{name} 0.905 then, 0.671 now; margin worse by 0.400 [")


def test_a_change_of_retention_without_a_share_is_that_of_the_margin(result):
    kept = result.model_copy(update={"expectation": "retention", "bounds": Bounds(low=0.0)})
    found = change(kept, moved(kept, -0.4, NOISE))

    assert found.message.startswith("worse by 0.400 [")
