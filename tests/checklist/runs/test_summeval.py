"""SummEval: agreement by aspect on real ratings, equal to scipy's."""

import os
from pathlib import Path

import numpy as np
import pytest
from scipy.stats import kendalltau, spearmanr

import shakeproof
from shakeproof.data.loading import load_data

ASPECTS = ("coherence", "consistency", "fluency", "relevance")
CHECKLIST = """\
data: DATA
language: en
draws: 200
rating: each
metrics: {longer: {python: longer:letters}}
checks:
  - check: summaries
    expect: {correlation: {coefficient: spearman, at_least: -1}}
  - check: systems
    expect: {correlation: {coefficient: tau-b, by: system, at_least: -1}}
"""
METRIC = "def letters(candidate, reference):\n    return len(candidate)\n"


@pytest.fixture(scope="module")
def summeval():
    """Return the file that `shakeproof data get summeval` wrote."""
    path = Path(os.environ.get("SHAKEPROOF_DATA", "")) / "summeval.jsonl"
    if not path.is_file():
        pytest.skip("no SummEval; SHAKEPROOF_DATA names the folder of shakeproof data get summeval")
    return path


def columns(segments):
    """Return ratings by aspect, lengths, and the system of each candidate."""
    candidates = [one for segment in segments for one in segment.candidates]
    ratings = {aspect: np.array([one.ratings[aspect] for one in candidates]) for aspect in ASPECTS}
    lengths = np.array([len(one.text) for one in candidates])
    return ratings, lengths, np.array([one.systems[0] for one in candidates])


def test_the_rating_is_the_mean_of_the_four_aspects(summeval):
    segments = load_data(str(summeval), folder=Path(), name="summeval").segments
    candidates = [one for segment in segments for one in segment.candidates]

    assert len(candidates) == 1_600
    assert {tuple(one.ratings) for one in candidates} == {ASPECTS}
    assert all(one.rating == pytest.approx(np.mean([*one.ratings.values()])) for one in candidates)


def test_agreement_by_aspect_is_that_of_scipy(summeval, tmp_path):
    path = tmp_path / "summeval.checklist.yaml"
    (tmp_path / "longer.py").write_text(METRIC, encoding="utf-8")
    path.write_text(CHECKLIST.replace("DATA", str(summeval)), encoding="utf-8")
    segments = load_data(str(summeval), folder=Path(), name="summeval").segments
    ratings, lengths, systems = columns(segments)
    results = {(one.check, one.rating): one.estimate.value for one in shakeproof.run(path).results}

    assert len(results) == 8
    for aspect in ASPECTS:
        means = [
            [values[systems == system].mean() for system in np.unique(systems)]
            for values in (ratings[aspect], lengths)
        ]
        rho, tau = spearmanr(ratings[aspect], lengths).statistic, kendalltau(*means).statistic
        assert results["summaries", aspect] == pytest.approx(rho, abs=1e-9)
        assert results["systems", aspect] == pytest.approx(tau, abs=1e-9)
