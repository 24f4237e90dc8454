"""The scoring step: what is missing is scored once, and what is there is looked up once."""

from collections import Counter

import pytest

from shakeproof.metrics.engine.cache import Cache
from shakeproof.metrics.engine.memory import Memory
from shakeproof.runs.config import RunConfig
from shakeproof.runs.driver import Driver
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


class Counting(Cache):
    """A cache that counts how often it is asked for each score."""

    def __init__(self, path):
        super().__init__(path)
        self.asked = Counter()

    def find(self, asked):
        for signature, tuples in asked.items():
            self.asked.update((signature, texts) for texts in set(tuples))
        return super().find(asked)


@pytest.fixture
def judged(written, tmp_path, monkeypatch):
    """Run the checklist with the scores so far and no room to remember any; give the cache."""
    path = written(TEXT)
    monkeypatch.setattr(Memory, "keep", lambda *_: None)

    def run(limit=None):
        with Counting(tmp_path / "scores.sqlite") as cache:
            driver = Driver(RunConfig(offline=True, limit=limit, search=0), cache)
            plan = driver.plan(load(path))
            driver.score((path, item) for item in plan.items)
            return [driver.evaluate(path, item).estimate.value for item in plan.items], cache.asked

    return run


def test_a_run_that_lacks_nothing_looks_each_score_up_once(judged):
    first, _ = judged()
    again, asked = judged()

    assert again == first
    assert len(asked) == 2 * CANDIDATES
    assert set(asked.values()) == {1}


def test_a_run_that_lacks_some_scores_them(judged, tmp_path):
    judged(limit=20)
    with Cache(tmp_path / "scores.sqlite") as few:
        assert sum(few.info().scores.values()) < 2 * CANDIDATES
    judged()

    with Cache(tmp_path / "scores.sqlite") as all_of_them:
        assert sum(all_of_them.info().scores.values()) == 2 * CANDIDATES
