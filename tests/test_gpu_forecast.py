"""The forecast for GPUs counts the texts and operations that the benchmark of a device has."""

import gpu_forecast
import pytest
from gpu_forecast import BYTES, MODELS, WORD_PIECES, Gpu, forecast, operations_per_pair

from shakeproof.metrics.models.encoder import load_encoder
from shakeproof.metrics.models.files import read_config
from shakeproof.metrics.models.operations import count_operations, layer_shape
from shakeproof.runs.device_bench import PAIRS, bench_pairs, bench_scorer

MINILM = MODELS[0]


def texts():
    return sorted({text for pair in bench_pairs() for text in pair})


def test_the_texts_are_those_of_the_benchmark():
    assert (len(bench_pairs()), len(texts())) == (gpu_forecast.PAIRS, gpu_forecast.TEXTS)
    assert sum(len(text.strip().encode()) + 1 for text in texts()) == BYTES.count


@pytest.mark.model
def test_a_pair_costs_as_many_operations_as_in_the_benchmark():
    scorer = bench_scorer("minilm", "cpu", "float32")
    tokens = load_encoder(*scorer.runtime.resolve()).tokenize(texts())
    shape = layer_shape(read_config(scorer.runtime.model))
    counted = count_operations(shape, 6, map(len, tokens)) / PAIRS

    assert sum(map(len, tokens)) == WORD_PIECES.count
    assert shape == MINILM.shape
    assert operations_per_pair(MINILM) == pytest.approx(counted, rel=0.01)


@pytest.mark.parametrize(
    ("gpu", "limit"),
    [
        pytest.param(Gpu("slow", 1e12, 1e15, ""), "arithmetic", id="arithmetic"),
        pytest.param(Gpu("narrow", 1e18, 1e9, ""), "memory", id="memory"),
        pytest.param(Gpu("ideal", 1e18, 1e15, ""), "host", id="host"),
    ],
)
def test_the_slowest_part_limits_the_forecast(gpu, limit):
    assert forecast(MINILM, gpu).limit == limit


def test_a_forecast_has_two_digits():
    assert gpu_forecast.rounded(26_431.7) == "26,000"
    assert gpu_forecast.rounded(719.2) == "720"
