import pytest
from hypothesis import given
from hypothesis import strategies as st

from shakeproof.metrics.protocols import Instance
from shakeproof.metrics.registry import METRICS
from shakeproof.metrics.settings import Settings


def rate_without_scorers(kind, instance, **options):
    metric = METRICS[kind](**options).build({}, Settings())
    assert metric.needs(instance) == []
    return metric.combine(instance, [])


@pytest.mark.parametrize(
    ("kind", "instance", "score"),
    [
        pytest.param("word-f1", Instance("a b c", ("a b", "x")), 0.8, id="common words"),
        pytest.param("word-f1", Instance("a a a", ("a b b",)), 1 / 3, id="repeated words"),
        pytest.param("word-f1", Instance("A b", ("a B",)), 0.0, id="capitals matter"),
        pytest.param("word-f1", Instance("", ("a",)), 0.0, id="no word"),
        pytest.param("word-f1", Instance("", ("",)), 1.0, id="no word on either side"),
        pytest.param("word-f1-free", Instance("a b", ("x",), "a b"), 1.0, id="words of the source"),
        pytest.param("length", Instance("abc", ("abcdef", "a")), 0.5, id="closest length"),
        pytest.param("length", Instance("", ("",)), 1.0, id="no length"),
        pytest.param("is-copy", Instance("a", (), "a"), -1.0, id="a copy"),
        pytest.param("is-copy", Instance("a", (), "A"), 0.0, id="nearly a copy"),
        pytest.param("candidate-only", Instance("abc"), 3.0, id="length of the candidate"),
        pytest.param(
            "reference-only", Instance("abc", ("a", "ab")), 1.5, id="length of references"
        ),
        pytest.param("constant", Instance("abc"), 0.0, id="always the same"),
    ],
)
def test_a_trivial_metric_measures_what_it_says(kind, instance, score):
    assert rate_without_scorers(kind, instance) == pytest.approx(score)


def test_word_f1_may_ignore_capitals():
    assert rate_without_scorers("word-f1", Instance("A b", ("a B",)), lowercase=True) == 1.0


@given(candidate=st.text(), reference=st.text(), seed=st.integers())
def test_a_random_score_is_decided_by_the_texts(candidate, reference, seed):
    instance = Instance(candidate, (reference,))
    first, second = (rate_without_scorers("random", instance, seed=seed) for _ in range(2))

    assert first == second
    assert 0 <= first <= 1


def test_random_scores_spread_and_differ_by_seed():
    instances = [Instance(str(n), ("r",)) for n in range(1_000)]
    scores = [rate_without_scorers("random", instance) for instance in instances]

    assert sum(scores) / 1_000 == pytest.approx(0.5, abs=0.05)
    assert scores != [rate_without_scorers("random", instance, seed=1) for instance in instances]
