"""Every scorer that uses torch rates on an accelerator as it does on the CPU."""

from dataclasses import replace

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from simulated_device import SimulatedDevices  # noqa: E402 - it imports torch

from shakeproof.metrics.bertscore.scorer import BertScoreOptions  # noqa: E402
from shakeproof.metrics.bertscore.token_similarity import token_similarities  # noqa: E402
from shakeproof.metrics.kinds.bartscore import BartScoreOptions  # noqa: E402
from shakeproof.metrics.kinds.cosine import CosineOptions  # noqa: E402
from shakeproof.metrics.kinds.moverscore import MoverScoreOptions  # noqa: E402
from shakeproof.metrics.settings import Settings  # noqa: E402

REFERENCES = ["the cat sat on the mat, did it not?", "hello there", "a b c d e f g h i j k", "x"]
CANDIDATES = ["a cat sat on a mat", "hello", "the dog ran far away from the house", "", "y"]
PAIRS = [(candidate, reference) for reference in REFERENCES for candidate in CANDIDATES]
CLOSE = 2e-6  # batches are larger on accelerators, so the last digits differ
BASELINES = "LAYER,P,R,F\n" + "".join(f"{n},0.{n}1,0.{n}2,0.{n}3\n" for n in range(4))

SCORERS = {
    "bertscore, a layer": ("bert", BertScoreOptions, {"layer": 1}),
    "bertscore, the last layer": ("bert", BertScoreOptions, {}),
    "bertscore, mean over layers": ("bert", BertScoreOptions, {"layer": "mean"}),
    "bertscore, mean embedding": ("bert", BertScoreOptions, {"layer": "mean-embedding"}),
    "bertscore, layers with a norm": ("byt5", BertScoreOptions, {"layer": "mean"}),
    "bertscore, relative positions": ("deberta-v2", BertScoreOptions, {}),
    "bertscore, idf": ("bert", BertScoreOptions, {"idf": "corpus.txt"}),
    "bertscore, rescaled": ("bert", BertScoreOptions, {"layer": "mean", "rescale": "base.csv"}),
    "cosine, mean": ("bert", CosineOptions, {}),
    "cosine, first token": ("bert", CosineOptions, {"pooling": "cls"}),
    "cosine, head": ("bert", CosineOptions, {"pooling": "head"}),
    "moverscore": ("bert", MoverScoreOptions, {"every_piece": True}),
    "bartscore": ("bart", BartScoreOptions, {}),
    "bartscore of a T5 model": ("byt5-decoding", BartScoreOptions, {}),
}


@pytest.fixture
def build(tiny, tmp_path):
    """Make one of the scorers for a device."""
    (tmp_path / "corpus.txt").write_text("\n".join(REFERENCES))
    (tmp_path / "base.csv").write_text(BASELINES)

    def build(name, device):
        model, options, values = SCORERS[name]
        settings = Settings(device, "float32", folder=tmp_path)
        metric = options(model=str(tiny(model).folder), **values).build({}, settings)
        return metric.scorer

    return build


@pytest.mark.parametrize("device", ["cuda:0", "cuda:1", "mps"])
@pytest.mark.parametrize("name", SCORERS)
def test_scores_are_those_of_the_cpu(build, name, device):
    expected = build(name, "cpu").score(PAIRS)
    with SimulatedDevices():
        scores = build(name, device).score(PAIRS)

    np.testing.assert_allclose(scores, expected, atol=CLOSE)


@pytest.mark.parametrize("layer", ["last", "mean"])
def test_token_similarities_are_those_of_the_cpu(build, layer):
    scorers = [build(f"bertscore, {name}", "cuda:1") for name in ("idf", "mean over layers")]
    scorer = scorers[layer == "mean"]
    on_cpu = replace(scorer, runtime=replace(scorer.runtime, device="cpu"))
    expected = token_similarities(on_cpu, PAIRS, most=100)
    with SimulatedDevices():
        found = token_similarities(scorer, PAIRS, most=100)

    for ours, theirs in zip(found, expected, strict=True):
        assert (ours is None) == (theirs is None)
        if ours and theirs:
            np.testing.assert_allclose(ours.cosines, theirs.cosines, atol=CLOSE)
