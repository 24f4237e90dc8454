"""On simulated data the intervals miss as often as they say, and the verdicts err as rarely.

All data sets share one matrix of bootstrap_weights, so that hundreds of bootstraps are one product.
"""

from dataclasses import dataclass

import numpy as np
import pytest

from shakeproof.results import Bounds, Verdict
from shakeproof.stats.intervals import NORMAL, tail
from shakeproof.stats.kinds.agreement import correlation, difference
from shakeproof.stats.kinds.coefficients import Pearson
from shakeproof.stats.kinds.pairs import WmtKendall
from shakeproof.stats.observations import Candidates, Observations
from shakeproof.stats.rows import preference_pairs
from shakeproof.stats.verdicts import compare
from shakeproof.stats.weights import bootstrap_weights

SETS, DRAWS = 500, 999
COEFFICIENTS = {"wmt-kendall": WmtKendall(rating_gap=2), "pearson": Pearson()}
# from 16 simulated simulated of 300,000 segments each; standard errors .00013 and .00008
TRUTH = {("wmt-kendall", "noisy"): 0.0749, ("pearson", "noisy"): 0.0802}


@dataclass(frozen=True)
class Bootstrapped:
    """Drops in many data sets: their values and intervals."""

    value: np.ndarray
    low: np.ndarray
    high: np.ndarray

    def verdicts(self, bounds):
        pairs = zip(self.low, self.high, strict=True)
        found = [compare(bounds, low, high) for low, high in pairs]
        return {verdict: found.count(verdict) / len(found) for verdict in Verdict}


def simulate(segments, seed):
    """Make 500 data sets of clustered, tied judgements of five candidates, as rows of one table."""
    rng = np.random.default_rng(seed)
    spread = np.exp(0.5 * rng.normal(size=(SETS, segments, 1)))
    quality = rng.normal(size=(SETS, segments, 5))
    human = np.round(2 * quality + rng.normal(size=quality.shape)).clip(-3, 2)
    clean, twin = (quality + spread * rng.normal(size=quality.shape) for _ in range(2))
    noisy = clean + 0.8 * spread * rng.normal(size=quality.shape)
    total = SETS * segments
    candidates = Candidates(
        segments=total,
        segment=np.repeat(np.arange(total), 5),
        rating=human.ravel(),
        pairs=np.empty((0, 2), np.int64),
        group=np.zeros(total, np.int64),
    )
    scores = {"clean": clean.ravel(), "twin": twin.ravel(), "noisy": noisy.ravel()}
    return Observations(candidates, scores, {})


def drop_of(coefficient, other):
    return difference(correlation(coefficient, ["clean"]), correlation(coefficient, [other]))


def bootstrap(statistic, sums, effective):
    """Resample the rows of each data set's table: (sets, units, k)."""
    _, units, _ = sums.shape
    (drawn,) = bootstrap_weights(units, DRAWS, seed=11, step=DRAWS)
    totals = np.einsum("bu,suk->bsk", drawn, sums, optimize=True)
    outside = tail(0.95, effective)
    low, high = np.quantile(statistic.value(totals), [outside, 1 - outside], axis=0)
    return Bootstrapped(statistic.value(sums.sum(axis=1)), low, high)


def bootstrap_drop(name, other, segments, observed):
    """Bootstrap the drop of a coefficient in each of the simulated data sets."""
    statistic = drop_of(COEFFICIENTS[name], other)
    sums = statistic.sums(observed).reshape(SETS, segments, -1)
    return bootstrap(statistic, sums, segments)


@pytest.fixture(scope="module", params=[30, 100], ids=["30 segments", "100 segments"])
def simulated(request):
    return request.param, simulate(request.param, seed=request.param)


@pytest.mark.parametrize("other", ["twin", "noisy"])
@pytest.mark.parametrize("name", COEFFICIENTS)
def test_intervals_miss_one_time_in_forty_on_each_side(name, other, simulated):
    found = bootstrap_drop(name, other, *simulated)
    truth = TRUTH.get((name, other), 0.0)
    above, below = (found.low > truth).mean(), (found.high < truth).mean()

    assert 0.02 <= above + below <= 0.09
    assert max(above, below) <= 0.06


@pytest.mark.parametrize("other", ["twin", "noisy"])
@pytest.mark.parametrize("name", COEFFICIENTS)
def test_at_the_bound_either_verdict_is_rare(name, other, simulated):
    found = bootstrap_drop(name, other, *simulated)
    share = found.verdicts(Bounds(high=TRUTH.get((name, other), 0.0)))

    assert share[Verdict.FAIL] <= 0.06
    assert share[Verdict.PASS] <= 0.06
    assert share[Verdict.INCONCLUSIVE] >= 0.90


@pytest.mark.parametrize("segments", [60, 120, 240])
def test_a_planted_drop_is_found_as_often_as_planned(segments):
    found = bootstrap_drop("wmt-kendall", "noisy", segments, simulate(segments, seed=segments))
    planned = NORMAL.cdf(TRUTH["wmt-kendall", "noisy"] / found.value.std() - 1.96)

    assert found.verdicts(Bounds(high=0.0))[Verdict.FAIL] == pytest.approx(planned, abs=0.06)


def test_pairs_taken_as_independent_rows_would_miss_too_often():
    observed = simulate(30, seed=30)
    statistic = drop_of(COEFFICIENTS["wmt-kendall"], "twin")
    rng = np.random.default_rng(11)
    misses = [_misses(statistic, kinds, rng) for kinds in _kinds_of_pairs(observed, 30)]

    assert np.mean(misses) > 0.09


def _kinds_of_pairs(observed, segments):
    """Count each data set's judged pairs by whether they are right before and after: (sets, 4)."""
    better, worse = preference_pairs(observed.candidates, rating_gap=2).T
    owner = observed.candidates.segment[better] // segments
    before, after = (
        observed.scores[name][better] - observed.scores[name][worse] > 1e-6
        for name in ("clean", "twin")
    )
    kind = 2 * before + after
    return np.stack([np.bincount(owner[kind == k], minlength=SETS) for k in range(4)], axis=1)


def _misses(statistic, kinds, rng):
    """Resample pairs one by one, which is a multinomial draw of their kinds."""
    pairs = kinds.sum()
    rows = np.array([[k >= 2, 1, k % 2, 1] for k in range(4)], dtype=float)
    drawn = statistic.value(rng.multinomial(pairs, kinds / pairs, DRAWS) @ rows)
    outside = tail(0.95, pairs)
    low, high = np.quantile(drawn, [outside, 1 - outside])
    return low > 0 or high < 0
