"""Token matrices: three for each metric, those of its worst texts, and of small texts only."""

from dataclasses import dataclass
from types import SimpleNamespace

import pytest
from built_results import plain_result

from shakeproof.evidence import token_matrices
from shakeproof.evidence.token_matrices import (
    MAX_MATRICES_PER_METRIC,
    ComparedTexts,
    MatrixBudget,
    MatrixPlace,
    add_matrices,
    choose_matrices,
    keep_worst_matrices,
)
from shakeproof.metrics.engine.cache import Cache
from shakeproof.results import Estimate, Example, Outcome, TokenMatrix

MATRIX = TokenMatrix(candidate=("a",), reference=("a",), similarity=((1.0,),))


def example(segment, *, matrix=True):
    shown = {"matrix_before": MATRIX, "matrix_after": MATRIX} if matrix else {}
    return Example(
        segment=segment,
        field="candidate",
        before=segment,
        after=f"{segment}'",
        score_before=1,
        score_after=0,
        **shown,
    )


def plain(segment):
    return example(segment, matrix=False)


def result(value, *examples, metric="deep", outcome=Outcome.FAILED):
    return plain_result(
        metric, "c", outcome, condition=value, estimate=Estimate(value=value), examples=examples
    )


def segments_with_matrices(results):
    return [
        [one.segment for one in result.examples if one.matrix_before and one.matrix_after]
        for result in results
    ]


def shown(results):
    return segments_with_matrices(keep_worst_matrices(results))


def test_the_worst_results_of_a_metric_keep_theirs():
    mild = result(0.3, example("a"), example("b"), example("c"))
    wild = result(0.9, example("d"), example("e"))

    assert shown([mild, wild]) == [["a"], ["d", "e"]]


def test_each_metric_has_its_own():
    names = ["a", "b", "c", "d"]
    results = [result(0.9, *map(example, names), metric=metric) for metric in ("deep", "para")]

    assert shown(results) == [names[:MAX_MATRICES_PER_METRIC]] * 2


def test_no_segment_is_shown_twice():
    assert shown([result(0.9, example("a")), result(0.8, example("a"), example("b"))]) == [
        ["a"],
        ["b"],
    ]


def test_failures_come_before_known_failures():
    known = result(9.0, *map(example, "abc"), outcome=Outcome.KNOWN_FAILURE)

    assert shown([known, result(0.3, example("d"))]) == [["a", "b"], ["d"]]


def test_results_without_matrices_stay_as_they_are():
    bare = result(0.9, plain("a")).model_copy(update={"estimate": None})

    assert keep_worst_matrices([result(0.9, plain("a")), bare]) == [result(0.9, plain("a")), bare]


def test_the_worst_examples_are_chosen_before_anything_is_computed():
    mild, wild = result(0.3, *map(plain, "abc")), result(0.9, *map(plain, "ad"))

    assert choose_matrices([mild, wild]) == [
        MatrixPlace(wild.id, 0),
        MatrixPlace(wild.id, 1),
        MatrixPlace(mild.id, 1),
    ]


@dataclass
class FakeModel:
    """Stands in for the metric's model; texts that start with "long" have no matrix."""

    calls: list

    def compare(self, scorer, texts):
        self.calls.append([text[0] for text in texts])
        if scorer.signature == "broken":
            raise RuntimeError("no such model")
        return [None if text[0].startswith("long") else MATRIX for text in texts]

    def sources(self, *results, scorer="model"):
        """Let every example of the results compare its text before and after."""
        source = SimpleNamespace(scorer=SimpleNamespace(signature=scorer))
        return {one.id: (source, one.examples) for one in results}


@pytest.fixture
def model(monkeypatch):
    def compared_texts(table, examples):
        for position, one in enumerate(examples):
            yield position, ComparedTexts(table.scorer, (one.before,), (one.after,))

    fake = FakeModel([])
    monkeypatch.setattr(token_matrices, "_compared_texts", compared_texts)
    monkeypatch.setattr(token_matrices, "_matrices", fake.compare)
    return fake


def test_only_the_matrices_that_are_kept_are_computed(model):
    mild, wild = result(0.3, *map(plain, "abc")), result(0.9, *map(plain, "de"))
    added = add_matrices([mild, wild], model.sources(mild, wild))

    assert segments_with_matrices(added) == [["a"], ["d", "e"]]
    assert model.calls == [["d", "d'", "e", "e'", "a", "a'"]]
    assert keep_worst_matrices(added) == added


def test_the_next_worst_example_replaces_one_without_a_matrix(model):
    failed = result(0.9, *map(plain, ["a", "long", "b", "long too", "c", "d"]))
    (added,) = add_matrices([failed], model.sources(failed))

    assert segments_with_matrices([added]) == [["a", "b", "c"]]
    assert sum(map(len, model.calls)) == 2 * 5


def test_a_segment_whose_worst_example_has_no_matrix_may_be_shown_by_another_result(model):
    short = plain("long").model_copy(update={"before": "short", "after": "short'"})
    results = [result(0.9, plain("long")), result(0.8, short, plain("a"))]
    added = add_matrices(results, model.sources(*results))

    assert segments_with_matrices(added) == [[], ["long", "a"]]
    assert sum(map(len, model.calls)) == 2 * 3


def test_results_without_a_source_get_none(model):
    failed, passed = result(0.9, plain("a")), result(0.1, plain("b"))

    assert add_matrices([failed, passed], {}) == [failed, passed]
    assert segments_with_matrices(add_matrices([failed, passed], model.sources(failed))) == [
        ["a"],
        [],
    ]


def test_a_process_that_sees_item_after_item_computes_no_more_than_it_may(model):
    budget = MatrixBudget()
    results = [result(number, plain(f"s{number}"), plain("t")) for number in range(1, 6)]
    added = [add_matrices([one], model.sources(one), budget)[0] for one in results]

    assert segments_with_matrices(added) == [["s1", "t"], ["s2"], [], [], []]
    assert sum(map(len, model.calls)) == 2 * MAX_MATRICES_PER_METRIC


def test_a_model_that_fails_is_not_tried_again_and_leaves_the_others_alone(model):
    broken, fine = result(0.9, *map(plain, "abcdefg"), metric="bad"), result(0.8, plain("a"))
    sources = model.sources(broken, scorer="broken") | model.sources(fine)
    added = add_matrices([broken, fine], sources)

    assert segments_with_matrices(added) == [[], ["a"]]
    assert len(model.calls) == 2


def test_matrices_are_computed_once_for_texts_and_signature(model):
    failed = result(0.9, *map(plain, ["a", "long", "b"]))
    with Cache() as cache:
        for scorer in ("model", "model", "another model"):
            sources = model.sources(failed, scorer=scorer)
            (added,) = add_matrices([failed], sources, cache=cache)

            assert segments_with_matrices([added]) == [["a", "b"]]

    assert model.calls == [["a", "a'", "long", "long'", "b", "b'"]] * 2
