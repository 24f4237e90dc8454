"""What the tests of studies share."""

import pytest

from shakeproof.metrics.engine.cache import Cache
from shakeproof.runs.config import RunConfig
from shakeproof.studies.run import run_study


@pytest.fixture
def working_folder(tmp_path, monkeypatch):
    """An empty working folder."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture(scope="session")
def run_in_memory():
    """A function that runs a prepared study with a cache in memory."""

    def run(available, **options):
        with Cache() as cache:
            config = RunConfig(**{"search": 0, **options})
            return run_study(available, config, cache, command="shakeproof study")

    return run
