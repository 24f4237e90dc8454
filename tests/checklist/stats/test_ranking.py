"""Metrics are ranked by agreement, in clusters of significance as mt-metrics-eval assigns them."""

import numpy as np
import pytest

from shakeproof.stats.kinds.agreement import correlation
from shakeproof.stats.kinds.coefficients import Pearson
from shakeproof.stats.ranking import DrawSettings, rank_metrics, significance_ranks

CLEAR, UNCLEAR = 0.01, 0.4


def matrix(metrics, *significant):
    """P-values of all pairs; those named are significant."""
    p_values = np.full((metrics, metrics), UNCLEAR)
    for pair in significant:
        p_values[pair] = CLEAR
    return p_values


@pytest.mark.parametrize(
    ("p_values", "ranks"),
    [
        pytest.param(matrix(0), [], id="no metric"),
        pytest.param(matrix(1), [1], id="one metric"),
        pytest.param(matrix(3), [1, 1, 1], id="no difference"),
        pytest.param(matrix(3, (0, 1), (0, 2), (1, 2)), [1, 2, 3], id="all differ"),
        pytest.param(matrix(3, (0, 2)), [1, 1, 2], id="worse than the first alone"),
        pytest.param(matrix(3, (1, 2)), [1, 1, 2], id="worse than the second alone"),
        pytest.param(
            matrix(4, (0, 1), (0, 2), (0, 3), (1, 3)), [1, 2, 2, 3], id="worse within a rank"
        ),
        pytest.param(matrix(4, (0, 2), (0, 3)), [1, 1, 2, 2], id="only the rank at hand counts"),
        pytest.param(np.full((2, 2), 0.05), [1, 2], id="p at the threshold is significant"),
    ],
)
def test_a_rank_begins_with_a_metric_worse_than_one_of_the_rank_above(p_values, ranks):
    assert significance_ranks(p_values) == ranks


@pytest.fixture
def judged(observe):
    rng = np.random.default_rng(3)
    rating = rng.normal(size=300)
    noise = {"best": 0.5, "good": 0.9, "twin": 0.9, "poor": 4.0}
    scores = {name: rating + size * rng.normal(size=300) for name, size in noise.items()}
    scores["flat"] = np.ones(300)
    return observe(scores, rating=rating, segment=np.arange(300) // 3)


def test_metrics_are_ranked_by_agreement_in_clusters(judged):
    agreements = {name: correlation(Pearson(), [name]) for name in judged.scores}
    ranked = rank_metrics(agreements, judged, DrawSettings(draws=1_000))

    assert {one.name: one.rank for one in ranked} == {"best": 1, "good": 2, "twin": 2, "poor": 3}
    assert {one.name for one in ranked if "poor" in one.better_than} == {"best", "good", "twin"}
    assert [one.estimate.value for one in ranked] == sorted(
        (one.estimate.value for one in ranked), reverse=True
    )


def test_too_few_segments_show_no_difference(observe):
    rating = np.arange(10.0)
    observed = observe({"a": rating, "b": rating % 3}, rating=rating)
    agreements = {name: correlation(Pearson(), [name]) for name in "ab"}

    assert [one.rank for one in rank_metrics(agreements, observed)] == [1, 1]
