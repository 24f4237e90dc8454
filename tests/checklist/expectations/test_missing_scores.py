"""A candidate without a score is left out: the estimate is that of the data without it."""

from dataclasses import replace

import numpy as np
import pytest
from compared_scores import LEVELS, ONE_LEVEL, graded_scores
from expectation_settings import SETTINGS

from shakeproof.expectations import EXPECTATIONS, Evaluation
from shakeproof.expectations.assess import assess

ESTIMATED = [
    name for name, model in EXPECTATIONS.items() if model.evaluation is Evaluation.STATISTIC
]
TRIED = [name for name in ESTIMATED if name != "python"]  # whatever the user's statistic does
LEFT_OUT = [3, 4, 17, 102, 250, 299]  # rows
VIEWS = {
    **{name: {"noisy": name} for name in ("draw 1", "draw 2", "asked")},
    **{name: {"noisy": "share"} for name in ("consistent", "flipped", "first")},
}
WITH_VIEWS = replace(ONE_LEVEL, views=VIEWS)


def graded():
    """Return scores and grades under growing noise, with those of a judge that was asked twice."""
    rng = np.random.default_rng(12)
    scores, grade, segment = graded_scores(rng)
    clean = scores["clean"]
    judged = {
        "draw 1": clean + rng.normal(size=300),
        "draw 2": clean + rng.normal(size=300),
        "share": rng.uniform(size=300),
        "asked": rng.integers(1, 5, 300).astype(float),
    }
    return scores | judged, grade, segment


def estimate(name, observed):
    expectation = EXPECTATIONS[name](**SETTINGS[name])
    compared = LEVELS if expectation.over_levels else WITH_VIEWS
    return assess(expectation, compared, observed, draws=200).estimate


def test_every_estimated_expectation_is_tried():
    assert {*ESTIMATED} <= {*SETTINGS}


@pytest.mark.parametrize("name", TRIED)
def test_a_candidate_without_a_score_is_as_if_it_were_not_there(name, observe):
    scores, rating, segment = graded()
    kept = np.ones(300, bool)
    kept[LEFT_OUT] = False
    number = np.cumsum(kept) - 1  # of a row among those kept
    pairs = np.array([(row, row + 1) for row in range(299) if row % 5 < 4])
    masked = {key: np.where(kept, column, np.nan) for key, column in scores.items()}
    ratings = {"first": rating, "second": np.roll(rating, 1) + rating}
    with_gaps = observe(masked, segment=segment, rating=rating, pairs=pairs, ratings=ratings)
    without = observe(
        {key: column[kept] for key, column in scores.items()},
        segment=segment[kept],
        rating=rating[kept],
        pairs=number[pairs[kept[pairs].all(axis=1)]],
        ratings={aspect: column[kept] for aspect, column in ratings.items()},
    )

    expected = estimate(name, without)
    assert expected.value is not None
    assert estimate(name, with_gaps).model_copy(update={"note": expected.note}) == expected
