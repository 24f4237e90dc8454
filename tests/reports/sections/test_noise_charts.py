import re

import pytest

from shakeproof.reports import render
from shakeproof.reports.charts.line_styles import family_styles, metric_styles
from shakeproof.reports.sections.edit_rates import severity_charts
from shakeproof.reports.sections.noise import collect_curves, noise_charts
from shakeproof.reports.wording.names import metric_labels


@pytest.fixture
def results(make_drop):
    return [
        make_drop(metric, family, level)
        for metric in ("deep", "chrf")
        for family in ("visual", "intrude")
        for level in (0.1, 0.3)
    ]


def charts_of(results):
    return noise_charts(results, metric_labels(results))


def points_of(results):
    (curve,) = next(iter(collect_curves(results, metric_labels(results)).values()))
    return {point.level: point for point in curve.points}


def test_the_bar_at_a_level_is_the_interval_of_the_drop(make_drop):
    result = make_drop("deep", "visual", 0.3)
    clean = result.parts[0].estimate.value
    point = points_of([result])[0.3].at(0.3)

    assert point.value == pytest.approx(clean - result.estimate.value)
    assert point.low == pytest.approx(clean - result.estimate.high)
    assert point.high == pytest.approx(clean - result.estimate.low)
    assert "drop 0.268 [0.236, 0.300]" in point.text


def test_clean_texts_have_no_bar(make_drop):
    point = points_of([make_drop("deep", "visual", 0.3)])[0.0].at(0.0)

    assert (point.low, point.high) == (None, None)


def test_a_check_that_estimates_something_else_gives_no_bar(make_drop):
    result = make_drop("deep", "visual", 0.3).model_copy(update={"expectation": "retention"})

    assert points_of([result])[0.3].at(0.3).low is None


def test_the_drop_may_come_from_another_check_of_the_same_correlation(make_drop):
    drop = make_drop("deep", "visual", 0.3)
    retention = drop.model_copy(update={"expectation": "retention", "id": "other"})

    assert points_of([retention, drop])[0.3].drop == drop.estimate


def test_a_drop_of_another_correlation_is_not_taken(make_drop):
    drop, other = make_drop("deep", "visual", 0.3), make_drop("deep", "visual", 0.1)
    moved = tuple(part.model_copy(update={"level": part.level and 0.3}) for part in other.parts)
    retention = other.model_copy(
        update={"expectation": "retention", "parts": moved, "level": 0.3, "id": "other"}
    )

    assert points_of([retention, drop])[0.3].drop is None


def test_a_metric_has_one_style_in_all_charts(results):
    charts = charts_of(results)
    styles = {(line.name, line.style, line.shape) for c in charts for line in c.chart.lines}

    assert len(charts) == 2
    assert len(styles) == 2


def test_a_metric_keeps_its_style_in_a_chart_of_some_results(results):
    labels = metric_labels(results)
    (alone, _) = noise_charts([r for r in results if r.metric == "chrf"], labels)
    (whole, _) = noise_charts(results, labels)

    assert alone.curves[0].style == whole.curves[1].style == 1


def test_families_have_other_styles_than_metrics(results):
    metrics = {line.style for chart in charts_of(results) for line in chart.chart.lines}
    families = {line.style for chart in severity_charts(charts_of(results)) for line in chart.lines}

    assert len(metrics) == len(families) == 2
    assert not metrics & families


def test_families_take_the_numbers_that_no_metric_with_curves_has(results):
    plain = results[-1].model_copy(
        update={"metric": "plain", "family": "upper-case", "coefficient": None}
    )
    labels = metric_labels([plain, *results])

    assert metric_styles(labels) == {"plain": 0, "deep": 1, "chrf": 2}
    assert family_styles([plain, *results], labels) == {"visual": 0, "intrude": 3, "upper-case": 4}


def test_families_have_other_colours_than_metrics_with_curves(results):
    extra = [
        results[0].model_copy(update={"metric": f"m{n}", "coefficient": None}) for n in range(8)
    ]
    labels = metric_labels([*extra, *results])
    metrics = [metric_styles(labels)[name] % 8 for name in ("deep", "chrf")]
    families = [number % 8 for number in family_styles([*extra, *results], labels).values()]

    assert metrics == [0, 1]
    assert families == [2, 3]


def test_many_families_all_have_a_style(make_drop):
    many = [make_drop("deep", f"visual-{n}", 0.1) for n in range(60)]

    assert len(set(family_styles(many, metric_labels(many)).values())) == 60


def test_the_page_says_what_a_bar_is_and_lists_its_numbers(make_run, results):
    page = render(make_run(results))
    rows = re.findall(r"<td>0\.3<td>[^<]*<td>([^<]*)<td>", page)

    assert "The bar at a level is the 95% interval of the drop from clean texts" in page
    assert "0.268 [0.236, 0.300]" in rows
