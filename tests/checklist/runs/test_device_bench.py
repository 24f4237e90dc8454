"""The benchmark of a device: its texts, its stored scores, and what it measures."""

import json
import math
from importlib.resources import files

import numpy as np
import pytest
from simulated_device import report_gpus

from shakeproof.errors import SpecError
from shakeproof.metrics.models.files import BYTE_MINI_SHA256, MINILM_SHA256
from shakeproof.runs import device_bench
from shakeproof.runs.device_bench import (
    PAIRS,
    STORED,
    Deviation,
    Speed,
    bench_pairs,
    bench_scorer,
    deviation,
    pairs_sha256,
    run_bench,
)


def stored():
    return json.loads((files("shakeproof") / "samples" / STORED).read_text("utf-8"))


def test_the_pairs_are_distinct_and_out_of_the_whole_sample():
    pairs = bench_pairs()

    assert len(set(pairs)) == len(pairs) == PAIRS
    assert 10 < np.mean([len(text.split()) for pair in pairs for text in pair]) < 40


def test_the_stored_scores_belong_to_the_pairs_and_to_official_weights():
    content = stored()

    assert content["pairs"] == pairs_sha256(bench_pairs()), "run: python tools/doctor_scores.py"
    assert content["scores"].keys() == {f"{MINILM_SHA256}/6", f"{BYTE_MINI_SHA256}/3"}
    assert all(len(scores) == PAIRS for scores in content["scores"].values())
    assert content["versions"].keys() == {"torch", "transformers", "tokenizers"}


@pytest.mark.model
@pytest.mark.parametrize("model", ["minilm", "byte-mini"])
def test_scores_on_this_cpu_are_the_stored_ones(model):
    scorer = bench_scorer(model, "cpu", "float32")
    found = deviation(scorer, scorer.score(bench_pairs()))

    assert found.tolerance == 1e-4
    assert found.is_within


@pytest.mark.model
def test_other_texts_have_no_stored_scores(monkeypatch):
    scorer = bench_scorer("byte-mini", "cpu", "float32")
    monkeypatch.setattr(device_bench, "bench_pairs", lambda: (("a", "b"),))

    assert deviation(scorer, np.zeros(1)) is None


@pytest.mark.model
def test_scores_in_half_precision_have_the_tolerance_of_half_precision():
    scorer = bench_scorer("byte-mini", "cpu", "bfloat16")
    scores = np.array(stored()["scores"][f"{BYTE_MINI_SHA256}/3"])
    found = deviation(scorer, scores + 4e-3)

    assert found.tolerance == 5e-3
    assert found.is_within


@pytest.mark.parametrize(
    ("largest", "within"),
    [
        pytest.param(1e-4, True, id="equal to the tolerance"),
        pytest.param(1.1e-4, False, id="above"),
        pytest.param(math.nan, False, id="a missing score"),
    ],
)
def test_scores_are_right_up_to_the_tolerance(largest, within):
    assert Deviation(largest, 1e-4, {}).is_within is within


@pytest.mark.model
def test_the_benchmark_measures_speed_against_matrix_products(monkeypatch):
    monkeypatch.setattr(device_bench, "bench_pairs", lambda: (("a cat", "a dog"),) * 2)
    monkeypatch.setattr(device_bench, "matmul_rate", lambda device, precision: 1e12)
    bench = run_bench("byte-mini", "cpu", "auto")
    speed = bench.speed
    length = len("a cat") + 1  # bytes, and the end of the text

    assert (bench.model, bench.layer, bench.layers) == ("byte-mini", 3, 3)
    assert (bench.device, bench.precision, bench.deviation) == ("cpu", "float32", None)
    assert (speed.texts, speed.tokens, len(speed.seconds)) == (2, 2 * length, 3)
    assert speed.operations == 2 * 3 * 2 * length * (8 * 256 * 256 + 2 * length * 256)


def test_the_share_of_matmul_is_a_ratio_of_rates():
    speed = Speed(1, 1, (1.0, 2.0, 9.0), 250.0, matmul_rate=4e9, operations=4 * 10**9)

    assert speed.share_of_matmul == 0.5


def test_without_known_operations_there_is_no_share():
    assert Speed(1, 1, (1.0,), 500.0, matmul_rate=4e9, operations=None).share_of_matmul is None


@pytest.mark.model
@pytest.mark.parametrize(
    ("device", "message"),
    [
        pytest.param("cuda:3", r"cuda:3: this machine has 2 \(cuda:0, cuda:1\)", id="number"),
        pytest.param("cdua", "unknown device 'cdua'; did you mean 'cuda'", id="name"),
        pytest.param("cuda:0,cuda:1", "one device at a time, got 'cuda:0,cuda:1'", id="several"),
    ],
)
def test_a_device_that_cannot_be_measured_is_named(monkeypatch, device, message):
    report_gpus(monkeypatch, 2)

    with pytest.raises(SpecError, match=message):
        run_bench("byte-mini", device, "auto")


@pytest.mark.model
@pytest.mark.parametrize(
    ("model", "precision", "message"),
    [
        pytest.param("no/such-model", "auto", "no model 'no/such-model'", id="model"),
        pytest.param("byte-mini", "float8", "unknown precision 'float8'", id="precision"),
    ],
)
def test_mistakes_are_errors_of_one_line(model, precision, message):
    with pytest.raises(SpecError, match=message):
        run_bench(model, "cpu", precision)
