"""What users build metrics with is imported from `shakeproof.metrics`, at first use."""

import subprocess
import sys

import pytest

from shakeproof import metrics
from shakeproof.metrics.engine.cache import Cache
from shakeproof.metrics.engine.engine import Engine


@pytest.mark.parametrize("name", metrics.__all__)
def test_every_name_that_is_offered_exists(name):
    assert getattr(metrics, name) is not None
    assert name in dir(metrics)


def test_a_name_that_is_not_offered_is_an_attribute_error():
    with pytest.raises(AttributeError, match="has no attribute 'Scoring'"):
        _ = metrics.Scoring


def test_importing_the_package_imports_none_of_its_modules():
    code = (
        "import sys, shakeproof.metrics as m; print([n for n in sys.modules if n == 'numpy'"
        " or n.startswith('shakeproof.metrics.')])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert done.stdout.strip() == "[]"


def test_a_metric_of_ones_own_takes_nothing_else():
    class Shared(metrics.Options):
        summary = "words in common"

        def build(self, others, settings):
            common = metrics.PairwiseScorer("common", lambda c, r: len({*c.split()} & {*r.split()}))
            return metrics.BestReference(common)

    metric = metrics.reference_free(Shared)().build({}, metrics.Settings())
    instance = metrics.Instance("a b", ("c",), "b a")
    with Cache() as cache:
        engine = Engine(cache)
        engine.fill([[(metric, instance)]])

        assert engine.read(metric, [instance]).tolist() == [2.0]
