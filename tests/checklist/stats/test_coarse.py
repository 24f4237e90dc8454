"""Influences in a few hundred bytes: the comparison they give is that of whole influences."""

import numpy as np
import pytest

from shakeproof.stats.coarse import (
    MAX_BINS,
    PackedEstimate,
    is_coarse,
    make_coarse,
    paired_estimates,
    read_coarse,
)
from shakeproof.stats.compare import compare_estimates, pack_influence

COARSE = ((False, False), (True, True))


def influences(segments, alike=0.9, seed=0):
    """Return the influences of two runs on the same segments, with long tails."""
    rng = np.random.default_rng(seed)
    shared, old, new = rng.standard_t(5, size=(3, segments))
    rest = np.sqrt(1 - alike)
    return np.sqrt(alike) * shared + rest * old, np.sqrt(alike) * shared + rest * new


def changed(old, new, by=0.05, *, coarse=(True, False)):
    """Compare two runs; by default the old one is a baseline."""
    packed = [PackedEstimate(at, pack_influence(psi)) for at, psi in ((0.5, old), (0.5 + by, new))]
    stored = [
        PackedEstimate(one.value, make_coarse(one.influence)) if small else one
        for one, small in zip(packed, coarse, strict=True)
    ]
    return compare_estimates(*paired_estimates(*stored), direction=-1, allowed=0.005)


@pytest.mark.parametrize("segments", [40, 250, 1_000, 20_000])
@pytest.mark.parametrize("alike", [0.0, 0.9, 0.99])
def test_the_interval_is_that_of_whole_influences_within_the_documented_tolerance(segments, alike):
    psi = influences(segments, alike)
    whole = changed(*psi, coarse=(False, False)).estimate
    coarse = changed(*psi).estimate
    tolerance = 0.02 if segments <= MAX_BINS and alike < 0.99 else 0.13  # three times 4.4 %

    assert coarse.value == whole.value
    assert coarse.segments == segments
    assert coarse.high - coarse.low == pytest.approx(whole.high - whole.low, rel=tolerance)


def test_over_many_data_sets_the_width_is_right_on_average():
    pairs = [influences(600, seed=seed) for seed in range(40)]
    widths = np.array(
        [
            [end.high - end.low for end in (changed(*pair, coarse=c).estimate for c in COARSE)]
            for pair in pairs
        ]
    )

    assert (widths[:, 1] / widths[:, 0]).mean() == pytest.approx(1.0, abs=0.03)


def test_a_coarse_run_compares_with_a_whole_and_with_a_coarse_one_alike():
    psi = influences(700)

    assert changed(*psi, coarse=(True, False)) == changed(*psi, coarse=(True, True))
    assert changed(*psi, coarse=(False, True)) == changed(*psi, coarse=(True, True))


def test_the_same_run_is_unchanged():
    old, _ = influences(700)

    assert changed(old, old, by=0.0).estimate is None


def test_a_change_below_the_rounding_is_never_certain():
    old, _ = influences(700)
    change = changed(old, old + 1e-9, by=1e-9).estimate

    assert change.low < 0 < change.high
    assert change.high < 0.005


@pytest.mark.parametrize(
    ("other", "reason"),
    [
        pytest.param(slice(1, None), "40 segments then, 39 now", id="fewer"),
        pytest.param(slice(None), "other segments count now than then", id="others"),
    ],
)
def test_other_segments_are_not_comparable(other, reason):
    old, new = influences(40)
    new[3] = np.nan
    with pytest.raises(ValueError, match=reason):
        changed(old, new[other])


def test_segments_that_do_not_count_are_left_out():
    old, new = influences(40)
    old[3] = new[3] = np.nan

    assert changed(old, new).estimate.segments == 39


def test_bins_are_the_same_wherever_they_are_made():
    coarse = read_coarse(make_coarse(pack_influence(np.arange(1_000.0))))

    assert coarse.multiples[:6].tolist() == [61, 88, 92, 66, 85, 45]


def test_the_coarse_form_is_small_and_stays_as_it_is():
    coarse = make_coarse(pack_influence(influences(5_000)[0]))

    assert is_coarse(coarse)
    assert len(coarse) < 400
    assert make_coarse(coarse) == coarse
    assert make_coarse("") == ""


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("bins:", id="empty"),
        pytest.param("bins:3:3:00000000:1:AAA", id="not base64"),
        pytest.param("bins:3:3:00000000:1:AAAAAA==", id="too many"),
        pytest.param("bins:3:3:00000000:nan:AAAA", id="no step"),
        pytest.param("bins:a:3:00000000:1:AAAA", id="no number"),
    ],
)
def test_what_is_no_coarse_influence_is_refused(text):
    with pytest.raises(ValueError, match="influences of bins"):
        read_coarse(text)
