"""Expectations assessed on scores under noise; and the simulation of wrong verdicts."""

import sys
from importlib import import_module
from pathlib import Path

import numpy as np
import pytest
from compared_scores import LEVELS, ONE_LEVEL, graded_scores

from shakeproof.expectations import EXPECTATIONS
from shakeproof.expectations.assess import assess

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
    scores, grade, segment = graded_scores(np.random.default_rng(12))
    observed = observe(scores, segment=segment, rating=grade)

    def run(name, **settings):
        expectation = EXPECTATIONS[name](**settings)
        compared = LEVELS if expectation.over_levels else ONE_LEVEL
        return assess(expectation, compared, observed, draws=2_000)

    return run
