"""Every edge case has a defined answer."""

import numpy as np
import pytest
from compared_scores import COMPARED

from shakeproof.expectations import EXPECTATIONS
from shakeproof.expectations.assess import assess
from shakeproof.results import Verdict
from shakeproof.stats.estimate import estimate, resample
from shakeproof.stats.kinds.agreement import correlation, difference
from shakeproof.stats.kinds.coefficients import Pearson, Spearman
from shakeproof.stats.kinds.pairs import PairShare, WmtKendall
from shakeproof.stats.kinds.scores import Shift
from shakeproof.stats.observations import ComparedScores

SEGMENT = np.repeat(np.arange(40), 3)
RNG = np.random.default_rng(8)
RATING = RNG.integers(0, 5, 120)
SCORES = RATING + RNG.normal(size=120)
DROP = EXPECTATIONS["correlation_drop"](at_most=0.1)


@pytest.mark.parametrize("coefficient", [Pearson(), Spearman()])
@pytest.mark.parametrize("width", [0.0, 9e-7], ids=["equal", "equal but for rounding"])
def test_a_constant_metric_is_undefined_and_said_so(coefficient, width, observe):
    scores = 0.912 + width * np.linspace(0, 1, 120)
    observed = observe({"m": scores}, segment=SEGMENT, rating=RATING)
    found, psi = estimate(correlation(coefficient, ["m"]), observed, draws=100)

    assert found.value is None
    assert found.low is None
    assert found.note.startswith("all 120 scores are 0.912")
    assert len(psi) == 0


def test_constant_ratings_are_undefined_and_said_so(observe):
    observed = observe({"m": SCORES}, segment=SEGMENT, rating=np.full(120, 0.8))
    found, _ = estimate(correlation(Pearson(), ["m"]), observed, draws=100)

    assert found.value is None
    assert found.note.startswith("all 120 ratings are 0.800")


def test_a_metric_that_turns_constant_makes_the_drop_undecided(observe):
    observed = observe({"clean": SCORES, "noisy": np.ones(120)}, segment=SEGMENT, rating=RATING)
    found = assess(DROP, COMPARED, observed, draws=100)

    assert found.judgement.verdict is Verdict.INCONCLUSIVE
    assert found.judgement.message == "drop undefined: all 120 scores are 1.000"
    assert found.judgement.p is None


def test_a_constant_metric_gets_every_pair_wrong(observe):
    pairs = [(3 * s, 3 * s + 1) for s in range(40)]
    observed = observe({"m": np.ones(120)}, segment=SEGMENT, pairs=pairs)
    tau, ties = resample(
        [correlation(WmtKendall(), ["m"]), correlation(PairShare("tied"), ["m"])], observed
    )

    assert (tau.estimate.value, ties.estimate.value) == (-1, 1)
    assert tau.estimate.high == pytest.approx(2 * (1 - 0.025 ** (1 / 40)) - 1)
    assert ties.estimate.low == pytest.approx(0.025 ** (1 / 40))


def test_one_segment_has_an_estimate_and_no_interval(observe):
    observed = observe({"m": [1, 2, 4]}, segment=[0, 0, 0], rating=[1, 2, 3])
    found, _ = estimate(correlation(Pearson(), ["m"]), observed)

    assert found.value == pytest.approx(np.corrcoef([1, 2, 4], [1, 2, 3])[0, 1])
    assert (found.low, found.note) == (None, "1 segment of at least 2")


def test_under_the_floor_there_is_an_estimate_and_no_interval(observe):
    short = SEGMENT < 29
    observed = observe(
        {"clean": SCORES[short], "noisy": SCORES[short]},
        segment=SEGMENT[short],
        rating=RATING[short],
    )
    found = assess(DROP, COMPARED, observed, draws=100)

    assert found.judgement.verdict is Verdict.INCONCLUSIVE
    assert found.judgement.message == "drop 0.000, but only 29 changed segments at hand"
    assert found.estimate.low is None


def test_the_floor_counts_changed_segments(observe):
    observed = observe(
        {"clean": SCORES, "noisy": SCORES},
        segment=SEGMENT,
        rating=RATING,
        changed={"noisy": SEGMENT < 12},
    )
    found = assess(DROP, COMPARED, observed, draws=100)

    assert found.judgement.message == "drop 0.000, but only 12 changed segments at hand"


def test_segments_without_ratings_stay_out_of_n(observe):
    rating = np.where(SEGMENT < 33, RATING, np.nan)
    observed = observe({"m": SCORES}, segment=SEGMENT, rating=rating)
    found, psi = estimate(correlation(Spearman(), ["m"]), observed, draws=100)

    assert found.segments == 33
    assert np.isfinite(psi).sum() == 33


def test_no_judgements_at_all_are_said(observe):
    observed = observe({"m": SCORES}, segment=SEGMENT)
    found, _ = estimate(correlation(WmtKendall(), ["m"]), observed, draws=100)

    assert found.value is None
    assert "no candidate has both a score and a judgement" in found.note


def test_a_missing_rating_takes_its_candidate_out_of_both_conditions(observe):
    rating = np.where(np.arange(120) == 5, np.nan, RATING)
    scores = {"clean": SCORES, "noisy": SCORES + RNG.normal(size=120)}
    kept = np.arange(120) != 5
    drop = difference(correlation(Pearson(), ["clean"]), correlation(Pearson(), ["noisy"]))
    whole, _ = estimate(drop, observe(scores, segment=SEGMENT, rating=rating), draws=0)
    by_hand = [np.corrcoef(scores[name][kept], RATING[kept])[0, 1] for name in scores]

    assert whole.value == pytest.approx(by_hand[0] - by_hand[1])


def test_too_many_undefined_draws_leave_no_interval(observe):
    rating = np.where(SEGMENT < 2, RATING, np.nan)
    observed = observe({"m": np.where(SEGMENT == 0, 1.0, SCORES)}, segment=SEGMENT, rating=rating)
    found, _ = estimate(correlation(Pearson(), ["m"]), observed, draws=1_000)

    assert found.value is not None
    assert found.low is None
    assert 200 < found.undefined_draws < 300  # a quarter draws segment 0 twice
    assert found.note.endswith("of 1,000 draws undefined")


def test_nothing_changed_in_enough_changed_texts_passes(observe):
    observed = observe({"clean": SCORES, "noisy": SCORES}, segment=SEGMENT)
    found = assess(EXPECTATIONS["score_change"](at_most=0.0), COMPARED, observed, draws=100)

    assert found.judgement.verdict is Verdict.PASS
    assert found.judgement.message == "change 0.000 [0.000, 0.000] spreads ≤ 0.00 allowed"


def test_no_changed_text_is_undefined(observe):
    observed = observe(
        {"clean": SCORES, "noisy": SCORES}, segment=SEGMENT, changed={"noisy": np.zeros(120)}
    )
    found = assess(EXPECTATIONS["score_change"](at_most=0.1), COMPARED, observed, draws=100)

    assert found.judgement.verdict is Verdict.INCONCLUSIVE
    assert found.judgement.message == "change undefined: no text changed"


def test_without_spread_a_change_is_undefined_and_raw_units_are_offered(observe):
    observed = observe({"clean": np.ones(120), "noisy": SCORES}, segment=SEGMENT)
    found, _ = estimate(Shift("clean", ("noisy",)), observed, draws=100)

    assert found.value is None
    assert "use unit: raw" in found.note


def test_one_candidate_per_segment_has_no_spread(observe):
    observed = observe({"clean": SCORES, "noisy": SCORES + 1})
    spreads, raw = resample(
        [Shift("clean", ("noisy",)), Shift("clean", ("noisy",), spread=False)], observed, draws=100
    )

    assert spreads.estimate.value is None
    assert raw.estimate.value == pytest.approx(1)


def test_two_metrics_are_compared_where_both_have_scores(observe):
    gaps = np.where(SEGMENT < 5, np.nan, SCORES)
    ahead = difference(correlation(Pearson(), ["clean"]), correlation(Pearson(), ["other"]))
    observed = observe({"clean": SCORES, "other": gaps}, segment=SEGMENT, rating=RATING)
    found, _ = estimate(ahead, observed, draws=100)

    assert (found.value, found.low, found.high) == (0, 0, 0)
    assert found.segments == 35


def test_an_undefined_group_is_named_and_makes_the_mean_undefined(observe):
    group = np.repeat([0, 1], 20)
    scores = np.where(SEGMENT < 20, SCORES, 0.5)
    observed = observe({"m": scores}, segment=SEGMENT, rating=RATING, group=group)
    found, _ = estimate(correlation(Pearson(), ["m"]), observed, draws=100)

    assert found.value is None
    assert found.note == "g1: all 60 scores are 0.500"


def test_a_group_that_is_too_small_is_named(observe):
    group = np.where(np.arange(40) < 35, 0, 1)
    observed = observe({"m": SCORES}, segment=SEGMENT, rating=RATING, group=group)
    (sample,) = resample([correlation(Pearson(), ["m"])], observed, draws=100, floor=30)

    assert sample.estimate.low is None
    assert sample.estimate.note == "g1: 5 segments of at least 30"
    assert sample.groups[0][1].low is not None


def test_repeated_pairs_and_candidates_count_as_often_as_they_occur(observe):
    once = observe({"m": [2, 1, 1, 2]}, segment=[0, 0, 1, 1], pairs=[(0, 1), (2, 3)])
    twice = observe({"m": [2, 1, 1, 2]}, segment=[0, 0, 1, 1], pairs=[(0, 1), (0, 1), (2, 3)])
    values = [
        estimate(correlation(WmtKendall(), ["m"]), observed, draws=0)[0].value
        for observed in (once, twice)
    ]

    assert values == pytest.approx([0, 1 / 3])


def test_infinite_scores_count_as_missing(observe):
    scores = np.where(np.arange(120) == 4, np.inf, SCORES)
    observed = observe({"m": scores}, segment=SEGMENT, rating=RATING)
    found, _ = estimate(correlation(Pearson(), ["m"]), observed, draws=100)

    assert found.value is not None
    assert found.note == "1 candidate without a score left out"


@pytest.mark.parametrize(
    ("expect", "segment", "reason"),
    [
        ({"coefficient": "acc-eq"}, range(40), "no segment has two candidates with a score"),
        (
            {"coefficient": "wmt-kendall", "rating_gap": 2},
            range(40),
            "no segment has two candidates with a score and a rating, so there are no pairs; "
            "pearson, spearman and tau-b compare candidates of different segments",
        ),
        (
            {"coefficient": "wmt-kendall", "rating_gap": 99},
            np.arange(40) // 2,
            "no two candidates of a segment have ratings 99 or more apart",
        ),
        ({"coefficient": "tau-b", "by": "segment"}, range(40), "no segment has two candidates"),
    ],
)
def test_a_comparison_of_pairs_says_that_there_are_none(observe, expect, segment, reason):
    numbers = np.arange(40.0)
    observed = observe({"m": numbers}, segment=segment, rating=numbers)
    expectation = EXPECTATIONS["correlation"](at_least=0, **expect)
    found = assess(expectation, ComparedScores("m"), observed, draws=200)

    assert found.judgement.verdict is Verdict.INCONCLUSIVE
    assert reason in found.judgement.message
