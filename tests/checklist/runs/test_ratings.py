"""Checks that ratings for an aspect decide, from the data to the result."""

import json
from pathlib import Path

import numpy as np
import pytest
from scipy.stats import pearsonr

import shakeproof
from shakeproof.api.build import check, checklist
from shakeproof.data import large_files
from shakeproof.data.segments import Candidate, Segment
from shakeproof.expectations import EXPECTATIONS
from shakeproof.files import Limit
from shakeproof.spec.model import Perturb
from shakeproof.stats.rows import candidates_of, rated_by

ASPECTS = ("coherence", "fluency")


def segments(count=40, seed=3):
    """Return segments whose scores follow coherence closely, and fluency less."""
    rng = np.random.default_rng(seed)
    quality, *noise = rng.normal(size=(3, count, 4))
    coherence, fluency = quality + noise[0], quality / 2 + noise[1]
    return [
        {
            "id": str(number),
            "references": ["the river opens at twelve"],
            "candidates": [
                {
                    "text": f"text {number} {position}",
                    "scores": {"mine": float(quality[number, position])},
                    "ratings": {
                        "coherence": float(coherence[number, position]),
                        "fluency": float(fluency[number, position]),
                    },
                }
                for position in range(4)
            ],
        }
        for number in range(count)
    ]


def results(rating, **settings):
    correlates = check("it agrees", EXPECTATIONS["correlation"](at_least=0.0), rating=rating)
    metrics = {"mine": {"stored": "mine"}}
    asked = checklist([correlates], data=segments(), metrics=metrics, **settings)
    return shakeproof.run(asked, cache=None).results


def numbers(aspect):
    rows = [one for segment in segments() for one in segment["candidates"]]
    scores = [one["scores"]["mine"] for one in rows]
    if aspect == "mean":
        return scores, [np.mean(list(one["ratings"].values())) for one in rows]
    return scores, [one["ratings"][aspect] for one in rows]


@pytest.mark.parametrize("rating", [*ASPECTS, "mean"])
def test_the_ratings_of_an_aspect_decide(rating):
    (result,) = results(rating)

    assert result.estimate.value == pytest.approx(pearsonr(*numbers(rating)).statistic, abs=1e-12)
    assert result.rating == rating
    assert result.id == "code.checklist.yaml::mine::it agrees::clean"


def test_each_aspect_is_a_result_that_names_it():
    found = results("each")

    assert [one.id.rpartition("::")[2] for one in found] == ["clean-coherence", "clean-fluency"]
    assert [one.coefficient for one in found] == ["pearson for coherence", "pearson for fluency"]
    assert [one.quantity for one in found] == [
        "correlation (pearson) for coherence",
        "correlation (pearson) for fluency",
    ]
    assert found[0].statement.endswith("; rating: coherence")
    assert found[0].estimate.value > found[1].estimate.value


def test_ratings_about_no_aspect_are_not_named():
    plain = [
        {**one, "candidates": [{**c, "rating": c["ratings"]["fluency"]} for c in one["candidates"]]}
        for one in segments()
    ]
    correlates = check("it agrees", EXPECTATIONS["correlation"](at_least=0.0))
    asked = checklist([correlates], data=plain, metrics={"mine": {"stored": "mine"}})
    (result,) = shakeproof.run(asked, cache=None).results

    assert (result.rating, result.coefficient) == (None, "pearson")
    assert result.estimate.value == pytest.approx(pearsonr(*numbers("fluency")).statistic)


def test_rows_without_a_rating_have_none_and_a_mean_needs_all():
    candidates = candidates_of(
        [
            Segment("1", (Candidate("a"), Candidate("b", ratings={"x": 1.0}))),
            Segment("2", (Candidate("a", ratings={"x": 2.0, "y": 4.0}), Candidate("b", 7.0))),
        ]
    )

    np.testing.assert_equal(rated_by(candidates, "x").rating, [np.nan, 1, 2, np.nan])
    np.testing.assert_equal(rated_by(candidates, "y").rating, [np.nan, np.nan, 4, np.nan])
    np.testing.assert_equal(rated_by(candidates, "mean").rating, [np.nan, np.nan, 3, np.nan])
    np.testing.assert_equal(rated_by(candidates, "rating").rating, [np.nan, np.nan, np.nan, 7])


def test_pairs_by_rating_and_examples_follow_the_aspect(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    rows = [
        {
            "id": str(number),
            "references": [f"the river number {number} opens at twelve"],
            "candidates": [
                {"text": f"the river number {number} opens", "ratings": {"x": 1, "y": 0}},
                {"text": f"a river {number} at twelve noon", "ratings": {"x": 0, "y": 1}},
            ],
        }
        for number in range(40)
    ]
    Path("d.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    prefers = check(
        "better first",
        EXPECTATIONS["prefers_better"](rating_gap=1, at_least=0.5),
        perturb=Perturb("keyboard-typo", "reference", (0.5,)),
        rating="each",
    )
    asked = checklist([prefers], data="d.jsonl", metrics={"chrf": {"chrf": {}}}, language="en")
    for_x, for_y = shakeproof.run(asked, cache=None).results

    assert for_x.estimate.value == pytest.approx(1 - for_y.estimate.value)
    assert {example.rating for one in (for_x, for_y) for example in one.examples} <= {1.0}


def test_large_data_have_the_results_of_small_ones(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("d.jsonl").write_text("".join(json.dumps(row) + "\n" for row in segments()), "utf-8")
    correlates = check("it agrees", EXPECTATIONS["correlation"](at_least=0.0), rating="each")
    asked = checklist([correlates], data="d.jsonl", metrics={"mine": {"stored": "mine"}})
    small = shakeproof.run(asked, cache=None).results
    monkeypatch.setattr(large_files, "IN_MEMORY", Limit("SHAKEPROOF_IN_MEMORY_MB", 0, "MB"))
    large = shakeproof.run(asked, cache=None).results

    assert [one.estimate for one in large] == [one.estimate for one in small]
    assert [one.rating for one in large] == list(ASPECTS)
