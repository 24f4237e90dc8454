import sys
from types import SimpleNamespace

import pytest

from shakeproof.metrics.failures import RatingFailed
from shakeproof.metrics.kinds import adapters
from shakeproof.metrics.kinds.adapters import EvaluateOptions, TorchmetricsOptions
from shakeproof.metrics.protocols import Instance
from shakeproof.metrics.settings import Settings

ITEM = Instance("the cat sat on the mat", ("a cat sat on the mat", "there is a cat on the mat"))


@pytest.mark.model
def test_a_metric_of_torchmetrics_rates_one_sentence_at_a_time(rate):
    functional = pytest.importorskip("torchmetrics.functional.text")
    options = TorchmetricsOptions(metric="CHRFScore", arguments={"n_word_order": 0})
    metric = options.build({}, Settings())
    expected = functional.chrf_score([ITEM.candidate], [ITEM.references], n_word_order=0).item()

    assert rate(metric, ITEM) == pytest.approx(expected)
    assert rate(metric, ITEM) == pytest.approx(expected)
    assert metric.signature.startswith(
        'CHRFScore|{"n_word_order": 0}|output:None|nested:True|torchm'
    )


@pytest.mark.model
def test_one_of_several_results_is_named_by_output(rate):
    pytest.importorskip("torchmetrics")
    options = {"metric": "ROUGEScore", "arguments": {"rouge_keys": "rougeL"}}
    named = TorchmetricsOptions(**options, output="rougeL_fmeasure").build({}, Settings())
    unnamed = TorchmetricsOptions(**options).build({}, Settings())

    assert rate(named, ITEM) == pytest.approx(10 / 12)
    with pytest.raises(RatingFailed, match=r"returns \['rougeL_fmeasure', .*; name one of them"):
        rate(unnamed, ITEM)


def test_a_metric_of_evaluate_is_loaded_by_name_and_computed_with_arguments(monkeypatch, rate):
    calls = []

    def compute(**arguments):
        calls.append(arguments)
        return {"score": [0.25]}

    def load(name):
        calls.append(name)
        return SimpleNamespace(compute=compute)

    monkeypatch.setitem(sys.modules, "evaluate", SimpleNamespace(load=load))
    monkeypatch.setattr(adapters, "find_spec", lambda name: object())
    options = EvaluateOptions(
        metric="own", arguments={"beta": 2}, output="score", references="each"
    )
    metric = options.build({}, Settings())

    assert rate(metric, Instance("c", ("r",))) == 0.25
    assert calls == ["own", {"predictions": ["c"], "references": ["r"], "beta": 2}]


def test_a_library_that_is_not_installed_is_refused_with_the_way_out(monkeypatch):
    monkeypatch.setattr(adapters, "find_spec", lambda name: None)
    with pytest.raises(ValueError, match="evaluate is not installed; run pip install evaluate"):
        EvaluateOptions(metric="chrf").build({}, Settings())
