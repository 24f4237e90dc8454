"""The cosine of sentence vectors equals what the model's own output gives by hand."""

import numpy as np
import pytest

from shakeproof.metrics.kinds.cosine import CosineOptions, CosineScorer
from shakeproof.metrics.models.encoder import load_encoder
from shakeproof.metrics.models.runtime import ModelRuntime
from shakeproof.metrics.models.truncation import Truncation
from shakeproof.metrics.protocols import Instance
from shakeproof.metrics.settings import Settings

PAIRS = [("the cat sat", "a cat was sitting on the mat"), ("hello", "hello"), ("a b", "9 !")]


def scorer(model_files, pooling="mean"):
    return CosineScorer(ModelRuntime(model_files, "cpu", "float32"), pooling)


def by_hand(model_files, text, pooling):
    """Run the model on one text alone, where nothing is padded."""
    import torch

    encoder = load_encoder(model_files, "cpu", "float32")
    with torch.no_grad():
        output = encoder.model(torch.tensor(encoder.tokenize([text])))
    states = output.last_hidden_state[0]
    found = {"mean": states.mean(0), "cls": states[0]}.get(pooling)
    return (output.pooler_output[0] if found is None else found).double().numpy()


@pytest.mark.parametrize("pooling", ["mean", "cls", "head"])
@pytest.mark.parametrize("kind", ["bert", "roberta"])
def test_a_score_is_the_cosine_of_the_pooled_states(tiny, kind, pooling):
    model_files = tiny(kind)
    vectors = [[by_hand(model_files, text, pooling) for text in pair] for pair in PAIRS]
    expected = [a @ b / np.linalg.norm(a) / np.linalg.norm(b) for a, b in vectors]

    np.testing.assert_allclose(scorer(model_files, pooling).score(PAIRS), expected, atol=1e-6)


def test_a_model_without_a_head_is_refused(tiny):
    with pytest.raises(ValueError, match="no head over its first token; use cls or mean"):
        scorer(tiny("byt5"), "head").score(PAIRS)


@pytest.mark.parametrize("pair", [("", "hello"), ("hello", "  "), ("", "")])
def test_the_cosine_with_an_empty_text_is_zero(tiny, pair):
    assert scorer(tiny("bert")).score([pair, ("hello", "hello")]) == pytest.approx([0, 1])


def test_a_pair_scores_the_same_whatever_else_is_rated(tiny):
    rated = scorer(tiny("bert"))
    alone = [rated.score([pair])[0] for pair in PAIRS]

    np.testing.assert_allclose(rated.score(PAIRS), alone, atol=1e-6)


def test_the_signature_names_model_and_pooling(tiny):
    model_files = tiny("bert")
    signatures = {scorer(model_files, pooling).signature for pooling in ("mean", "cls", "head")}

    assert len(signatures) == 3
    assert scorer(model_files).signature.startswith("cosine|model:bert|weights:")


def test_what_the_model_cuts_off_is_counted(tiny):
    metric = CosineOptions(model=str(tiny("bert").folder)).build({}, Settings(offline=True))
    (comparison, *_) = Truncation(metric).needs(Instance("a " * 600, ("a",)))
    overflow, texts = comparison

    assert overflow.score([texts]) == [90]


@pytest.mark.model
def test_minilm_finds_a_paraphrase_closer_than_another_topic(minilm_files):
    close, far = scorer(minilm_files).score(
        [("The cat sat on the mat.", "A cat was sitting on the mat."), ("The cat sat.", "Buy gold")]
    )

    assert close > 0.8 > 0.4 > far
