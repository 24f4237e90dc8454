"""Expectations assessed on scores under noise; and the simulation of wrong verdicts."""

import sys
from importlib import import_module
from pathlib import Path

import numpy as np
import pytest

from shakeproof.expectations import EXPECTATIONS
from shakeproof.expectations.assess import assess
from shakeproof.stats.observations import ComparedScores

BENCHMARKS = Path(__file__).parents[3] / "benchmarks"


@pytest.fixture(scope="session")
def simulation():
    """Import the populations and the measurement of errors."""
    sys.path.insert(0, str(BENCHMARKS))
    try:
        return import_module("populations"), import_module("coverage")
    finally:
        sys.path.remove(str(BENCHMARKS))


@pytest.fixture
def check(observe):
    """Assess an expectation on 60 segments of 5 graded candidates under growing noise."""
    rng = np.random.default_rng(12)
    quality = rng.normal(size=300)
    grade = np.round(2 * quality + rng.normal(size=300)).clip(-3, 2)
    clean = quality + 0.5 * rng.normal(size=300)
    error = rng.normal(size=300)
    scores = {
        "clean": clean,
        "noisy": clean + 0.8 * error - 0.5,
        "noisier": clean + 1.6 * error - 1.0,
        "other": quality + 0.5 * rng.normal(size=300),
        "other noisy": rng.normal(size=300),
        "other noisier": rng.normal(size=300),
        "third": rng.uniform(size=300),
    }
    observed = observe(scores, segment=np.repeat(np.arange(60), 5), rating=grade)
    others = {
        "other": ComparedScores("other", (0.3, 0.6), (("other noisy",), ("other noisier",))),
        "third": ComparedScores("third"),
    }
    levels = ComparedScores("clean", (0.3, 0.6), (("noisy",), ("noisier",)), others)
    one = ComparedScores("clean", (0.3,), (("noisy",),), others)

    def run(name, **settings):
        expectation = EXPECTATIONS[name](**settings)
        compared = levels if expectation.over_levels else one
        return assess(expectation, compared, observed, draws=2_000)

    return run
