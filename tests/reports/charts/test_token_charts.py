import re

import pytest
from built_results import drop
from built_runs import checklist_record
from hypothesis import given
from hypothesis import strategies as st

from shakeproof.reports import render
from shakeproof.reports.charts.matrix import CELL, MAX_TOKENS, colour_step, token_chart
from shakeproof.reports.sections.texts import worst_texts
from shakeproof.reports.wording.names import metric_labels
from shakeproof.results import TokenMatrix

tokens = st.lists(st.text(max_size=20), min_size=1, max_size=40)


@st.composite
def found_matrices(draw):
    rows, columns = draw(tokens), draw(tokens)
    similarity = st.floats(-1, 1)
    values = [[draw(similarity) for _ in columns] for _ in rows[:3]]
    return matrix(rows, columns, [values[i % len(values)] for i in range(len(rows))])


def matrix(rows, columns, values):
    similarity = tuple(tuple(row) for row in values)
    return TokenMatrix(candidate=tuple(rows), reference=tuple(columns), similarity=similarity)


@pytest.fixture
def small():
    return matrix(["a", "b"], ["c", "d", "e"], [[0.15, 0.95, 0.1], [0.0, 0.42, 0.48]])


@given(found=found_matrices())
def test_cells_and_tokens_stay_inside_the_picture(found):
    chart = token_chart("k", "Before", found)
    width, height = chart.frame.right - chart.frame.left, chart.frame.bottom - chart.frame.top

    for shade in chart.shades:
        for x, y, run in re.findall(r"M(\d+) (\d+)h(\d+)", shade.path):
            assert (int(x) + int(run)) * CELL <= width
            assert (int(y) + 1) * CELL <= height
    assert all(0 < token.y < height for token in chart.rows)
    assert len(chart.numbers) == len(chart.rows) <= MAX_TOKENS


@given(found=found_matrices())
def test_every_row_has_one_closest_token(found):
    chart = token_chart("k", "Before", found)

    assert chart.closest.count("M") == len(chart.rows)


def test_cells_of_one_depth_are_one_path(small):
    shades = {shade.step: shade.path for shade in token_chart("k", "Before", small).shades}

    assert shades == {1: "M0 0h1M2 0h1", 4: "M1 1h2", 9: "M1 0h1"}


def test_the_closest_token_is_marked_and_averaged(small):
    chart = token_chart("k", "Before", small)

    assert chart.closest == "M1.5 0h0M2.5 1h0"
    assert chart.mean == pytest.approx((0.95 + 0.48) / 2)


@pytest.mark.parametrize(
    ("similarity", "step"), [(-0.3, 0), (0.0, 0), (0.1, 1), (0.999, 9), (1.0, 9), (1.0000002, 9)]
)
def test_depths_of_colour_go_from_nothing_to_all(similarity, step):
    assert colour_step(similarity) == step


def test_what_does_not_fit_is_said():
    many = [str(number) for number in range(MAX_TOKENS + 3)]
    chart = token_chart("k", "Before", matrix(["a"], many, [[0.5] * len(many)]))

    assert chart.left_out == "The last tokens are left out: 3 of the reference."
    assert len(chart.columns) == MAX_TOKENS


@pytest.mark.parametrize(
    ("rows", "columns", "values"), [([], [], []), (["a"], [], [[]]), ([], ["b"], [])]
)
def test_a_matrix_without_tokens_is_not_drawn(rows, columns, values):
    assert token_chart("k", "Before", matrix(rows, columns, values)) is None


def matrices_of(results):
    return [
        chart
        for texts in worst_texts(results, metric_labels(results))
        for _, example in texts.examples
        for chart in example.matrices
    ]


def test_a_metric_has_at_most_three_pairs_of_matrices(make_drop):
    results = [make_drop("deep", family, 0.3) for family in ("visual", "intrude", "phonetic")]

    assert len(matrices_of(results)) == 6


def test_the_more_checks_the_fewer_matrices(make_drop):
    results = [make_drop("deep", "visual", 0.3)]
    quiet = [make_drop("chrf", f"quiet-{number}", 0.1) for number in range(3_000)]

    assert len(matrices_of([*results, *quiet])) == 2


def test_before_and_after_stand_side_by_side_and_are_read_out(make_run, make_drop):
    page = render(make_run([make_drop("deep", "visual", 0.3)]))
    texts = page[page.index('id="texts"') : page.index('id="repeat"')]

    assert texts.count("<figcaption>Before") == texts.count("<figcaption>After") == 3
    assert "The highest similarity in a row is 0.79 on average before, 0.26 after." in texts
    assert '<tr><th scope="row">they<td>0.' in texts


def test_one_matrix_alone_is_shown_without_comparison(make_run, make_drop):
    result = make_drop("deep", "visual", 0.3)
    alone = result.examples[0].model_copy(update={"matrix_before": None})
    page = render(make_run([result.model_copy(update={"examples": (alone,)})]))

    assert "<figcaption>After" in page
    assert "on average before" not in page


@pytest.mark.parametrize(
    ("kind", "columns"),
    [
        ("bertscore", "reference"),
        ("bertscore-free", "source"),
        ("parascore-free", "source"),
        ("parascore", "source or reference"),
    ],
)
def test_the_columns_are_named_after_the_text_that_the_metric_compares(make_run, kind, columns):
    record = checklist_record(["deep"])
    (metric,) = record.metrics
    update = {"metrics": (metric.model_copy(update={"kind": kind}),)}
    run = make_run([drop("deep", "visual", 0.3)], checklists=(record.model_copy(update=update),))
    page = render(run)

    assert f">{columns} tokens</text>" in page
    assert f"Candidate tokens as rows, {columns} tokens as columns" in page
    assert f"Similarity of candidate tokens to {columns} tokens." in page
