"""The noise of a judge: its size in spreads, and its share of the variance."""

import numpy as np
import pytest

from shakeproof.stats.estimate import estimate
from shakeproof.stats.kinds.draws import DrawDeviation, NoiseShare

NOISE, SPREAD, DRAWS = 0.5, 1.0, 3  # standard deviations, and draws of each candidate
KEYS = tuple(f"draw {number}" for number in range(1, DRAWS + 1))
UNIT = np.sqrt(SPREAD**2 + NOISE**2 / DRAWS)  # the spread of the mean of the draws
TRUTH = NOISE / UNIT


@pytest.fixture
def judged(observe):
    """Return scores of a judge with noise of known size, in segments of four candidates."""

    def judged(seed, segments, noise=NOISE):
        rng = np.random.default_rng(seed)
        segment = np.repeat(np.arange(segments), 4)
        quality = 3 * rng.normal(size=segments)[segment] + SPREAD * rng.normal(size=len(segment))
        draws = quality + noise * rng.normal(size=(DRAWS, len(segment)))
        scores = {"clean": draws.mean(axis=0), **dict(zip(KEYS, draws, strict=True))}
        return observe(scores, segment=segment)

    return judged


def value(statistic, observed):
    return float(statistic.value(statistic.sums(observed).sum(axis=0)))


def test_the_deviation_is_that_of_numpy_in_pooled_spreads(judged):
    observed = judged(1, 50)
    draws = np.stack([observed.scores[key] for key in KEYS])
    by_segment = observed.scores["clean"].reshape(50, 4)
    noise = np.sqrt(draws.var(axis=0, ddof=1).mean())
    spread = np.sqrt(by_segment.var(axis=1, ddof=1).mean())

    assert value(DrawDeviation("clean", (KEYS,)), observed) == pytest.approx(noise / spread)
    assert value(DrawDeviation("clean", (KEYS,), spread=False), observed) == pytest.approx(noise)


def test_planted_noise_is_found(judged):
    observed = judged(2, 20_000)

    assert value(DrawDeviation("clean", (KEYS,)), observed) == pytest.approx(TRUTH, rel=0.02)
    assert value(NoiseShare("clean", (KEYS,)), observed) == pytest.approx(0.2, rel=0.03)
    assert value(NoiseShare("clean", (KEYS,), averaged=True), observed) == pytest.approx(
        1 / 13, rel=0.03
    )


def test_the_interval_holds_the_planted_noise(judged):
    found = [
        estimate(DrawDeviation("clean", (KEYS,)), judged(seed, 40), draws=300)[0]
        for seed in range(200)
    ]
    values = np.array([one.value for one in found])
    above, below = (
        np.mean([one.low > TRUTH for one in found]),
        np.mean([one.high < TRUTH for one in found]),
    )
    width = np.mean([one.high - one.low for one in found])

    assert values.mean() == pytest.approx(TRUTH, abs=4 * values.std() / np.sqrt(200))
    assert max(above, below) <= 0.025 + 4 * 0.011  # of the share of 200 data sets
    assert width < 1.8 * 2 * 1.96 * values.std()


def test_a_judge_without_noise_has_none(judged):
    observed = judged(3, 40, noise=0.0)
    found, _ = estimate(DrawDeviation("clean", (KEYS,)), observed, draws=100)

    assert found.value == pytest.approx(0, abs=1e-9)
    assert value(NoiseShare("clean", (KEYS,)), observed) == pytest.approx(0, abs=1e-9)


def test_a_judge_that_is_all_noise_leaves_nothing_to_the_candidates(observe):
    rng = np.random.default_rng(4)
    draws = rng.normal(size=(DRAWS, 400))
    draws += 0.1 * (draws - draws.mean(axis=0))  # a mean that varies less than its draws explain
    scores = {"clean": draws.mean(axis=0), **dict(zip(KEYS, draws, strict=True))}
    observed = observe(scores, segment=np.repeat(np.arange(100), 4))

    assert value(NoiseShare("clean", (KEYS,)), observed) == 1.0


def test_one_candidate_per_segment_has_no_spread_and_raw_units_are_offered(judged, observe):
    scores = judged(5, 40).scores
    spreads, _ = estimate(DrawDeviation("clean", (KEYS,)), observe(scores), draws=100)
    raw, _ = estimate(DrawDeviation("clean", (KEYS,), spread=False), observe(scores), draws=100)

    assert spreads.value is None
    assert "use unit: raw" in spreads.note
    assert raw.value == pytest.approx(NOISE, rel=0.2)


def test_the_variances_of_perturbation_seeds_are_averaged(observe):
    scores = {"clean": [1.0, 0.0], "a": [0.0, 0.0], "b": [2.0, 2.0], "c": [0.0, 0.0], "d": [0, 0]}
    observed = observe(scores, segment=[0, 0])
    statistic = DrawDeviation("clean", (("a", "b"), ("c", "d")), spread=False)

    assert value(statistic, observed) == pytest.approx(1.0)
