"""BERTScore equals bert_score, but for the cases in which bert_score is wrong."""

import numpy as np
import pytest
from rated_pairs import PAIRS, rated

from shakeproof.metrics.bertscore.matching import closest
from shakeproof.metrics.models.embeddings import make_embeddings
from shakeproof.metrics.models.encoder import load_encoder


@pytest.fixture(scope="session")
def peer(rate_with_bert_score):
    """Rate pairs with bert_score one by one, so that nothing is padded."""

    def rate(model_files, pairs=PAIRS, **options):
        return rate_with_bert_score(model_files, pairs, **{"batch_size": 1, **options})

    return rate


@pytest.mark.parametrize("kind", ["bert", "byt5", "distilbert", "roberta"])
@pytest.mark.parametrize("layer", range(4))
def test_every_layer_equals_bert_score(tiny, kind, layer, peer):
    model_files = tiny(kind)

    np.testing.assert_allclose(
        rated(model_files, [layer])[0], peer(model_files, num_layers=layer), atol=1e-5
    )


@pytest.mark.parametrize("kind", ["bert", "byt5", "distilbert", "roberta"])
def test_the_mean_over_layers_equals_bert_scores_all_layers(tiny, kind, peer):
    model_files = tiny(kind)
    every = peer(model_files, num_layers=3, all_layers=True)

    assert every.shape == (3, 4, len(PAIRS))
    np.testing.assert_allclose(rated(model_files, ["mean"])[0], every.mean(axis=1), atol=1e-5)


@pytest.mark.parametrize("kind", ["bert", "byt5", "roberta"])
def test_idf_and_rescaling_equal_bert_score(tiny, kind, corpus, baseline, peer):
    model_files = tiny(kind)
    found = rated(model_files, [2], idf=corpus, rescaling=baseline)[0]
    expected = peer(
        model_files,
        num_layers=2,
        idf=True,
        lang="en",
        rescale_with_baseline=True,
        baseline_path=str(baseline.path),
    )

    np.testing.assert_allclose(found, expected, atol=1e-5)


def test_rescaling_every_layer_equals_bert_score(tiny, baseline, peer):
    model_files = tiny("bert")
    expected = peer(
        model_files,
        num_layers=3,
        all_layers=True,
        lang="en",
        rescale_with_baseline=True,
        baseline_path=str(baseline.path),
    )

    np.testing.assert_allclose(
        rated(model_files, ["mean"], rescaling=baseline)[0], expected.mean(axis=1), atol=1e-5
    )


def test_padding_never_beats_a_negative_similarity(tiny):
    """bert_score multiplies padding by zero, which is more than any negative similarity."""
    torch = pytest.importorskip("torch")
    utils = pytest.importorskip("bert_score.utils", reason="bert_score is not installed")
    vectors = {(1, True): torch.tensor([[1.0, 0.0], [-1.0, 0.0], [0.0, 1.0], [0.0, 1.0]])}
    embedded = make_embeddings(vectors, np.array([1, 1, 2]), "cpu")
    sides = (torch.tensor([[0]]), 1), (torch.tensor([[1, 2]]), 2)
    ours, theirs = (embedded.token_rows(texts, longest) for texts, longest in sides)
    near, _ = closest(*(embedded.gather((1, True), slots) for slots in (ours, theirs)))
    token, opposite = torch.tensor([[[1.0, 0.0]]]), torch.tensor([[[-1.0, 0.0], [1.0, 0.0]]])
    one, padded = torch.ones(1, 1), torch.tensor([[1.0, 0.0]])
    theirs = utils.greedy_cos_idf(opposite, padded, padded.clone(), token, one, one.clone())

    assert near.flatten().tolist() == [-1, 0]
    assert theirs[0].item() == 0


def test_a_single_byte_is_not_taken_for_an_empty_text(tiny, peer):
    """bert_score takes every text of two tokens for empty, which ByT5 says of one letter."""
    model_files = tiny("byt5")

    assert rated(model_files, [2], [("a", "b")])[0, 2, 0] != 0
    assert peer(model_files, [("a", "b")], num_layers=2)[0, 0] == 0


def test_a_blank_is_put_before_the_text_where_bert_score_means_to(tiny, tmp_path):
    """bert_score asks RoBERTa's tokenizer for a leading blank; transformers 5 ignores it."""
    encoder = load_encoder(tiny("roberta"), "cpu", "float32")
    _, first, *_ = encoder.tokenize(["cat"])[0]

    assert encoder.tokenizer.convert_ids_to_tokens(first) == "Ġ"


# bert_score 0.3.13 with torch 2.13.0 and transformers 5.22.2, one pair at a time.
PUBLISHED = {
    0: [
        [0.75841, 0.48015, 0.303866, 1.0, 0.625791],
        [0.682284, 0.745547, 0.163823, 1.0, 0.520321],
        [0.718336, 0.584115, 0.212878, 1.0, 0.568203],
    ],
    1: [
        [0.793426, 0.52238, 0.392904, 1.0, 0.637252],
        [0.723358, 0.756675, 0.241632, 1.0, 0.582367],
        [0.756774, 0.618068, 0.299236, 1.0, 0.608575],
    ],
    3: [
        [0.825144, 0.60798, 0.425729, 1.0, 0.677502],
        [0.781922, 0.819212, 0.296298, 1.0, 0.592854],
        [0.802951, 0.697964, 0.349413, 1.0, 0.632358],
    ],
    6: [
        [0.902129, 0.453541, 0.23129, 1.0, 0.646929],
        [0.881101, 0.733958, 0.151041, 1.0, 0.456817],
        [0.891491, 0.560641, 0.182744, 1.0, 0.5355],
    ],
    "mean": [
        [0.836339, 0.549662, 0.408654, 1.0, 0.660176],
        [0.789199, 0.785533, 0.266916, 1.0, 0.560283],
        [0.811915, 0.646035, 0.322467, 1.0, 0.605213],
    ],
}


@pytest.mark.model
@pytest.mark.parametrize("layer", PUBLISHED)
def test_minilm_gives_the_numbers_of_bert_score(minilm_files, layer):
    np.testing.assert_allclose(rated(minilm_files, [layer])[0], PUBLISHED[layer], atol=1e-5)
