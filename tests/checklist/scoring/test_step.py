"""The scoring step: what is missing is scored once, and what is there is looked up once."""

import pytest

from shakeproof.metrics.engine.cache import Cache
from shakeproof.metrics.engine.memory import Memory
from shakeproof.runs.config import RunConfig
from shakeproof.runs.driver import Driver
from shakeproof.scoring.kept_columns import KeptColumns
from shakeproof.spec.read import load

TEXT = """\
checklist: letters
data: sample
language: en
metrics: {chrf: chrf}
checks:
  - check: capitals do not matter
    perturb: {upper-case: {on: candidate}}
    expect: {score_change: {at_most: 0.2}}
"""
CANDIDATES = 696  # of the sample


@pytest.fixture
def judge_all(written, tmp_path, monkeypatch, counting_cache):
    """Run the checklist with an empty memory; return the values and the lookups in the cache."""
    path = written(TEXT)
    monkeypatch.setattr(Memory, "keep", lambda *_: None)

    def run(limit=None):
        with counting_cache(tmp_path / "scores.sqlite") as cache:
            driver = Driver(RunConfig(offline=True, limit=limit, search=0), cache)
            plan = driver.plan(load(path))
            driver.score((path, item) for item in plan.items)
            values = [driver.evaluate(path, item).estimate.value for item in plan.items]
            return values, cache.lookups

    return run


def test_a_run_that_lacks_nothing_looks_each_score_up_once(judge_all, monkeypatch):
    monkeypatch.setattr(KeptColumns, "find", lambda *_: None)  # as for families of the user
    first, _ = judge_all()
    again, lookups = judge_all()

    assert again == first
    assert len(lookups) == 2 * CANDIDATES
    assert set(lookups.values()) == {1}


def test_a_run_that_lacks_some_scores_them(judge_all, tmp_path):
    judge_all(limit=20)
    with Cache(tmp_path / "scores.sqlite") as few:
        assert sum(few.info().scores.values()) < 2 * CANDIDATES
    judge_all()

    with Cache(tmp_path / "scores.sqlite") as all_of_them:
        assert sum(all_of_them.info().scores.values()) == 2 * CANDIDATES
