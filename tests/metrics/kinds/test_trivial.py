import pytest
from hypothesis import given
from hypothesis import strategies as st

from shakeproof.metrics.protocols import Item
from shakeproof.metrics.registry import METRICS
from shakeproof.metrics.settings import Settings


def rate(kind, item, **options):
    metric = METRICS[kind](**options).build({}, Settings())
    assert metric.needs(item) == []
    return metric.combine(item, [])


@pytest.mark.parametrize(
    ("kind", "item", "score"),
    [
        pytest.param("word-f1", Item("a b c", ("a b", "x")), 0.8, id="common words"),
        pytest.param("word-f1", Item("a a a", ("a b b",)), 1 / 3, id="repeated words"),
        pytest.param("word-f1", Item("A b", ("a B",)), 0.0, id="capitals matter"),
        pytest.param("word-f1", Item("", ("a",)), 0.0, id="no word"),
        pytest.param("word-f1", Item("", ("",)), 1.0, id="no word on either side"),
        pytest.param("word-f1-free", Item("a b", ("x",), "a b"), 1.0, id="words of the source"),
        pytest.param("length", Item("abc", ("abcdef", "a")), 0.5, id="closest length"),
        pytest.param("length", Item("", ("",)), 1.0, id="no length"),
        pytest.param("is-copy", Item("a", (), "a"), -1.0, id="a copy"),
        pytest.param("is-copy", Item("a", (), "A"), 0.0, id="nearly a copy"),
        pytest.param("candidate-only", Item("abc"), 3.0, id="length of the candidate"),
        pytest.param("reference-only", Item("abc", ("a", "ab")), 1.5, id="length of references"),
        pytest.param("constant", Item("abc"), 0.0, id="always the same"),
    ],
)
def test_a_yardstick_measures_what_it_says(kind, item, score):
    assert rate(kind, item) == pytest.approx(score)


def test_word_f1_may_ignore_capitals():
    assert rate("word-f1", Item("A b", ("a B",)), lowercase=True) == 1.0


@given(candidate=st.text(), reference=st.text(), seed=st.integers())
def test_a_random_score_is_decided_by_the_texts(candidate, reference, seed):
    item = Item(candidate, (reference,))
    first, second = (rate("random", item, seed=seed) for _ in range(2))

    assert first == second
    assert 0 <= first <= 1


def test_random_scores_spread_and_differ_by_seed():
    items = [Item(str(n), ("r",)) for n in range(1_000)]
    scores = [rate("random", item) for item in items]

    assert sum(scores) / 1_000 == pytest.approx(0.5, abs=0.05)
    assert scores != [rate("random", item, seed=1) for item in items]
