"""What the tests of studies share."""

import pytest
from study_files import flores, wmt19, write

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


@pytest.fixture
def few(tmp_path):
    """A folder with one pair of each kind."""
    folder = tmp_path / "few"
    folder.mkdir()
    write(folder / "wmt19-gu-en.jsonl", wmt19("gu-en", 4))
    write(folder / "wmt21-flores-hi-bn.jsonl", flores("hi-bn", 4))
    return folder
