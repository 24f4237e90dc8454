"""BERTScore depends on its two texts alone, and every text has a score."""

from math import log

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from rated_pairs import PAIRS, rated, scorers_for

from shakeproof.metrics.bertscore.idf import Corpus
from shakeproof.metrics.bertscore.scorer import BertScorer
from shakeproof.metrics.models import pairs as pairs_module
from shakeproof.metrics.models.encoder import Encoder, load_encoder
from shakeproof.metrics.models.runtime import ModelRuntime


def test_idf_is_the_logarithm_of_the_inverse_document_frequency(tiny, corpus):
    from shakeproof.metrics.bertscore.idf import token_weights

    encoder = load_encoder(tiny("bert"), "cpu", "float32")
    weights = token_weights(encoder, corpus)
    letter = encoder.tokenizer.convert_tokens_to_ids("a")  # stands alone in two of five texts

    assert weights.listed[letter] == pytest.approx(log(6 / 3))
    assert weights.listed[encoder.tokenizer.cls_token_id] == 0
    assert weights.other == pytest.approx(log(6))


def test_a_corpus_may_be_a_data_set(tmp_path):
    from shakeproof.metrics.bertscore.idf import read_corpus

    path = tmp_path / "data.jsonl"
    path.write_text('{"id": "1", "references": ["a", "b"]}\n\n{"id": "2"}\n', "utf-8")

    assert read_corpus(Corpus(path)) == ("a", "b")


@pytest.mark.parametrize("text", ["", "   ", "\n\t", "\u200b" * 0])
@pytest.mark.parametrize("kind", ["bert", "byt5", "roberta"])
def test_an_empty_text_scores_zero(tiny, kind, text):
    pairs = [(text, "hello"), ("hello", text), (text, text), ("hello", "hello")]
    found = rated(tiny(kind), [2, "mean", "mean-embedding"], pairs)

    assert np.all(found[..., :3] == 0)
    np.testing.assert_allclose(found[..., 3], 1, atol=1e-5)


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("\U0001f600", id="emoji"),
        pytest.param("שלום עולם", id="right to left"),
        pytest.param("ab \ud800 c", id="lone surrogate"),
        pytest.param("word " * 2_000, id="10,000 characters"),
        pytest.param("\x00\x01", id="control characters"),
        pytest.param("[SEP] [CLS]", id="words that look special"),
    ],
)
@pytest.mark.parametrize("kind", ["bert", "byt5", "roberta", "canine"])
def test_odd_texts_have_finite_scores(tiny, kind, text):
    found = rated(tiny(kind), [3], [(text, "hello"), ("hello", text)])

    assert np.isfinite(found).all()


def test_layers_and_parts_together_equal_each_alone(tiny, corpus):
    model_files = tiny("byt5")
    scorers = [
        *scorers_for(model_files, [0, 2, 3, "mean", "mean-embedding"]),
        *scorers_for(model_files, [1], idf=corpus),
    ]
    together = scorers[0].score_together(scorers, PAIRS)
    alone = np.stack([scorer.score(PAIRS) for scorer in scorers], axis=1)

    np.testing.assert_allclose(together, alone, atol=1e-6)


def test_texts_of_the_same_tokens_are_encoded_once(tiny, monkeypatch):
    model_files = tiny("bert")
    encoded, run = [], Encoder._run

    def counted(self, batch, **options):
        encoded.extend(batch)
        return run(self, batch, **options)

    monkeypatch.setattr(Encoder, "_run", counted)
    found = rated(
        model_files, [3], [("the cat", "a dog"), ("THE CAT", "A dog"), ("The Cat ", "a DOG")]
    )

    assert len(encoded) == 2
    assert np.all(found == found[..., :1])


def test_few_embeddings_are_held_at_a_time(tiny, monkeypatch):
    model_files = tiny("bert")
    expected = rated(model_files, [3, "mean"])
    thirty_tokens_in_four_states = 4 * 16 * 4 * 30
    monkeypatch.setattr(pairs_module, "MAX_EMBEDDING_BYTES", thirty_tokens_in_four_states)

    np.testing.assert_allclose(rated(model_files, [3, "mean"]), expected, atol=1e-6)


WORDS = st.sampled_from(["cat", "the", "a", "rain", "in", "spain", "3", "!", "hello", "x" * 30])
SENTENCES = st.lists(WORDS, max_size=12).map(" ".join)


@pytest.mark.model
@settings(max_examples=15, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    pairs=st.lists(st.tuples(SENTENCES, SENTENCES), min_size=1, max_size=12, unique=True),
    budget=st.integers(1, 400),
    order=st.randoms(use_true_random=False),
)
def test_a_score_does_not_depend_on_batch_order_padding_or_neighbours(
    minilm_files, monkeypatch, pairs, budget, order
):
    scorers = [BertScorer(ModelRuntime(minilm_files, "cpu"), layer) for layer in (1, 6, "mean")]
    encoder = load_encoder(minilm_files, "cpu", "float32")
    alone = np.concatenate([scorers[0].score_together(scorers, [pair]) for pair in pairs])
    shuffled = order.sample(range(len(pairs)), len(pairs))
    with monkeypatch.context() as patch:
        patch.setattr(encoder, "budget", budget)
        found = scorers[0].score_together(scorers, [pairs[i] for i in shuffled])

    np.testing.assert_allclose(found, alone[shuffled], atol=1e-6)


@pytest.mark.model
def test_pairs_that_share_texts_score_as_each_alone(minilm_files):
    candidates = ["the cat sat", "a cat was sitting there", "", "it rains in spain " * 40]
    references = ["the cat sat down", "THE CAT SAT", "rain", "x " * 300]
    pairs = [(c, r) for c in candidates for r in references][:-1]
    scorers = [BertScorer(ModelRuntime(minilm_files, "cpu"), layer) for layer in (1, 6, "mean")]
    together = scorers[0].score_together(scorers, pairs)
    alone = np.concatenate([scorers[0].score_together(scorers, [pair]) for pair in pairs])

    np.testing.assert_allclose(together, alone, atol=1e-6)
