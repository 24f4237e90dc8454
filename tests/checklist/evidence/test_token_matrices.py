"""Token matrices: three for each metric, those of its worst texts, and of small texts only."""

from shakeproof.evidence.token_matrices import PER_METRIC, few_matrices
from shakeproof.results import Bounds, Estimate, Example, Outcome, Result, TokenMatrix

MATRIX = TokenMatrix(candidate=("a",), reference=("a",), similarity=((1.0,),))


def example(segment, *, matrix=True):
    shown = {"matrix_before": MATRIX, "matrix_after": MATRIX} if matrix else {}
    return Example(
        segment=segment,
        field="candidate",
        before="a",
        after="b",
        score_before=1,
        score_after=0,
        **shown,
    )


def result(value, *examples, metric="deep", outcome=Outcome.FAILED):
    return Result(
        id=f"f::{metric}::c::{value}",
        file="f",
        line=1,
        metric=metric,
        check="c",
        expectation="score_change",
        statement="",
        quantity="change",
        bounds=Bounds(high=0.2),
        estimate=Estimate(value=value),
        outcome=outcome,
        examples=examples,
    )


def shown(results):
    return [
        [one.segment for one in result.examples if one.matrix_before and one.matrix_after]
        for result in few_matrices(results)
    ]


def test_the_worst_results_of_a_metric_keep_theirs():
    mild = result(0.3, example("a"), example("b"), example("c"))
    wild = result(0.9, example("d"), example("e"))

    assert shown([mild, wild]) == [["a"], ["d", "e"]]


def test_each_metric_has_its_own():
    names = ["a", "b", "c", "d"]
    results = [result(0.9, *map(example, names), metric=metric) for metric in ("deep", "para")]

    assert shown(results) == [names[:PER_METRIC]] * 2


def test_no_segment_is_shown_twice():
    assert shown([result(0.9, example("a")), result(0.8, example("a"), example("b"))]) == [
        ["a"],
        ["b"],
    ]


def test_failures_come_before_known_failures():
    known = result(9.0, *map(example, "abc"), outcome=Outcome.KNOWN_FAILURE)

    assert shown([known, result(0.3, example("d"))]) == [["a", "b"], ["d"]]


def test_results_without_matrices_stay_as_they_are():
    plain = result(0.9, example("a", matrix=False))
    bare = plain.model_copy(update={"estimate": None})

    assert few_matrices([plain, bare]) == [plain, bare]
