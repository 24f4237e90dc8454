"""Scores of bert_score, and files that it and BERTScore both read."""

import warnings

import numpy as np
import pytest
from rated_pairs import PAIRS

from shakeproof.metrics.bertscore.idf import Corpus
from shakeproof.metrics.bertscore.rescaling import Rescaling


@pytest.fixture(scope="session")
def rate_with_bert_score():
    """Rate pairs with bert_score: precision, recall and F1, (3, pairs) or (3, layers, pairs)."""
    bert_score = pytest.importorskip("bert_score", reason="bert_score is not installed")

    def rate(model_files, pairs, **options):
        candidates, references = map(list, zip(*pairs, strict=True))
        options = {"model_type": str(model_files.folder), "nthreads": 0, "device": "cpu", **options}
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            scores = bert_score.score(candidates, references, **options)
        return np.stack([part.numpy() for part in scores])

    return rate


@pytest.fixture(scope="session")
def write_baseline():
    """Write a file with the scores of unrelated texts, a row for each layer."""

    def write(folder, layers):
        path = folder / "baseline.tsv"
        rows = [f"{layer},0.{layer}1,0.{layer}2,0.{layer}3" for layer in layers]
        path.write_text("\n".join(["LAYER,P,R,F", *rows]), "utf-8")
        return Rescaling(path)

    return write


@pytest.fixture
def corpus(tmp_path):
    """A file of texts in which to count tokens."""
    path = tmp_path / "corpus.txt"
    path.write_text("\n".join(reference for _, reference in PAIRS), "utf-8")
    return Corpus(path)


@pytest.fixture
def baseline(write_baseline, tmp_path):
    return write_baseline(tmp_path, range(4))
