"""A candidate without a score is left out: the estimate is that of the data without it."""

import numpy as np
import pytest

from shakeproof.expectations import EXPECTATIONS, Evaluation
from shakeproof.expectations.assess import assess
from shakeproof.stats.observations import ComparedScores

SETTINGS = {
    "correlation": {"at_least": 0.2},
    "correlation_drop": {"coefficient": "wmt-kendall", "at_most": 0.1},
    "retention": {"at_least": 0.8},
    "retention_area": {"at_least": 0.8},
    "correlation_in_slices": {"slices_by": "other", "at_least": 0.1},
    "attribution": {"held": "other", "varied": "third", "at_least": 0.1},
    "more_robust_than": {"metric": "other"},
    "beats_yardsticks": {"yardsticks": ["other"]},
    "score_change": {"at_most": 0.2},
    "score_drop": {"at_least": 0.2},
    "score_rise": {"at_most": 0.2},
    "monotone": {},
    "segments_behave": {"at_least": 0.9},
    "prefers_original": {"at_least": 0.9},
    "prefers_better": {"at_least": 0.6},
    "copy_penalty": {"at_least": 0.5},
    "stable": {"at_most": 0.2},
    "position_consistency": {"at_least": 0.9},
    "position_preference": {"at_most": 0.6},
    "python": None,  # whatever the user's statistic does
}
ESTIMATED = [
    name for name, model in EXPECTATIONS.items() if model.evaluation is Evaluation.STATISTIC
]
LEFT_OUT = [3, 4, 17, 102, 250, 299]  # rows
OTHERS = {
    "other": ComparedScores("other", (0.3, 0.6), (("other noisy",), ("other noisier",))),
    "third": ComparedScores("third"),
}
VIEWS = {
    **{name: {"noisy": name} for name in ("draw 1", "draw 2", "asked")},
    **{name: {"noisy": "share"} for name in ("consistent", "flipped", "first")},
}
LEVELS = ComparedScores("clean", (0.3, 0.6), (("noisy",), ("noisier",)), OTHERS)
ONE_LEVEL = ComparedScores("clean", (0.3,), (("noisy",),), OTHERS, VIEWS)


def graded():
    """Return scores and grades of 60 segments of 5 candidates under growing noise."""
    rng = np.random.default_rng(12)
    quality = rng.normal(size=300)
    clean, error = quality + 0.5 * rng.normal(size=300), rng.normal(size=300)
    scores = {
        "clean": clean,
        "noisy": clean + 0.8 * error - 0.5,
        "noisier": clean + 1.6 * error - 1.0,
        "other": quality + 0.5 * rng.normal(size=300),
        "other noisy": rng.normal(size=300),
        "other noisier": rng.normal(size=300),
        "third": rng.uniform(size=300),
    }
    rating = np.round(2 * quality + rng.normal(size=300)).clip(-3, 2)
    scores |= {
        "draw 1": clean + rng.normal(size=300),
        "draw 2": clean + rng.normal(size=300),
        "share": rng.uniform(size=300),
        "asked": rng.integers(1, 5, 300).astype(float),
    }
    return scores, rating, np.repeat(np.arange(60), 5)


def estimate(name, observed):
    expectation = EXPECTATIONS[name](**SETTINGS[name])
    compared = LEVELS if expectation.over_levels else ONE_LEVEL
    return assess(expectation, compared, observed, draws=200).estimate


def test_every_estimated_expectation_is_tried():
    assert {*ESTIMATED} == {*SETTINGS}


@pytest.mark.parametrize("name", [name for name in ESTIMATED if SETTINGS[name] is not None])
def test_a_candidate_without_a_score_is_as_if_it_were_not_there(name, observe):
    scores, rating, segment = graded()
    kept = np.ones(300, bool)
    kept[LEFT_OUT] = False
    number = np.cumsum(kept) - 1  # of a row among those kept
    pairs = np.array([(row, row + 1) for row in range(299) if row % 5 < 4])
    masked = {key: np.where(kept, column, np.nan) for key, column in scores.items()}
    with_gaps = observe(masked, segment=segment, rating=rating, pairs=pairs)
    without = observe(
        {key: column[kept] for key, column in scores.items()},
        segment=segment[kept],
        rating=rating[kept],
        pairs=number[pairs[kept[pairs].all(axis=1)]],
    )

    expected = estimate(name, without)
    assert expected.value is not None
    assert estimate(name, with_gaps).model_copy(update={"note": expected.note}) == expected
