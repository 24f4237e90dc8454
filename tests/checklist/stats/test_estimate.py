"""Intervals: which segments count, what a draw is, and when there is none."""

import numpy as np
import pytest
from scipy import stats

from shakeproof.stats.binomial import binomial, clopper_pearson, exact
from shakeproof.stats.bootstrap import distinct_columns
from shakeproof.stats.estimate import estimate, resample
from shakeproof.stats.intervals import (
    BCA,
    CLUSTERED,
    EXACT,
    EXPANDED,
    bca,
    expanded,
    tail,
    untail,
)
from shakeproof.stats.kinds.accuracy import AccuracyEq
from shakeproof.stats.kinds.agreement import correlation, difference
from shakeproof.stats.kinds.coefficients import Pearson, Spearman
from shakeproof.stats.kinds.pairs import WmtKendall
from shakeproof.stats.kinds.ranks import Tau, Within
from shakeproof.stats.kinds.scores import MeanScore, Shift
from shakeproof.stats.kinds.shares import Behaving, PrefersOriginal
from shakeproof.stats.observations import Observations
from shakeproof.stats.rows import TIE, candidates_of
from shakeproof.stats.weights import bootstrap_weights, weighted_sums

CLEAN = correlation(Pearson(), ["clean"])
DROP = difference(CLEAN, correlation(Pearson(), ["noisy"]))


def test_weights_count_as_many_segments_as_there_are():
    drawn = np.concatenate(list(bootstrap_weights(40, 1_200, seed=3)))

    assert drawn.shape == (1_200, 40)
    assert (drawn.sum(axis=1) == 40).all()
    assert drawn.var() == pytest.approx(1 - 1 / 40, rel=0.05)


def test_the_same_seed_draws_the_same_segments_whatever_the_chunk():
    small, large, other = (
        np.concatenate(list(bootstrap_weights(11, 300, seed, step)))
        for seed, step in ((1, 7), (1, 300), (2, 7))
    )

    assert (small == large).all()
    assert (small != other).any()


@pytest.mark.parametrize("segments", [1, 128, 129, 1_000])
def test_weighing_some_segments_at_a_time_gives_the_whole_product(segments):
    sums = np.random.default_rng(0).standard_normal((segments, 5))
    (drawn,) = bootstrap_weights(segments, 20, seed=1)

    np.testing.assert_allclose(weighted_sums(drawn, sums), drawn @ sums, atol=1e-9)


@pytest.mark.parametrize(("n", "outside"), [(30, 0.0188), (100_000, 0.0250)])
def test_percentiles_are_taken_further_out_for_few_segments(n, outside):
    assert tail(0.95, n) == pytest.approx(outside, abs=5e-5)


@pytest.mark.parametrize("n", [5, 30, 1_000])
def test_a_share_of_draws_at_the_tail_is_a_p_value_of_one_in_forty(n):
    assert untail(tail(0.95, n), n) == pytest.approx(0.025)


def test_an_estimate_does_not_depend_on_what_is_drawn_with_it(observations):
    alone, _ = estimate(DROP, observations, draws=300)
    _, together = resample([CLEAN, DROP], observations, draws=300)

    assert together.estimate == alone


def test_equal_columns_are_multiplied_once():
    ones, twos = np.ones(4), np.full(4, 2.0)
    kept, place = distinct_columns(np.column_stack([ones, twos, ones]))

    np.testing.assert_array_equal(kept, np.column_stack([ones, twos]))
    assert place == [0, 1, 0]


def test_influence_reproduces_standard_error_and_interval(observations):
    (sample,) = resample([DROP], observations, method=EXPANDED)
    psi = sample.influence
    linear = np.concatenate(
        [sample.estimate.value + w @ psi / 60 for w in bootstrap_weights(60, 10_000, 1)]
    )
    rough = expanded(linear, 0.95, 60)

    assert psi.std(ddof=1) / np.sqrt(60) == pytest.approx(sample.se, rel=0.05)
    assert [rough.low, rough.high] == pytest.approx(
        [sample.estimate.low, sample.estimate.high], abs=0.25 * sample.se
    )


def test_a_drop_is_paired(observations):
    drop, clean, noisy = resample([DROP, CLEAN, correlation(Pearson(), ["noisy"])], observations)

    assert drop.draws == pytest.approx(clean.draws - noisy.draws)
    assert drop.se < 0.9 * np.hypot(clean.se, noisy.se)


def test_segments_without_pairs_stay_out_of_n(observe):
    rng = np.random.default_rng(0)
    pairs = [(2 * s, 2 * s + 1) for s in range(40)]
    scores = rng.normal(size=120)
    segment = np.repeat(np.arange(60), 2)
    full, psi = estimate(
        correlation(WmtKendall(), ["m"]), observe({"m": scores}, segment=segment, pairs=pairs)
    )
    cut, _ = estimate(
        correlation(WmtKendall(), ["m"]),
        observe({"m": scores[:80]}, segment=segment[:80], pairs=pairs),
    )

    assert full == cut
    assert full.segments == 40
    assert np.isnan(psi).sum() == 20


def test_groups_are_resampled_within_and_averaged(observations, observe):
    group = np.repeat([0, 1], [20, 40])
    parts = [observations.candidates.segment < 20, observations.candidates.segment >= 20]
    grouped = observe(
        observations.scores,
        segment=observations.candidates.segment,
        rating=observations.candidates.rating,
        group=group,
    )
    (sample,) = resample([correlation(Spearman(), ["clean"])], grouped)
    each = [
        stats.spearmanr(
            observations.scores["clean"][rows], observations.candidates.rating[rows]
        ).statistic
        for rows in parts
    ]

    assert sample.estimate.value == pytest.approx(np.mean(each), abs=1e-12)
    assert [found.value for _, found in sample.groups] == pytest.approx(each, abs=1e-12)
    assert sample.effective == 19 + 39 + 1
    psi = sample.influence
    assert psi.std(ddof=1) / np.sqrt(60) == pytest.approx(sample.se, rel=0.05)


def test_groups_of_one_size_are_drawn_independently(observe):
    half = np.random.default_rng(1).normal(size=50)
    twins = observe({"m": np.tile(half, 2)}, group=np.repeat([0, 1], 50))
    (both,) = resample([MeanScore(("m",))], twins)
    (one,) = resample([MeanScore(("m",))], observe({"m": half}))

    assert both.se == pytest.approx(one.se / np.sqrt(2), rel=0.05)


def test_documents_are_resampled_whole_on_request(observe):
    rng = np.random.default_rng(2)
    document = np.repeat(np.arange(40), 5)
    scores = np.repeat(rng.normal(size=40), 5) + 0.1 * rng.normal(size=200)
    (alone,) = resample([MeanScore(("m",))], observe({"m": scores}))
    (whole,) = resample([MeanScore(("m",))], observe({"m": scores}, cluster=document))

    assert whole.estimate.value == alone.estimate.value
    assert whole.estimate.segments == 40
    assert whole.se == pytest.approx(alone.se * np.sqrt(5), rel=0.05)


def test_bca_agrees_with_hand_worked_percentiles():
    rng = np.random.default_rng(0)
    data = rng.exponential(size=40)
    drawn = np.concatenate([w @ data / 40 for w in bootstrap_weights(40, 20_000, 0)])
    ours = bca(drawn, data.mean(), data - data.mean(), 0.95, 40)
    theirs = stats.bootstrap(
        (data,), np.mean, n_resamples=20_000, method="BCa", rng=np.random.default_rng(1)
    ).confidence_interval

    assert [ours.low, ours.high] == pytest.approx(list(theirs), abs=0.01)
    assert ours.method == BCA


def test_bca_is_used_on_request_and_close_to_the_expanded_percentile(observations):
    (plain,) = resample([DROP], observations, method=EXPANDED)
    (corrected,) = resample([DROP], observations, method=BCA)

    assert corrected.estimate.method == BCA
    assert corrected.estimate.value == plain.estimate.value
    assert corrected.estimate.low == pytest.approx(plain.estimate.low, abs=0.5 * plain.se)
    assert corrected.estimate.low != plain.estimate.low


@pytest.mark.parametrize("coefficient", [Pearson(), Spearman(), Tau(), Within(), AccuracyEq()])
def test_the_order_of_segments_changes_nothing(coefficient, observations, observe):
    order = np.random.default_rng(0).permutation(60)
    rows = (5 * order[:, None] + np.arange(5)).ravel()
    ids = tuple(map(str, range(60)))
    candidates, scores = observations.candidates, observations.scores
    whole, shuffled = (
        observe(
            {name: values[at] for name, values in scores.items()},
            segment=candidates.segment,
            rating=candidates.rating[at],
            ids=tuple(ids[one] for one in segments),
        )
        for at, segments in ((np.arange(300), range(60)), (rows, order))
    )
    drop = difference(correlation(coefficient, ["clean"]), correlation(coefficient, ["noisy"]))
    (one, psi), (other, shuffled_psi) = (
        estimate(drop, seen, draws=0) for seen in (whole, shuffled)
    )

    assert other.value == pytest.approx(one.value, abs=1e-12)
    assert shuffled_psi == pytest.approx(psi[order], nan_ok=True, abs=1e-9)


def test_bca_falls_back_where_it_is_undefined():
    found = bca(np.ones(100), 1.0, np.zeros(40), 0.95, 40)

    assert (found.low, found.high) == (1, 1)
    assert "instead" in found.note


@pytest.mark.parametrize(("hits", "trials"), [(0, 30), (30, 30), (17, 60)])
def test_shares_have_scipys_exact_interval(hits, trials):
    theirs = stats.binomtest(hits, trials).proportion_ci(0.95, method="exact")

    assert clopper_pearson(hits, trials) == pytest.approx((theirs.low, theirs.high))


def test_changes_are_divided_by_the_spread_of_the_same_draw(observe):
    rng = np.random.default_rng(3)
    clean = rng.normal(size=200)
    segment = np.repeat(np.arange(50), 4)
    observed = observe({"clean": clean, "noisy": clean - 0.5}, segment=segment)
    (spreads, raw) = resample(
        [Shift("clean", ("noisy",), "drop"), Shift("clean", ("noisy",), "drop", spread=False)],
        observed,
    )
    within = clean.reshape(50, 4)
    pooled = np.sqrt(within.var(axis=1, ddof=1).mean())

    assert raw.estimate.value == pytest.approx(0.5)
    assert raw.se == pytest.approx(0, abs=1e-12)
    assert spreads.estimate.value == pytest.approx(0.5 / pooled)
    assert spreads.se > 0.01


def test_only_changed_candidates_enter_a_change(observe):
    changed = np.arange(80) % 4 == 0
    clean = np.random.default_rng(0).normal(size=80)
    observed = observe(
        {"clean": clean, "noisy": clean + np.where(changed, 1.0, 0.0)},
        segment=np.repeat(np.arange(40), 2),
        changed={"noisy": changed},
    )
    found, _ = estimate(Shift("clean", ("noisy",), spread=False), observed)

    assert found.value == pytest.approx(1.0)
    assert found.segments == 20


def test_changes_that_cancel_are_not_overlooked(observe):
    clean = np.zeros(60)
    noisy = np.tile([1.0, -1.0], 30)
    observed = observe({"clean": clean, "noisy": noisy}, segment=np.repeat(np.arange(30), 2))
    absolute, signed = (
        estimate(Shift("clean", ("noisy",), direction, spread=False), observed)[0].value
        for direction in ("change", "rise")
    )

    assert (absolute, signed) == (1, 0)


def test_the_tie_tolerance_is_a_millionth():
    assert TIE == 1e-6


def test_no_segments_make_no_candidates():
    candidates = candidates_of([])

    assert candidates.segments == 0
    assert candidates.pairs.shape == (0, 2)


def share_of(observe, behaves, **layout):
    """Estimate the share of segments whose score drops."""
    noisy = np.where(behaves, -1.0, 1.0)
    observed = observe({"clean": np.zeros(len(noisy)), "noisy": noisy}, **layout)
    (sample,) = resample([Behaving("clean", ("noisy",), "drop", 0.0, spread=False)], observed)
    return sample.estimate


def test_shares_of_several_groups_have_one_exact_interval(observe):
    alone = 1 - 0.025 ** (1 / 30)
    both = share_of(observe, np.ones(60), group=np.repeat([0, 1], 30))

    assert (both.high, both.method) == (1, EXACT)
    assert both.low == pytest.approx(1 - np.sqrt(2) * alone / 2)


def test_a_group_in_which_all_are_right_is_not_taken_for_certain(observe):
    right = np.append(np.ones(40), np.arange(40) % 4 > 0)
    observed = observe(
        {"clean": np.zeros(80), "noisy": -right}, group=np.repeat([0, 1], 40), segment=np.arange(80)
    )
    (both,) = resample([PrefersOriginal("clean", ("noisy",))], observed)
    (_, sure), (_, mixed) = both.groups
    down, up = mixed.value - mixed.low, mixed.high - mixed.value

    assert sure.low == pytest.approx(0.025 ** (1 / 40))
    assert both.estimate.low == pytest.approx(0.875 - np.hypot(1 - sure.low, down) / 2)
    assert both.estimate.high == pytest.approx(0.875 + up / 2)
    assert both.estimate.method == CLUSTERED


def test_segments_of_one_document_that_behave_alike_count_as_one(observe):
    document = np.repeat(np.arange(40), 5)
    behaves = np.repeat(np.arange(40) % 4 > 0, 5)
    found = share_of(observe, behaves, cluster=document)
    # 30 of 40 documents, though there are 200 segments
    assert (found.low, found.high) == pytest.approx(clopper_pearson(30, 40), abs=0.02)
    assert (found.segments, found.method) == (40, CLUSTERED)


def test_all_segments_of_all_documents_behaving_prove_no_more_than_the_documents(observe):
    found = share_of(observe, np.ones(200), cluster=np.repeat(np.arange(40), 5))

    assert found.low == pytest.approx(0.025 ** (1 / 40))


def test_documents_that_do_not_matter_cost_next_to_nothing(observe):
    rng = np.random.default_rng(8)
    behaves = rng.permutation(np.arange(400) % 5 > 0)
    found = share_of(observe, behaves, cluster=np.repeat(np.arange(100), 4))
    low, high = clopper_pearson(320, 400)

    assert found.high - found.low == pytest.approx(high - low, rel=0.15)


def test_shares_in_documents_miss_as_rarely_as_they_should():
    rng, truth, misses = np.random.default_rng(9), 0.8, {"clustered": 0, "independent": 0}
    for _ in range(500):
        document = np.repeat(np.arange(40), rng.integers(1, 8, 40))
        likely = rng.beta(truth, 1 - truth, 40)  # segments of a document are much alike
        outcomes = (rng.uniform(size=len(document)) < likely[document]).astype(float)
        for name, cluster in (("clustered", document), ("independent", None)):
            found = exact(binomial(outcomes, cluster), 0.95)
            misses[name] += not found.low <= truth <= found.high

    assert misses["clustered"] <= 0.07 * 500
    assert misses["independent"] > 0.15 * 500


def test_the_influence_of_a_document_stands_at_its_first_segment(observe):
    rng = np.random.default_rng(2)
    document = np.tile(np.arange(40), 5)
    scores = rng.normal(size=40)[document] + 0.1 * rng.normal(size=200)
    (whole,) = resample([MeanScore(("m",))], observe({"m": scores}, cluster=document))
    psi = whole.influence

    assert np.isfinite(psi).nonzero()[0].tolist() == list(range(40))
    assert np.nanstd(psi, ddof=1) / np.sqrt(40) == pytest.approx(whole.se, rel=0.05)


def test_no_segments_have_no_estimate():
    empty = Observations(candidates_of([]), {"m": np.empty(0)}, {})
    found, psi = estimate(correlation(Pearson(), ["m"]), empty)

    assert (found.value, found.segments, len(psi)) == (None, 0, 0)
