"""Keys are counted once, in little memory."""

import pytest

from shakeproof.metrics.engine import distinct
from shakeproof.metrics.engine.cache import key
from shakeproof.metrics.engine.distinct import DistinctKeys


@pytest.mark.parametrize("most", [1, 10, 1_000], ids=["always merged", "merged", "merged once"])
def test_every_key_counts_once(monkeypatch, most):
    monkeypatch.setattr(distinct, "MAX_ADDED", most)
    keys = DistinctKeys()
    for start in (0, 20, 40, 0):
        keys.add(key((str(number),)) for number in range(start, start + 30))

    assert len(keys) == 70
    assert len(keys) == 70


def test_there_may_be_no_keys():
    assert len(DistinctKeys()) == 0
