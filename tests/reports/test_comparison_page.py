import base64
import zlib
from array import array

import numpy as np
import pytest

from shakeproof.reports import render_comparison
from shakeproof.reports.comparison import compare
from shakeproof.reports.pairing import pairs
from shakeproof.results import Bounds


def packed(values):
    return base64.b64encode(zlib.compress(array("f", values).tobytes())).decode()


def moved(result, by, values):
    found = result.estimate.model_copy(update={"value": result.estimate.value + by})
    return result.model_copy(update={"estimate": found, "influence": packed(values)})


@pytest.fixture
def result(make_drop):
    return make_drop("deep", "visual", 0.3).model_copy(update={"influence": packed(range(50))})


def one(old, new, make_run, **changes):
    return pairs(make_run([old]), make_run([new], **changes))[0]


def test_the_error_of_a_change_is_that_of_the_paired_difference(result, make_run):
    rng = np.random.default_rng(3)
    old, new = rng.normal(size=(2, 200)).astype(np.float32)
    found = one(moved(result, 0.0, old), moved(result, 0.05, new), make_run).change
    error = np.std((new - old).astype(float), ddof=1) / np.sqrt(200)

    assert found.value == pytest.approx(0.05)
    assert found.high - found.low == pytest.approx(2 * 1.959964 * error, rel=1e-5)
    assert found.segments == 200


def test_segments_that_do_not_count_are_left_out_of_the_change(result, make_run):
    values = [float("nan"), *range(49)]
    found = one(moved(result, 0.0, values), moved(result, 0.3, values), make_run)

    assert found.change.segments == 49
    assert found.change.value == pytest.approx(0.3)


def test_runs_in_which_no_segment_counts_are_not_compared(result, make_run):
    nothing = moved(result, 0.0, [float("nan")] * 50)

    assert one(nothing, result, make_run).reason == "no segments in common"


def test_the_same_run_twice_is_unchanged(result, make_run):
    assert one(result, result, make_run).word == "unchanged"


@pytest.mark.parametrize(
    ("bounds", "by", "word"),
    [
        pytest.param(Bounds(high=0.1), 0.3, "worse", id="a larger drop"),
        pytest.param(Bounds(high=0.1), -0.3, "better", id="a smaller drop"),
        pytest.param(Bounds(low=0.5), 0.3, "better", id="a larger penalty"),
        pytest.param(Bounds(low=-1, high=1), 0.3, "higher", id="two bounds"),
        pytest.param(Bounds(high=0.1), 0.001, "unclear", id="too little to tell"),
    ],
)
def test_changes_are_named_by_what_was_expected(result, make_run, bounds, by, word):
    bounded = result.model_copy(update={"bounds": bounds})
    noise = [value + (-1) ** value * 0.5 for value in range(50)]

    assert one(bounded, moved(bounded, by, noise), make_run).word == word


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"seeds": (8,)}, "other seeds"),
        ({"coefficient": "pearson"}, "another coefficient"),
        ({"unit": "raw"}, "another unit"),
        ({"influence": packed(range(49))}, "other segments: 50 and 49"),
        ({"influence": ""}, "a run without influence values"),
        ({"estimate": None}, "no estimate in the new run"),
    ],
)
def test_what_differs_is_not_compared_and_why_is_said(result, make_run, change, reason):
    found = one(result, result.model_copy(update=change), make_run)

    assert found.change is None
    assert found.reason == reason
    assert reason in render_comparison(
        make_run([result]), make_run([result.model_copy(update=change)])
    )


def test_other_data_are_not_compared(result, make_run):
    old, new = make_run([result]), make_run([result])
    record = new.checklists[0]
    data = record.data[0].model_copy(update={"sha256": "other"})
    changed = new.model_copy(update={"checklists": (record.model_copy(update={"data": (data,)}),)})

    assert pairs(old, changed)[0].reason == "other data"


def test_another_signature_is_compared_and_said(result, make_run):
    old = make_run([result])
    record = old.checklists[0]
    metric = record.metrics[0].model_copy(update={"signature": "upgraded"})
    new = old.model_copy(update={"checklists": (record.model_copy(update={"metrics": (metric,)}),)})

    assert pairs(old, new)[0].signature_changed
    assert "other signature" in render_comparison(old, new)


def test_the_most_certain_change_comes_first(result, make_run, make_drop):
    other = make_drop("deep", "intrude", 0.3).model_copy(update={"influence": packed(range(50))})
    noise = [value + (-1) ** value * 0.5 for value in range(50)]
    found = pairs(
        make_run([result, other]),
        make_run([moved(result, 0.1, noise), moved(other, 0.4, noise)]),
    )

    assert [pair.new.family for pair in found] == ["intrude", "visual"]


def test_checks_of_one_run_only_are_listed(result, make_run, make_drop):
    other = make_drop("chrf", "intrude", 0.1)
    found = compare(make_run([result]), make_run([other]))

    assert [r.id for r in found.gone] == [result.id]
    assert [r.id for r in found.added] == [other.id]
    assert found.headline == "The two runs have no check in common."


def test_circumstances_that_differ_are_listed(result, make_run):
    found = compare(make_run([result]), make_run([result], environment={"torch": "3.0"}))

    assert ("environment torch", "2.13.0", "3.0") in found.circumstances
