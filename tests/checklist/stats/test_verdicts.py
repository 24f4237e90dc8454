"""Verdicts and the lines that state them."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shakeproof.results import Bounds, Estimate, Leaning, Part, PartName, Verdict
from shakeproof.stats.estimate import Sample
from shakeproof.stats.intervals import tail
from shakeproof.stats.messages import (
    describe_course,
    just_above,
    just_below,
    round_down,
    round_up,
)
from shakeproof.stats.pvalues import after_holm, benjamini_hochberg, holm, p_value
from shakeproof.stats.verdicts import all_of, any_of, compare, judge, negate


def found(value, low, high, segments=1_000, note=""):
    return Estimate(value=value, low=low, high=high, segments=segments, note=note)


@pytest.mark.parametrize(
    ("bounds", "number", "verdict", "message"),
    [
        pytest.param(
            Bounds(high=0.1),
            (0.183, 0.160, 0.206),
            Verdict.FAIL,
            "drop 0.183 [0.160, 0.206] > 0.10 allowed",
            id="above",
        ),
        pytest.param(
            Bounds(high=0.1),
            (0.05, 0.03, 0.07),
            Verdict.PASS,
            "drop 0.050 [0.030, 0.070] ≤ 0.10 allowed",
            id="below",
        ),
        pytest.param(
            Bounds(low=0.5),
            (0.3, 0.2, 0.4),
            Verdict.FAIL,
            "drop 0.300 [0.200, 0.400] < 0.50 required",
            id="too little",
        ),
        pytest.param(
            Bounds(low=0.5),
            (0.7, 0.6, 0.8),
            Verdict.PASS,
            "drop 0.700 [0.600, 0.800] ≥ 0.50 required",
            id="enough",
        ),
        pytest.param(
            Bounds(low=-0.1, high=0.1),
            (0.01, -0.04, 0.06),
            Verdict.PASS,
            "drop 0.010 [-0.040, 0.060] within -0.10 to 0.10",
            id="equivalent",
        ),
        pytest.param(
            Bounds(high=0.1),
            (0.078, 0.052, 0.104),
            Verdict.INCONCLUSIVE,
            "drop 0.078 [0.052, 0.104], 0.10 allowed;"
            " 1,200 to 19,000 segments would decide it 4 times in 5",
            id="includes the upper bound",
        ),
        pytest.param(
            Bounds(low=0.5),
            (0.45, 0.384, 0.521),
            Verdict.INCONCLUSIVE,
            "drop 0.450 [0.384, 0.521], 0.50 required;"
            " at least 1,400 segments are needed to decide it 4 times in 5",
            id="includes the lower bound",
        ),
        pytest.param(
            Bounds(low=-0.1, high=0.1),
            (0.01, -0.14, 0.16),
            Verdict.INCONCLUSIVE,
            "drop 0.010 [-0.140, 0.160], -0.10 to 0.10 allowed;"
            " at least 1,700 segments are needed to decide it 4 times in 5",
            id="includes both",
        ),
        pytest.param(
            Bounds(high=0.003),
            (0.0012, 0.0010, 0.0014),
            Verdict.PASS,
            "drop 0.00120 [0.00100, 0.00140] ≤ 0.003 allowed",
            id="small numbers get more digits",
        ),
    ],
)
def test_the_verdict_is_stated_number_first(bounds, number, verdict, message):
    judgement = judge(bounds, found(*number), label="drop")

    assert (judgement.verdict, judgement.message) == (verdict, message)


def test_the_unit_follows_the_interval():
    judgement = judge(Bounds(high=0.2), found(0.6, 0.5, 0.7), label="change", unit="spreads")

    assert judgement.message == "change 0.600 [0.500, 0.700] spreads > 0.20 allowed"


@pytest.mark.parametrize(
    ("bounds", "number", "advice"),
    [
        pytest.param(
            Bounds(high=0.1),
            (0.078, 0.052, 0.104),
            "a limit of 0.11 would pass, 0.05 would fail; 1,200 to 19,000 segments"
            " would decide it 4 times in 5, if the true drop is 0.065 to 0.091",
            id="upper bound",
        ),
        pytest.param(
            Bounds(low=0.5),
            (0.45, 0.384, 0.521),
            "a limit of 0.38 would pass, 0.53 would fail; at least 1,400 segments"
            " are needed to decide it 4 times in 5",
            id="lower bound",
        ),
        pytest.param(
            Bounds(low=-0.1, high=0.1),
            (0.0001, -0.14, 0.16),
            "limits of -0.14 and 0.16 would pass; at least 1,500 segments"
            " are needed to decide it 4 times in 5",
            id="both",
        ),
    ],
)
def test_advice_names_the_limits_and_the_segments_that_would_decide(bounds, number, advice):
    assert judge(bounds, found(*number), label="drop").advice == advice


@pytest.mark.parametrize(
    ("bounds", "number", "settings", "leaning"),
    [
        pytest.param(Bounds(high=0.1), (0.12, 0.08, 0.16), {}, Leaning.FAILS, id="above"),
        pytest.param(Bounds(high=0.1), (0.08, 0.04, 0.12), {}, Leaning.PASSES, id="below"),
        pytest.param(Bounds(low=0.5), (0.45, 0.4, 0.55), {}, Leaning.FAILS, id="too little"),
        pytest.param(Bounds(low=0.5), (0.5, 0.4, 0.6), {}, Leaning.PASSES, id="at its bound"),
        pytest.param(Bounds(high=0.1), (0.2, 0.15, 0.25), {}, Leaning.NONE, id="decided"),
        pytest.param(Bounds(high=0.1), (0.2, None, None), {}, Leaning.NONE, id="no interval"),
        pytest.param(Bounds(high=0.1), (None, None, None), {}, Leaning.NONE, id="undefined"),
        pytest.param(
            Bounds(high=0.1),
            (0.12, 0.08, 0.16),
            {"changed_segments": 29},
            Leaning.NONE,
            id="too few segments",
        ),
    ],
)
def test_an_undecided_check_leans_to_the_side_of_its_estimate(bounds, number, settings, leaning):
    assert judge(bounds, found(*number), **settings).leaning is leaning


@pytest.mark.parametrize("value", [0.077, 0.123])
def test_as_many_segments_decide_on_either_side_of_the_bound(value):
    judgement = judge(Bounds(high=0.10), found(value, value - 0.024, value + 0.024), label="drop")

    assert "1,000 to 11,000 segments would decide it 4 times in 5" in judgement.advice


@pytest.mark.parametrize(
    ("number", "fewest"),
    [
        pytest.param((0.085, 0.059, 0.111), "1,800", id="a standard error away"),
        pytest.param((0.0999, 0.09, 0.11), "7,600", id="too close to tell"),
        pytest.param((0.1, 0.09, 0.11), "7,900", id="at the bound"),
    ],
)
def test_where_the_truth_may_lie_at_the_bound_only_the_fewest_segments_are_named(number, fewest):
    judgement = judge(Bounds(high=0.10), found(*number), label="drop")

    assert judgement.advice.endswith(
        f"at least {fewest} segments are needed to decide it 4 times in 5"
    )


@pytest.mark.parametrize("distance", [1.7, 1.8, 1.9])
def test_the_most_segments_decide_four_times_in_five_a_standard_error_nearer(distance):
    se = 0.01
    number = (0.1 - distance * se, 0.1 - (distance + 1.96) * se, 0.1 + (1.96 - distance) * se)
    advice = judge(Bounds(high=0.1), found(*number), label="drop").advice
    most = int(advice.split(" to ")[1].split()[0].replace(",", ""))
    shrunk = se * np.sqrt(1000 / most)
    estimates = np.random.default_rng(3).normal(0.1 - (distance - 1) * se, shrunk, 10_000)

    assert (estimates + 1.96 * shrunk < 0.1).mean() == pytest.approx(0.8, abs=0.03)


@pytest.mark.parametrize(
    ("number", "settings"),
    [
        pytest.param(
            (0.078, 0.052, 0.104), {"more_segments_help": False}, id="more segments do not help"
        ),
        pytest.param((0.078, 0.052, 0.104), {"changed_segments": 99}, id="rarely changed"),
    ],
)
def test_no_number_is_advised_that_would_mean_nothing(number, settings):
    judgement = judge(Bounds(high=0.10), found(*number), label="drop", **settings)

    assert judgement.verdict is Verdict.INCONCLUSIVE
    assert judgement.message.endswith("], 0.10 allowed")


def test_too_few_changed_segments_decide_nothing():
    judgement = judge(Bounds(high=0.1), found(0.0, 0.0, 0.0), changed_segments=29, label="drop")

    assert judgement.verdict is Verdict.INCONCLUSIVE
    assert judgement.message == "drop 0.000, but only 29 changed segments at hand"
    assert judgement.advice == "at least 30 changed segments are needed to decide anything"


def test_the_group_with_too_few_changed_segments_is_named():
    changed = {"gu-en": 400, "kk-en": 12}
    judgement = judge(Bounds(high=0.1), found(0.0, 0.0, 0.0), changed_segments=changed)

    assert judgement.message == "value 0.000, but only 12 changed segments in kk-en at hand"


def test_undefined_is_said_with_its_reason():
    judgement = judge(
        Bounds(high=0.1), found(None, None, None, note="all 7,159 scores are 0.912"), label="drop"
    )

    assert judgement.verdict is Verdict.INCONCLUSIVE
    assert judgement.message == "drop undefined: all 7,159 scores are 0.912"


def test_without_an_interval_nothing_is_decided():
    judgement = judge(
        Bounds(high=0.1), found(0.5, None, None, note="300 of 10,000 draws undefined")
    )

    assert judgement.verdict is Verdict.INCONCLUSIVE
    assert judgement.message.endswith("without an interval: 300 of 10,000 draws undefined")


@pytest.mark.parametrize("bounds", [Bounds(high=0.0), Bounds(low=0.0)])
def test_a_zero_width_interval_passes_at_its_bound(bounds):
    assert judge(bounds, found(0.0, 0.0, 0.0)).verdict is Verdict.PASS


def test_an_expectation_without_bounds_is_our_mistake():
    with pytest.raises(ValueError, match="no bound"):
        judge(Bounds(), found(0.0, -1.0, 1.0))


P, F, U = Verdict.PASS, Verdict.FAIL, Verdict.INCONCLUSIVE


@pytest.mark.parametrize(
    ("verdicts", "every", "some"),
    [((P, P), P, P), ((P, F), F, P), ((U, F), F, U), ((P, U), U, P), ((F, F), F, F)],
)
def test_combinations_are_kleenes(verdicts, every, some):
    assert (all_of(verdicts), any_of(verdicts)) == (every, some)
    assert negate(all_of(verdicts)) == any_of(map(negate, verdicts))


def sample(value, draws, segments=100):
    draws = np.sort(np.asarray(draws, dtype=float))
    outside = tail(0.95, segments)
    low, high = np.quantile(draws, [outside, 1 - outside])
    return Sample(found(value, low, high, segments), np.empty(0), draws, segments)


@pytest.mark.parametrize("bound", [-0.02, 0.0, 0.01])
def test_p_is_below_one_in_forty_exactly_where_the_check_fails(bound):
    drawn = np.random.default_rng(0).normal(0.3, 0.15, 10_000)
    taken = sample(0.3, drawn)
    p = p_value(Bounds(high=bound), taken)
    fails = compare(Bounds(high=bound), taken.estimate.low, taken.estimate.high) is F

    assert (p < 0.025) == fails
    assert p == pytest.approx(0.025, abs=0.01)


def test_p_is_one_while_the_estimate_keeps_its_bounds():
    assert p_value(Bounds(high=0.5), sample(0.3, [0.2, 0.3, 0.4])) == 1


def test_p_reaches_below_what_the_draws_can_count():
    drawn = np.random.default_rng(0).normal(1.0, 0.2, 10_000)

    assert 1e-7 < p_value(Bounds(high=0.0), sample(1.0, drawn)) < 1e-4


def test_holm_and_benjamini_hochberg_leave_out_what_has_no_p():
    p = [0.01, None, 0.04, 0.03, 0.5]

    assert holm(p) == pytest.approx([0.04, None, 0.09, 0.09, 0.5])
    assert benjamini_hochberg(p) == pytest.approx([0.04, None, 0.16 / 3, 0.16 / 3, 0.5])
    assert holm([]) == benjamini_hochberg([]) == []
    assert holm([None]) == [None]


@pytest.mark.parametrize(("adjusted", "verdict"), [(0.02, F), (0.2, U)])
def test_a_failure_that_does_not_survive_holm_is_undecided(adjusted, verdict):
    failed = judge(Bounds(high=0.1), found(0.183, 0.160, 0.206), label="drop", p=0.001)
    after = after_holm(failed, adjusted, 75)

    assert after.verdict is verdict
    assert ("not after Holm over 75 items" in after.message) == (verdict is U)


def test_holm_takes_back_nothing_but_failures():
    passed = judge(Bounds(high=0.1), found(0.05, 0.03, 0.07), p=1.0)

    assert after_holm(passed, 1.0, 75) == passed


@given(
    value=st.floats(-1e3, 1e3, allow_nan=False),
    digits=st.integers(2, 6),
)
def test_advised_bounds_lie_on_the_side_they_should(value, digits):
    slack = 1e-6 * 10.0**-digits + 1e-9

    assert round_down(value, digits) <= value + slack
    assert round_up(value, digits) >= value - slack
    assert just_below(value, digits) < value + slack
    assert just_above(value, digits) > value - slack
    assert just_above(value, digits) - just_below(value, digits) <= 2.01 * 10.0**-digits


def part(name, value, level=None, group=""):
    return Part(name=name, estimate=Estimate(value=value), level=level, group=group)


CLEAN = part(PartName.CLEAN, 0.9, 0.0)


@pytest.mark.parametrize(
    ("parts", "course"),
    [
        pytest.param([CLEAN, part(PartName.PERTURBED, 0.486, 0.3)], "0.900 → 0.486", id="level"),
        pytest.param([CLEAN, part(PartName.PERTURBED, 0.5)], "0.900 → 0.500", id="no levels"),
        pytest.param(
            [CLEAN, part(PartName.PERTURBED, 0.5, 0.3), part(PartName.PERTURBED, 0.8, 0.1)],
            "0.900 → 0.500 at level 0.3",
            id="levels",
        ),
        pytest.param([CLEAN], "", id="clean alone"),
        pytest.param([CLEAN, part(PartName.PERTURBED, None, 0.3)], "", id="undefined"),
        pytest.param([CLEAN, part(PartName.PERTURBED, 0.5, 0.3, "kk-en")], "", id="group"),
        pytest.param(
            [part("then", 0.5), part("now", 0.4), CLEAN, part(PartName.PERTURBED, 0.4)],
            "0.500 → 0.400",
            id="stored run",
        ),
    ],
)
def test_the_course_goes_from_the_clean_number_to_the_perturbed_one(parts, course):
    assert describe_course(parts) == course
