"""The simulation of wrong verdicts, which is among the benchmarks."""

import sys
from importlib import import_module
from pathlib import Path

import pytest

BENCHMARKS = Path(__file__).parents[3] / "benchmarks"


@pytest.fixture(scope="session")
def simulation():
    """Import the populations and the measurement of errors."""
    sys.path.insert(0, str(BENCHMARKS))
    try:
        return import_module("populations"), import_module("coverage")
    finally:
        sys.path.remove(str(BENCHMARKS))
