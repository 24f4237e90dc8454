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
from shakeproof.metrics.models import attention_mask, encoder, seq2seq  # noqa: E402
from shakeproof.metrics.models.attention_mask import FULL_ATTENTION  # noqa: E402
from shakeproof.metrics.models.batches import run_batches  # noqa: E402
from shakeproof.metrics.models.encoder import load_encoder  # noqa: E402
from shakeproof.metrics.models.seq2seq import load_seq2seq  # noqa: E402
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


BATCH = 128  # tokens; the texts below make several batches of it
LONG_TEXTS = [" ".join("abcdefgh"[: 1 + n % 8]) + " xyz" * (n % 5) for n in range(60)]
LONG_PAIRS = list(zip(LONG_TEXTS, LONG_TEXTS[1:] + LONG_TEXTS[:1], strict=True))


@pytest.fixture
def batches(monkeypatch):
    """Count the batches, of few tokens."""
    counted, work_through = [], run_batches

    def run(lengths, work, budget, kinds=None):
        def noted(batch):
            work(batch)
            counted.append(batch)

        return work_through(lengths, noted, budget, kinds)

    monkeypatch.setitem(encoder.BUDGETS, "cuda", BATCH)
    for module in (encoder, seq2seq):
        monkeypatch.setattr(module, "run_batches", run)
    load_encoder.cache_clear()  # those with other budgets
    load_seq2seq.cache_clear()
    yield counted
    load_encoder.cache_clear()
    load_seq2seq.cache_clear()


# Besides batches, BERTScore sends where the tokens of texts begin, and their weights; cosine the
# pairs. MoverScore reads the vectors, because the host solves its linear programmes.
SENT_ONCE = {"bertscore": 2, "cosine": 1, "moverscore": 1, "bartscore": 0}


@pytest.mark.parametrize("name", SCORERS)
def test_each_batch_is_one_transfer_and_scores_come_back_once(build, batches, name):
    with SimulatedDevices():
        scorer = build(name, "cuda:0")
        scorer.score(LONG_PAIRS[:1])  # loads the model
    batches.clear()
    with SimulatedDevices() as devices:
        scores = scorer.score(LONG_PAIRS)
    kind = name.partition(",")[0].partition(" ")[0]

    assert len(batches) >= 5
    assert len(devices.sent) == len(batches) + SENT_ONCE[kind]
    assert len(devices.returned) == 1
    np.testing.assert_allclose(scores, build(name, "cpu").score(LONG_PAIRS), atol=CLOSE)


@pytest.mark.parametrize("name", [name for name, (model, *_) in SCORERS.items() if model == "bert"])
def test_the_host_waits_for_the_device_once(build, batches, name):
    with SimulatedDevices():
        scorer = build(name, "cuda:0")
        scorer.score(LONG_PAIRS[:1])
    with SimulatedDevices() as devices:
        scorer.score(LONG_PAIRS)

    assert devices.waits == ["cuda to cpu"]


@pytest.mark.model
@pytest.mark.parametrize("options", [BertScoreOptions(), CosineOptions()], ids=["bert", "cosine"])
def test_minilm_rates_on_a_device_as_on_the_cpu(options):
    on_cpu, on_device = (
        options.build({}, Settings(device, "float32", offline=True)).scorer
        for device in ("cpu", "cuda:0")
    )
    with SimulatedDevices():
        on_device.score(PAIRS[:1])
    with SimulatedDevices() as devices:
        scores = on_device.score(PAIRS)

    np.testing.assert_allclose(scores, on_cpu.score(PAIRS), atol=CLOSE)
    assert devices.waits == ["cuda to cpu"]


@pytest.mark.parametrize("kind", sorted({*FULL_ATTENTION} - {"camembert"}))
def test_models_with_full_attention_take_a_mask_of_four_axes(tiny, kind):
    with SimulatedDevices():
        loaded = load_encoder.__wrapped__(tiny(kind), "cuda:0", "float32")
        other = load_encoder.__wrapped__(tiny("modernbert"), "cuda:0", "float32")

    assert loaded.four_axes
    assert not other.four_axes


def test_a_mask_that_changes_the_output_is_not_used(tiny, monkeypatch):
    monkeypatch.setattr(attention_mask, "FULL_ATTENTION", ("mpnet", "deberta-v2"))
    with SimulatedDevices():
        loaded = [
            load_encoder.__wrapped__(tiny(kind), "cuda:0", "float32")
            for kind in ("mpnet", "deberta-v2")
        ]

    assert [model.four_axes for model in loaded] == [False, False]


@pytest.mark.parametrize(
    "name", ["bertscore, the last layer", "cosine, mean", "moverscore", "bartscore"]
)
def test_out_of_memory_halves_the_batches_of_that_device_alone(build, batches, name, monkeypatch):
    monkeypatch.setitem(encoder.BUDGETS, "cuda", BATCH * 100)
    load = load_seq2seq if name == "bartscore" else load_encoder
    with SimulatedDevices():
        scorers = [build(name, device) for device in ("cuda:0", "cuda:1")]
        models = [load(*scorer.runtime.resolve()) for scorer in scorers]
    with SimulatedDevices() as devices:
        expected = [scorer.score(LONG_PAIRS) for scorer in scorers]
    needed = len(batches)
    with SimulatedDevices(largest=devices.largest_seen - 1):
        scores = scorers[0].score(LONG_PAIRS)

    np.testing.assert_allclose([scores, scores], expected, atol=CLOSE)
    assert len(batches) - needed > needed / 2
    assert models[0].budget < models[1].budget == BATCH * 100
