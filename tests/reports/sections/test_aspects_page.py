"""Checks that were judged aspect by aspect: tables, and charts that share a scale."""

import re

import pytest

from shakeproof.reports import render
from shakeproof.reports.sections.aspects import aspect_tables
from shakeproof.reports.sections.edit_rates import severity_charts
from shakeproof.reports.sections.noise import noise_charts
from shakeproof.reports.wording.names import metric_labels
from shakeproof.reports.wording.terms import explain_terms

ASPECTS = ("coherence", "fluency")


def for_aspect(result, aspect):
    return result.model_copy(
        update={
            "id": f"{result.id}-{aspect}",
            "rating": aspect,
            "coefficient": f"{result.coefficient} for {aspect}",
            "quantity": f"{result.quantity} for {aspect}",
            "statement": f"{result.statement}; rating: {aspect}",
        }
    )


@pytest.fixture
def results(make_drop):
    return [
        for_aspect(make_drop(metric, family, 0.3), aspect)
        for metric in ("deep", "chrf")
        for family in ("visual", "intrude")
        for aspect in ASPECTS
    ]


def test_a_check_with_several_aspects_has_a_table_for_each_condition(results):
    first, second = aspect_tables(results, metric_labels(results))

    assert (first.condition, second.condition) == (
        "visual 0.3 in references",
        "intrude 0.3 in references",
    )
    assert first.aspects == ASPECTS
    assert first.statement == "drop of wmt-kendall is at most 0.10"
    assert [metric for metric, _ in first.rows] == ["deep", "chrf"]
    assert [cell.sign.word for cell in first.rows[0][1]] == ["failed", "failed"]
    assert first.rows[1][1][0].estimate == results[4].estimate


def test_checks_with_one_rating_have_no_table(make_drop):
    plain = [make_drop("deep", "visual", 0.3), make_drop("deep", "visual", 0.1)]

    assert aspect_tables(plain, metric_labels(plain)) == ()


def test_an_aspect_that_a_metric_was_not_judged_by_is_left_empty(results):
    (table, *_) = aspect_tables(results[:-3], metric_labels(results))

    assert table.rows[1][1][1] is None


def test_ratings_about_no_aspect_may_stand_beside_them(make_drop):
    plain = make_drop("deep", "visual", 0.3)
    both = [plain, for_aspect(plain, "fluency")]

    assert aspect_tables(both, metric_labels(both))[0].aspects == ("rating", "fluency")


def test_the_page_shows_the_tables(results, make_run):
    page = render(make_run(results))
    section = page[page.index('<section id="aspects"') :]
    section = section[: section.index("</section>")]

    assert '<a href="#aspects">Aspects</a>' in page
    assert re.findall(r'<th scope="col">(\w+)</th>', section)[:3] == ["metric", *ASPECTS]
    assert "0.268</a> <small>[0.236, 0.300]</small>" in section


def test_charts_of_aspects_are_named_and_share_their_range(results):
    charts = noise_charts(results, metric_labels(results))

    assert {chart.chart.frame.title for chart in charts} == {
        f"{family} in references, {aspect}"
        for family in ("visual", "intrude")
        for aspect in ASPECTS
    }
    assert {chart.chart.y_axis.title for chart in charts} == {"wmt-kendall with human ratings"}
    assert len({chart.chart.y_axis for chart in charts}) == 1
    assert {chart.frame.title for chart in severity_charts(charts)} == {
        f"{metric}, {aspect}" for metric in ("deep", "chrf") for aspect in ASPECTS
    }


def test_a_coefficient_is_explained_whatever_the_aspect(results):
    pearson = [result.model_copy(update={"coefficient": "pearson for x"}) for result in results]

    assert [term for term, _ in explain_terms(pearson)] == ["pearson"]
