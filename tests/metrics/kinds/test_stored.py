from math import isnan

import pytest
from pydantic import ValidationError

from shakeproof.metrics.engine.cache import Cache
from shakeproof.metrics.engine.engine import Engine
from shakeproof.metrics.kinds.stored import StoredOptions
from shakeproof.metrics.protocols import Instance
from shakeproof.metrics.registry import METRICS
from shakeproof.metrics.settings import Settings

ITEM = Instance("c", ("r",), stored={"BLEURT-20": 0.25, "TER": 0.5})


def test_a_stored_score_is_read_from_the_data():
    metric = StoredOptions(name="BLEURT-20").build({}, Settings())
    with Cache() as cache:
        engine = Engine(cache)

        assert engine.fill([[(metric, ITEM)]]) == {}
        assert engine.read(metric, [ITEM]).tolist() == [0.25]
    assert metric.requires == {"stored:BLEURT-20"}


def test_a_stored_error_rate_is_negated():
    metric = StoredOptions(name="TER", higher_is_better=False).build({}, Settings())

    assert metric.combine(ITEM, []) == -0.5
    assert metric.signature != StoredOptions(name="TER").build({}, Settings()).signature


def test_a_candidate_without_a_stored_score_has_no_score():
    metric = StoredOptions(name="COMET", higher_is_better=False).build({}, Settings())

    assert isnan(metric.combine(ITEM, []))


def test_a_name_is_all_that_is_needed_and_may_not_be_empty():
    assert METRICS["stored"].scalar == "name"
    with pytest.raises(ValidationError):
        StoredOptions(name="")
