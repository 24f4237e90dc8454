"""On real texts and real weights, BERTScore equals bert_score 0.3.13 at every layer."""

import json
from functools import partial

import numpy as np
import pytest
from rated_pairs import PARTS

from shakeproof.metrics.bertscore.idf import Corpus
from shakeproof.metrics.bertscore.scorer import BertScorer
from shakeproof.metrics.models.runtime import ModelRuntime

pytestmark = [pytest.mark.model, pytest.mark.realdata, pytest.mark.slow]
LAYERS = range(7)


@pytest.fixture(scope="module")
def pairs(shared):
    """Two thousand pairs of a candidate and its reference, from every part of the data."""
    lines = (shared / "data" / "wmt19-gu-en.jsonl").read_text("utf-8").split("\n")
    segments = [json.loads(line) for line in lines if line][::4]
    found = [(c["text"], s["references"][0]) for s in segments for c in s["candidates"]]
    return found[:2000]


@pytest.fixture(scope="module")
def corpus(pairs, tmp_path_factory):
    path = tmp_path_factory.mktemp("idf") / "references.jsonl"
    lines = (json.dumps({"references": [reference]}) for _, reference in pairs)
    path.write_text("\n".join(lines), "utf-8")
    return Corpus(path)


@pytest.fixture(scope="module")
def baseline(write_baseline, tmp_path_factory):
    return write_baseline(tmp_path_factory.mktemp("baseline"), LAYERS)


def ours(model_files, pairs, **options):
    """Rate pairs: (3, layers, pairs)."""
    scorers = [
        BertScorer(ModelRuntime(model_files, "cpu"), layer, part, **options)
        for part in PARTS
        for layer in LAYERS
    ]
    scores = scorers[0].score_together(scorers, pairs)
    return scores.T.reshape(len(PARTS), len(LAYERS), len(pairs))


def differing(found, expected):
    """Number the pairs on which any score differs."""
    return np.flatnonzero(np.abs(found - expected).max(axis=(0, 1)) > 1e-5)


@pytest.fixture(scope="module")
def assert_agreement(rate_with_bert_score):
    """Expect equal scores; where they differ, padding is to blame, and without it they are equal.

    In a padded batch bert_score takes a zero for a match, so that a token of which all
    similarities are negative scores more than it should.
    """
    peer = partial(rate_with_bert_score, num_layers=6, all_layers=True)

    def expect(model_files, pairs, found, **options):
        expected = peer(model_files, pairs, **options)
        odd = differing(found, expected)

        assert len(odd) < 0.02 * len(pairs)
        if len(odd):
            alone = peer(model_files, [pairs[i] for i in odd], batch_size=1, **options)
            assert np.all(alone[:2] <= expected[:2, :, odd] + 1e-5)
            expected[..., odd] = alone
        np.testing.assert_allclose(found, expected, atol=1e-5)

    return expect


def idf_of(model_files, pairs):
    """Count tokens as bert_score does, once for all calls."""
    utils = pytest.importorskip("bert_score.utils", reason="bert_score is not installed")
    tokenizer = utils.get_tokenizer(str(model_files.folder))
    return utils.get_idf_dict([reference for _, reference in pairs], tokenizer, nthreads=0)


def rescaled(baseline):
    return {"lang": "en", "rescale_with_baseline": True, "baseline_path": str(baseline.path)}


def test_every_layer_equals_bert_score(minilm_files, pairs, assert_agreement):
    assert len(pairs) == 2000
    assert_agreement(minilm_files, pairs, ours(minilm_files, pairs))


def test_every_layer_with_idf_and_rescaling_equals_bert_score(
    minilm_files, pairs, corpus, baseline, assert_agreement
):
    some = pairs[::4]
    found = ours(minilm_files, some, idf=corpus, rescaling=baseline)
    options = {"idf": idf_of(minilm_files, pairs), **rescaled(baseline)}

    assert_agreement(minilm_files, some, found, **options)


def test_idf_alone_and_rescaling_alone_equal_bert_score(
    minilm_files, pairs, corpus, baseline, assert_agreement
):
    few = pairs[:100]
    weighed = ours(minilm_files, few, idf=corpus)
    shifted = ours(minilm_files, few, rescaling=baseline)

    assert_agreement(minilm_files, few, weighed, idf=idf_of(minilm_files, pairs))
    assert_agreement(minilm_files, few, shifted, **rescaled(baseline))
