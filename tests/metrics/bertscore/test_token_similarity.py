"""Token matrices show what BERTScore matches: its score can be read off them."""

import numpy as np
import pytest

from shakeproof.metrics.bertscore.scorer import BertScorer
from shakeproof.metrics.bertscore.token_similarity import token_similarities
from shakeproof.metrics.models.encoder import load_encoder
from shakeproof.metrics.models.runtime import ModelRuntime

PAIRS = [
    ("the cat sat on the mat", "a cat was sitting on a mat"),
    ("hello there, my friend!", "hi friend."),
    ("one", "one"),
]
SPECIAL = ("[CLS]", "[SEP]")


def scorer(model_files, layer, part="precision"):
    return BertScorer(ModelRuntime(model_files, "cpu"), layer, part)


def closest(found, axis):
    """Average the closest matches of the tokens that count."""
    tokens = found.candidate if axis == 1 else found.reference
    counts = [token not in SPECIAL for token in tokens]
    return found.cosines.max(axis=axis)[counts].mean()


@pytest.mark.parametrize("layer", [0, 2, 3])
def test_precision_and_recall_can_be_read_off(tiny, layer):
    model_files = tiny("bert")
    found = token_similarities(scorer(model_files, layer), PAIRS, most=99)
    precision, recall = (
        scorer(model_files, layer, part).score(PAIRS) for part in ("precision", "recall")
    )

    np.testing.assert_allclose([closest(one, 1) for one in found], precision, atol=1e-5)
    np.testing.assert_allclose([closest(one, 0) for one in found], recall, atol=1e-5)


def test_a_mean_over_layers_is_the_mean_of_their_cosines(tiny):
    model_files = tiny("bert")
    layers = [token_similarities(scorer(model_files, n), PAIRS[:1], most=99)[0] for n in range(4)]
    (mean,) = token_similarities(scorer(model_files, "mean"), PAIRS[:1], most=99)

    expected = np.mean([one.cosines for one in layers], axis=0)
    np.testing.assert_allclose(mean.cosines, expected, atol=1e-6)


def test_tokens_are_named_as_the_model_cuts_them(tiny):
    (found,) = token_similarities(scorer(tiny("bert"), 1), [("Ab c", "d")], most=9)

    assert found.candidate == ("[CLS]", "a", "##b", "c", "[SEP]")
    assert found.reference == ("[CLS]", "d", "[SEP]")
    assert found.cosines.shape == (5, 3)


def test_bytes_are_tokens_too(tiny):
    (found,) = token_similarities(scorer(tiny("byt5"), 1), [("ab", "é")], most=9)

    assert len(found.candidate) == 3  # two bytes and the end
    assert len(found.reference) == 3


@pytest.mark.parametrize(
    "pair",
    [
        pytest.param(("", "a"), id="empty"),
        pytest.param(("a", "  "), id="blank"),
        pytest.param(("a", "b " * 5_000), id="long"),
        pytest.param(("👩‍👧 " * 30, "a"), id="emoji"),
    ],
)
def test_there_is_nothing_to_see_in_texts_without_tokens_or_with_many(tiny, pair):
    found = token_similarities(scorer(tiny("bert"), 1), [pair, ("a", "b")], most=20)

    assert found[0] is None
    assert found[1] is not None


def test_all_pairs_take_one_pass(tiny, monkeypatch):
    model_files = tiny("bert")
    one = scorer(model_files, 1)
    encoder = load_encoder(*one.runtime.resolve())
    passes = []
    embed = type(encoder).embed
    monkeypatch.setattr(
        type(encoder), "embed", lambda *given: passes.append(given) or embed(*given)
    )
    token_similarities(one, [*PAIRS, ("one", "friend")], most=99)

    assert len(passes) == 1
