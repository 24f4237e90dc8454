"""What a copied input costs, worked by hand."""

import numpy as np
import pytest

from shakeproof.expectations import EXPECTATIONS
from shakeproof.results import Verdict
from shakeproof.stats.agreement import correlation
from shakeproof.stats.assess import assess
from shakeproof.stats.coefficients import Pearson
from shakeproof.stats.copying import CopyFigure, CopyPenalty, Extended, break_even
from shakeproof.stats.estimate import estimate
from shakeproof.stats.frame import Cell
from shakeproof.stats.rows import best_rows

CELL = Cell("clean", (1.0,), (("copy",),))


def test_the_best_are_those_rated_highest(observe):
    observed = observe({"m": np.zeros(5)}, segment=[0, 0, 0, 1, 1], rating=[1, 3, 3, np.nan, 2])

    assert best_rows(observed.frame).tolist() == [False, True, True, False, True]


def test_without_ratings_the_best_were_preferred_and_never_judged_worse(observe):
    observed = observe(
        {"m": np.zeros(6)},
        segment=[0, 0, 0, 0, 1, 1],
        pairs=[(0, 1), (1, 2), (4, 5), (5, 4)],
    )
    # row 3 was never judged; rows 4 and 5 were each judged worse once
    assert best_rows(observed.frame).tolist() == [True, False, False, False, False, False]


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


def test_the_dossier_stands_beside_the_penalty(observe):
    rng = np.random.default_rng(0)
    clean = rng.normal(size=(50, 4))
    copy = np.repeat(np.where(np.arange(50) < 20, 9.0, -9.0), 4)
    rating = np.tile([3.0, 2.0, 1.0, np.nan], 50)
    observed = observe(
        {"clean": clean.ravel(), "copy": copy}, segment=np.repeat(np.arange(50), 4), rating=rating
    )
    found = assess(EXPECTATIONS["copy_penalty"](at_least=0.0), CELL, observed)
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
    found, _ = estimate(CopyFigure("percentile", "clean", "copy"), observed, draws=0)

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
    extended = Extended(Pearson(), "clean", "copy")
    found, _ = estimate(extended, observed, draws=0)
    by_hand = np.corrcoef([*clean, 0, 5, 10], [*rating, 0, 0, 0])[0, 1]
    frame = extended.extend(observed).frame

    assert found.value == pytest.approx(by_hand)
    assert frame.segment.tolist() == sorted([*np.repeat(np.arange(12), 2), 0, 5, 10])
    assert frame.pairs.tolist() == [[0, 1], [11, 12]]


def test_extending_without_copies_changes_nothing(observe):
    rng = np.random.default_rng(0)
    observed = observe(
        {"clean": rng.normal(size=40), "copy": np.full(40, np.nan)}, rating=rng.normal(size=40)
    )
    plain, extended = (
        estimate(statistic, observed, draws=50)[0]
        for statistic in (correlation(Pearson(), ["clean"]), Extended(Pearson(), "clean", "copy"))
    )

    assert plain == extended


def test_a_paraphrase_beats_a_copy_above_the_break_even():
    assert break_even(0.05) == pytest.approx(0.9325)
    assert break_even(0.45, gamma=0.35) == pytest.approx(0.3925)
