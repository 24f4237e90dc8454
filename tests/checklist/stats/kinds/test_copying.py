"""What a copied input costs, worked by hand."""

import numpy as np
import pytest

from shakeproof.expectations import EXPECTATIONS
from shakeproof.expectations.assess import assess
from shakeproof.results import Verdict
from shakeproof.stats.estimate import estimate
from shakeproof.stats.kinds.added_copies import CorrelationWithCopies
from shakeproof.stats.kinds.agreement import correlation
from shakeproof.stats.kinds.coefficients import Pearson
from shakeproof.stats.kinds.copying import CopyMean, CopyPenalty, CopyRank, break_even
from shakeproof.stats.observations import ComparedScores
from shakeproof.stats.rows import best_rows
from shakeproof.stats.weights import bootstrap_weights

COMPARED = ComparedScores("clean", (1.0,), (("copy",),))


def test_the_best_are_those_rated_highest(observe):
    observed = observe({"m": np.zeros(5)}, segment=[0, 0, 0, 1, 1], rating=[1, 3, 3, np.nan, 2])

    assert best_rows(observed.candidates).tolist() == [False, True, True, False, True]


def test_without_ratings_the_best_were_preferred_and_never_judged_worse(observe):
    observed = observe(
        {"m": np.zeros(6)},
        segment=[0, 0, 0, 0, 1, 1],
        pairs=[(0, 1), (1, 2), (4, 5), (5, 4)],
    )
    # row 3 was never judged; rows 4 and 5 were each judged worse once
    assert best_rows(observed.candidates).tolist() == [True, False, False, False, False, False]


def test_where_the_best_has_no_score_the_next_best_counts(observe):
    scores = {"clean": [np.nan, 0.7, 0.2], "copy": [0.5, 0.5, 0.5]}
    by_rating = observe(scores, segment=[0, 0, 0], rating=[3, 2, 1])
    by_preference = observe(scores, segment=[0, 0, 0], pairs=[(0, 1), (1, 2)])

    for observed in (by_rating, by_preference):
        assert CopyPenalty("clean", "copy").penalties(observed) == pytest.approx([0.2])


def test_the_penalty_is_the_best_candidates_mean_minus_the_copy(observe):
    observed = observe(
        {"clean": [0.9, 0.7, 0.2, 0.4, 0.6], "copy": [1.0, 1.0, 1.0, 0.1, 0.1]},
        segment=[0, 0, 0, 1, 1],
        rating=[5, 5, 1, 1, 2],
    )
    raw, _ = estimate(CopyPenalty("clean", "copy", spread=False), observed, draws=0)
    # (0.8 - 1.0 + 0.6 - 0.1) / 2; squares within segments: 0.26 and 0.02, 2 + 1 degrees of freedom
    assert raw.value == pytest.approx(0.15)

    spreads, _ = estimate(CopyPenalty("clean", "copy"), observed, draws=0)
    assert spreads.value == pytest.approx(0.15 / np.sqrt(0.28 / 3))


def test_the_penalty_is_shown_with_the_numbers_that_explain_it(observe):
    rng = np.random.default_rng(0)
    clean = rng.normal(size=(50, 4))
    copy = np.repeat(np.where(np.arange(50) < 20, 9.0, -9.0), 4)
    rating = np.tile([3.0, 2.0, 1.0, np.nan], 50)
    observed = observe(
        {"clean": clean.ravel(), "copy": copy}, segment=np.repeat(np.arange(50), 4), rating=rating
    )
    found = assess(EXPECTATIONS["copy_penalty"](at_least=0.0), COMPARED, observed)
    parts = {part.name: part.estimate for part in found.parts}

    assert parts["copy"].value == pytest.approx(copy.mean())
    assert parts["best"].value == pytest.approx(clean[:, 0].mean())
    assert parts["mean candidate"].value == pytest.approx(clean[:, :3].mean())
    assert parts["copy wins"].value == pytest.approx(0.4)
    assert parts["copy wins"].method == "Clopper-Pearson"
    assert found.judgement.verdict is Verdict.INCONCLUSIVE


def test_without_sources_or_judgements_there_is_no_penalty(observe):
    observed = observe({"clean": np.arange(80.0), "copy": np.zeros(80)})
    found, _ = estimate(CopyPenalty("clean", "copy"), observed, draws=10)

    assert found.value is None
    assert found.note == "no input has both a best-rated candidate and a copy"


def test_the_copys_percentile_counts_ties_half(observe):
    observed = observe(
        {"clean": [0.1, 0.5, 0.5, 0.9], "copy": [0.5] * 4},
        segment=[0, 0, 0, 0],
        rating=[1, 2, 3, 4],
    )
    found, _ = estimate(CopyMean("percentile", "clean", "copy"), observed, draws=0)

    assert found.value == pytest.approx((1 + 0.5 + 0.5 + 0) / 4)


def test_extended_data_has_a_copy_rated_0_at_every_fifth_input(observe):
    rng = np.random.default_rng(0)
    clean, rating = rng.normal(size=24), rng.uniform(size=24)
    observed = observe(
        {"clean": clean, "copy": np.repeat(np.arange(12.0), 2)},
        segment=np.repeat(np.arange(12), 2),
        rating=rating,
        pairs=[(0, 1), (10, 11)],
    )
    extended = CorrelationWithCopies(Pearson(), "clean", "copy")
    found, _ = estimate(extended, observed, draws=0)
    by_hand = np.corrcoef([*clean, 0, 5, 10], [*rating, 0, 0, 0])[0, 1]
    candidates = extended.extend(observed).candidates

    assert found.value == pytest.approx(by_hand)
    assert candidates.segment.tolist() == sorted([*np.repeat(np.arange(12), 2), 0, 5, 10])
    assert candidates.pairs.tolist() == [[0, 1], [11, 12]]


def test_copies_that_the_data_have_already_are_not_added_again(observe):
    rng = np.random.default_rng(0)
    clean, rating = rng.normal(size=24), rng.uniform(size=24)
    added = np.arange(24) % 6 == 5
    rating[added] = 0.0
    copy = np.repeat(clean[added], 6)
    observed = observe(
        {"clean": clean, "copy": copy},
        segment=np.repeat(np.arange(4), 6),
        rating=rating,
        added=added,
    )
    plain, extended = (
        estimate(CorrelationWithCopies(Pearson(), "clean", "copy", copies), observed, draws=0)[
            0
        ].value
        for copies in (False, True)
    )

    assert extended == pytest.approx(np.corrcoef(clean, rating)[0, 1])
    assert plain == pytest.approx(np.corrcoef(clean[~added], rating[~added])[0, 1])


def test_an_added_copy_is_neither_best_nor_judged(observe):
    observed = observe(
        {"clean": [0.2, 0.4, 0.9], "copy": [0.9] * 3},
        segment=[0, 0, 0],
        rating=[0, 0, 0],
        added=np.array([False, False, True]),
    )
    mean, percentile = (
        estimate(CopyMean(kind, "clean", "copy"), observed, draws=0)[0].value
        for kind in ("judged", "percentile")
    )

    assert best_rows(observed.candidates).tolist() == [True, True, False]
    assert (mean, percentile) == pytest.approx((0.3, 1.0))


def test_a_near_copy_stands_in_for_the_first_candidate(observe):
    observed = observe(
        {"clean": [0.2, 0.4, 0.6, 0.8], "copy": [1.0] * 4, "near": [0.9, 0.4, 0.7, 0.8]},
        segment=[0, 0, 1, 1],
        rating=[1, 2, 1, 2],
    )
    found, _ = estimate(CopyMean("near-copy", "clean", "copy", "near"), observed, draws=0)

    assert found.value == pytest.approx((0.9 + 0.7) / 2)


def ranked(copies, scores):
    ahead = copies[:, None] - scores[None, :]
    return np.where(np.abs(ahead) <= 1e-6, 0.5, ahead > 0).mean()


@pytest.fixture
def copied(observe):
    """100 inputs with 3 rated candidates each, on a coarse scale so that copies tie with some."""
    rng = np.random.default_rng(6)
    level = np.repeat(rng.normal(size=100), 3)
    clean = np.round(level + rng.normal(size=300), 1)
    copies = np.round(level[::3] + 0.5, 1)
    observed = observe(
        {"clean": clean, "copy": np.repeat(copies, 3)},
        segment=np.repeat(np.arange(100), 3),
        rating=np.tile([1.0, 2.0, 3.0], 100),
    )
    return observed, copies, clean.reshape(100, 3)


def test_the_copys_percentile_among_all_inputs_is_the_share_of_pairs_it_wins(copied):
    observed, copies, clean = copied
    found, _ = estimate(CopyRank("clean", "copy"), observed, draws=0)

    assert found.value == pytest.approx(ranked(copies, clean.ravel()))
    assert found.segments == 100


def test_linearised_percentiles_have_the_standard_error_of_ranking_anew(copied):
    observed, copies, clean = copied
    statistic = CopyRank("clean", "copy")
    drawn = np.concatenate(list(bootstrap_weights(100, 500, seed=2)))
    anew = [
        ranked(np.repeat(copies, w.astype(int)), np.repeat(clean, w.astype(int), axis=0).ravel())
        for w in drawn
    ]

    assert statistic.value(drawn @ statistic.sums(observed)).std() == pytest.approx(
        np.std(anew), rel=0.03
    )


def test_extending_without_copies_changes_nothing(observe):
    rng = np.random.default_rng(0)
    observed = observe(
        {"clean": rng.normal(size=40), "copy": np.full(40, np.nan)}, rating=rng.normal(size=40)
    )
    plain, extended = (
        estimate(statistic, observed, draws=50)[0]
        for statistic in (
            correlation(Pearson(), ["clean"]),
            CorrelationWithCopies(Pearson(), "clean", "copy"),
        )
    )

    assert plain == extended


def test_a_paraphrase_beats_a_copy_above_the_break_even():
    assert break_even(0.05) == pytest.approx(0.9325)
    assert break_even(0.45, gamma=0.35) == pytest.approx(0.3925)
