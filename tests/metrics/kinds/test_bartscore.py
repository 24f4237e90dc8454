"""BARTScore equals the likelihood that the model's own output gives, token by token."""

import numpy as np
import pytest

from shakeproof.metrics.formulas import PairwiseScorer, ReferenceFree
from shakeproof.metrics.kinds.bartscore import BartScore, BartScoreOptions, LikelihoodScorer
from shakeproof.metrics.models.runtime import ModelRuntime
from shakeproof.metrics.models.seq2seq import load_seq2seq
from shakeproof.metrics.protocols import Instance
from shakeproof.metrics.settings import Settings

PAIRS = [("the cat sat on the mat", "a cat"), ("hi", "hello there, friend"), ("x", "x"), ("", "a")]
LIKELY = {"r": {"c": -1.0}, "c": {"r": -3.0, "q": -1.0}, "q": {"c": -2.0}}


def scorer(model_files):
    return LikelihoodScorer(ModelRuntime(model_files, "cpu", "float32"))


def by_hand(model_files, given, target):
    """Predict one token after the other, each from those before it, and average."""
    import torch

    reader = load_seq2seq(model_files, "cpu", "float32")
    model, tokenizer = reader.model, reader.tokenizer
    read, tokens = (tokenizer(text)["input_ids"] for text in (given, target))
    before, logs = [model.config.decoder_start_token_id], []
    for token in tokens:
        with torch.no_grad():
            output = model(torch.tensor([read]), decoder_input_ids=torch.tensor([before]))
        logs.append(float(output.logits[0, -1].log_softmax(-1)[token]))
        before.append(token)
    return np.mean(logs)


@pytest.mark.parametrize("kind", ["bart", "byt5-decoding"])
def test_a_score_is_the_mean_log_probability_of_each_token_after_those_before(tiny, kind):
    model_files = tiny(kind)
    expected = [by_hand(model_files, *pair) for pair in PAIRS]

    np.testing.assert_allclose(scorer(model_files).score(PAIRS), expected, atol=1e-5)


def test_batches_of_any_size_give_the_same_scores(tiny, monkeypatch):
    model_files = tiny("bart")
    expected = scorer(model_files).score(PAIRS)
    monkeypatch.setattr(load_seq2seq(model_files, "cpu", "float32"), "budget", 1)

    np.testing.assert_allclose(scorer(model_files).score(PAIRS), expected, atol=1e-6)


@pytest.mark.parametrize(
    ("direction", "score"),
    [
        pytest.param("precision", -1.0, id="of the candidate"),
        pytest.param("recall", -1.0, id="of the best reference"),
        pytest.param("f1", -1.5, id="mean of both for the best reference"),
    ],
)
def test_directions_and_references_combine_as_worked_by_hand(direction, score, rate):
    metric = BartScore(
        PairwiseScorer("table", lambda given, target: LIKELY[given][target]), direction
    )
    instance = Instance("c", ("r", "q"))

    assert rate(metric, instance) == score


def test_the_free_kind_reads_the_source():
    metric = ReferenceFree(
        BartScore(PairwiseScorer("table", lambda given, target: 0.0), "precision")
    )
    needs = metric.needs(Instance("c", ("r",), "x"))

    assert [texts for _, texts in needs] == [("x", "c")]


def test_a_score_that_is_not_a_number_stays_one():
    metric = BartScore(PairwiseScorer("table", lambda given, target: 0.0))

    assert np.isnan(metric.combine(Instance("c", ("r",)), [float("nan"), -1.0]))


@pytest.mark.parametrize("text", ["\ud800", "\U0001f600", "word " * 2_000, "שלום"])
def test_odd_texts_have_finite_scores(tiny, text):
    assert np.isfinite(scorer(tiny("bart")).score([(text, "a"), ("a", text)])).all()


def test_a_model_that_only_encodes_is_refused(tiny):
    with pytest.raises(ValueError, match="has no decoder; BARTScore needs one that has"):
        BartScoreOptions(model=str(tiny("bert").folder)).build({}, Settings(offline=True))


def test_the_signature_names_direction_and_model(tiny):
    folder = str(tiny("bart").folder)
    built = [
        BartScoreOptions(model=folder, direction=direction).build({}, Settings(offline=True))
        for direction in ("precision", "recall", "f1")
    ]

    assert len({metric.signature for metric in built}) == 3
    assert built[0].signature.startswith("bartscore-precision|likelihood|model:bart|weights:")
