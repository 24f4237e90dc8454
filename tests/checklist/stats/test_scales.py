"""Statistics do not depend on the scale of ratings and scores."""

import numpy as np
import pytest

from shakeproof.data.json_lines import LARGEST
from shakeproof.expectations import EXPECTATIONS
from shakeproof.expectations.assess import assess
from shakeproof.stats.observations import ComparedScores
from shakeproof.stats.rows import tie_width

HUGE, SMALL = 2.0**196, 2.0**-30  # powers of 2, so that equal numbers stay equal
ON_ANY_SCALE = {
    "pearson": {},
    "spearman": {"coefficient": "spearman"},
    "tau-b": {"coefficient": "tau-b"},
    "tau-c": {"coefficient": "tau-c"},
    "acc-eq": {"coefficient": "acc-eq"},
    "wmt-kendall": {"coefficient": "wmt-kendall"},
    "pearson within segments": {"by": "segment"},
    "spearman within segments": {"coefficient": "spearman", "by": "segment"},
    "tau-b within segments": {"coefficient": "tau-b", "by": "segment"},
    "pearson between systems": {"by": "system"},
    "tau-b between systems": {"coefficient": "tau-b", "by": "system"},
}


@pytest.mark.parametrize("settings", ON_ANY_SCALE.values(), ids=ON_ANY_SCALE)
def test_the_largest_ratings_and_scores_do_not_overflow(on_scale, settings):
    plain, largest = on_scale(settings, 1.0, 1.0), on_scale(settings, HUGE, HUGE)

    assert LARGEST / 100 < HUGE < LARGEST
    assert largest.value == pytest.approx(plain.value)
    assert (largest.low, largest.high) == pytest.approx((plain.low, plain.high))


@pytest.mark.parametrize("settings", ON_ANY_SCALE.values(), ids=ON_ANY_SCALE)
def test_a_metric_on_a_small_scale_has_no_more_ties_than_another(on_scale, settings):
    plain, small = on_scale(settings, 1.0, 1.0), on_scale(settings, 1.0, SMALL)

    assert small.value == pytest.approx(plain.value)
    assert (small.low, small.high) == pytest.approx((plain.low, plain.high))


@pytest.fixture
def on_scale(observe):
    """Judge a correlation of random scores, with ratings and scores times a number."""

    def run(settings, rating_scale, score_scale):
        rng = np.random.default_rng(3)
        quality = rng.normal(size=160)
        scores = (quality + rng.normal(size=160)) / 4
        observed = observe(
            {"m": scores * score_scale},
            segment=np.arange(160) // 4,
            rating=np.round(quality) * rating_scale,
            pairs=[(row, row + 1) for row in range(0, 160, 4) if quality[row] > quality[row + 1]],
            members=np.stack([np.arange(160), np.arange(160) % 4], axis=1),
            systems=tuple("abcd"),
        )
        expectation = EXPECTATIONS["correlation"](at_least=0, **settings)
        return assess(expectation, ComparedScores("m"), observed, draws=200).estimate

    return run


@pytest.mark.parametrize(
    ("scores", "tie", "width"),
    [
        pytest.param([0.5, -0.25], 1e-6, 5e-7, id="relative below 1"),
        pytest.param([90.0, np.nan], 1e-6, 1e-6, id="as it is above 1"),
        pytest.param([1e-9, 2e-9], 0.01, 0.01, id="as it is if it is wide"),
        pytest.param([0.0, 0.0], 1e-6, 1e-6, id="only zeros"),
        pytest.param([np.nan], 1e-6, 1e-6, id="no score"),
        pytest.param([0.5], 0.0, 0.0, id="no tie"),
    ],
)
def test_a_narrow_tie_is_relative_to_scores_below_1(scores, tie, width):
    assert tie_width(np.array(scores), tie) == pytest.approx(width)
