"""MoverScore equals worked examples, and its transport problem is solved exactly."""

import tracemalloc
from math import log, sqrt

import numpy as np
import pytest

from shakeproof.metrics.bertscore.idf import Corpus
from shakeproof.metrics.kinds.moverscore import (
    MoverScoreOptions,
    MoverScorer,
    closeness,
    earth_mover,
)
from shakeproof.metrics.models.encoder import load_encoder
from shakeproof.metrics.models.runtime import ModelRuntime
from shakeproof.metrics.settings import Settings

HALF = np.array([0.5, 0.5])
AXES = np.eye(3)


def scorer(model_files, layer=3, **options):
    return MoverScorer(ModelRuntime(model_files, "cpu", "float32"), layer, **options)


def unit_vectors(model_files, text, layer=3):
    encoder = load_encoder(model_files, "cpu", "float32")
    tokens = encoder.tokenize([text])
    return encoder.embed(tokens, [(layer, True)]).vectors[layer, True].double().numpy()


@pytest.mark.parametrize(
    ("costs", "supply", "demand", "distance"),
    [
        pytest.param([[3.0]], [1.0], [1.0], 3.0, id="one to one"),
        pytest.param([[0, 9], [9, 0]], HALF, HALF, 0.0, id="nothing moves"),
        pytest.param([[1, 2], [3, 1]], HALF, [0.75, 0.25], 0.5 + 0.75 + 0.25, id="split"),
        pytest.param([[1, 5, 2]], [1.0], [0.5, 0.25, 0.25], 2.25, id="one to three"),
    ],
)
def test_the_cheapest_transport_is_found(costs, supply, demand, distance):
    found = earth_mover(np.array(costs, dtype=float), np.array(supply), np.array(demand))

    assert found == pytest.approx(distance)


def test_a_transport_of_long_texts_takes_little_memory():
    """Dense constraints of 100 by 100 tokens take 16 MB, and scipy makes copies."""
    rng = np.random.default_rng(7)
    supply, demand = (weights / weights.sum() for weights in rng.random((2, 100)))
    earth_mover(np.ones((1, 1)), np.ones(1), np.ones(1))  # imports are not counted
    tracemalloc.start()
    earth_mover(rng.random((100, 100)), supply, demand)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()

    assert peak < 10e6


def test_vectors_at_right_angles_are_the_root_of_two_apart():
    one, other = (AXES[:1], np.ones(1)), (AXES[1:2], np.ones(1))

    assert closeness(one, other) == pytest.approx(1 / (1 + sqrt(2)))


def test_half_the_weight_that_stays_costs_nothing():
    one, other = (AXES[:2], HALF), (AXES[1:], HALF)

    assert closeness(one, other) == pytest.approx(1 / (1 + sqrt(2) / 2))


def test_two_words_each_against_one_are_worked_by_hand(tiny):
    """Letters are the beginnings of words; [CLS] and [SEP] weigh as much, as published."""
    model_files = tiny("bert")
    one, other = unit_vectors(model_files, "a"), unit_vectors(model_files, "b")
    costs = np.linalg.norm(one[:, None] - other[None], axis=-1)
    third = np.full(3, 1 / 3)
    expected = 1 / (1 + earth_mover(costs, third, third))

    assert scorer(model_files).score([("a", "b")]) == pytest.approx([expected], abs=1e-6)


def test_rare_words_weigh_more(tiny, tmp_path):
    """With idf the special tokens, found in every text, weigh nothing; so one word meets one."""
    model_files = tiny("bert")
    corpus = tmp_path / "corpus.txt"
    corpus.write_text("a b\na c\nd", "utf-8")
    here, there = unit_vectors(model_files, "a b"), unit_vectors(model_files, "b")
    costs = np.linalg.norm(here[1:3, None] - there[None, 1:2], axis=-1)
    common, rare = log(4 / 3), log(4 / 2)
    share = np.array([common, rare]) / (common + rare)
    expected = 1 / (1 + (share @ costs)[0])

    rated = scorer(model_files, idf=Corpus(corpus)).score([("a b", "b")])
    assert rated == pytest.approx([expected], abs=1e-6)


def test_punctuation_and_continued_words_count_only_when_asked(tiny):
    """The text is cut into [CLS] a ##b , c ! [SEP]."""
    model_files = tiny("bert")
    here, there = unit_vectors(model_files, "ab, c!"), unit_vectors(model_files, "a c")
    for every, kept in ((False, [0, 1, 4, 6]), (True, range(7))):
        costs = np.linalg.norm(here[[*kept], None] - there[None], axis=-1)
        distance = earth_mover(costs, np.full(len(kept), 1 / len(kept)), np.full(4, 1 / 4))
        rated = scorer(model_files, every_piece=every).score([("ab, c!", "a c")])

        assert rated == pytest.approx([1 / (1 + distance)], abs=1e-6)


def test_a_text_and_itself_score_one(tiny):
    assert scorer(tiny("bert")).score([("a b c", "a b c")]) == pytest.approx([1], abs=1e-6)


@pytest.mark.parametrize("pair", [("", "a"), ("a", ""), ("", " ")])
def test_an_empty_text_scores_zero(tiny, pair):
    assert scorer(tiny("bert")).score([pair, ("a", "b")])[0] == 0
    assert scorer(tiny("bert")).score([pair]) == [0]


def test_a_pair_scores_the_same_whatever_else_is_rated(tiny):
    rated, pairs = scorer(tiny("bert")), [("a b c", "d e"), ("x", "y z"), ("a b c", "x")]
    alone = [rated.score([pair])[0] for pair in pairs]

    np.testing.assert_allclose(rated.score(pairs), alone, atol=1e-6)


def test_a_mean_of_layers_is_refused(tiny):
    with pytest.raises(ValueError, match="layer 'mean' is not defined for MoverScore"):
        MoverScoreOptions(model=str(tiny("bert").folder), layer="mean").build(
            {}, Settings(offline=True)
        )
