"""Runs with many metrics or several checklists stay readable."""

import pytest
from built_results import drop
from built_runs import checklist_record

from shakeproof.reports import render
from shakeproof.reports.page import make_page
from shakeproof.reports.sections.header import page_title
from shakeproof.reports.wording.names import checklist_labels, metric_labels, short_name


def records(*titles):
    return [
        checklist_record([]).model_copy(update={"title": title, "file": title}) for title in titles
    ]


def many_metrics(count, family="visual", level=0.3):
    result = drop("deep", family, level)
    return [
        result.model_copy(update={"metric": f"m{number:02}", "id": f"m{number:02}::{family}"})
        for number in range(count)
    ]


@pytest.mark.parametrize(
    ("file", "name"),
    [
        ("a/noise.checklist.yaml", "noise"),
        ("noise.checklist.yml", "noise"),
        ("noise.yaml", "noise"),
        ("my.noise.checklist.yaml", "my.noise"),
        ("", ""),
        (".yaml", ".yaml"),
    ],
)
def test_checklists_are_named_without_folder_and_ending(file, name):
    assert short_name(file) == name


def test_checklists_of_one_name_keep_their_folders():
    assert checklist_labels(["a/x.yaml", "b/x.yaml", "b/y.yaml"]) == {
        "a/x.yaml": "a/x.yaml",
        "b/x.yaml": "b/x.yaml",
        "b/y.yaml": "y",
    }


@pytest.mark.parametrize("file", ["a/x.checklist.yaml", "a/x.yaml", ""])
def test_a_metric_has_its_own_name_and_one_with_its_checklist(make_run, file):
    first = drop("deep", "visual", 0.3).model_copy(update={"file": file})
    other = first.model_copy(update={"file": "b/x.yaml"})
    labels = metric_labels([first, other])
    shown = make_page(make_run([first, other]))

    assert list(labels) == [(file, "deep"), ("b/x.yaml", "deep")]
    assert len(set(labels.values())) == 2
    assert {curve.metric for chart in shown.noise for curve in chart.curves} == {"deep"}


@pytest.mark.parametrize(
    ("titles", "shown"),
    [
        pytest.param([], "Robustness of metrics", id="none"),
        pytest.param(["Noise"], "Noise", id="one"),
        pytest.param(["Noise", "Noise"], "Noise", id="the same twice"),
        pytest.param(["Noise", "Copies"], "Noise · Copies", id="two"),
        pytest.param(
            ["Metrics for paraphrases: test part", "Metrics for paraphrases: all"],
            "Metrics for paraphrases",
            id="what they begin with",
        ),
        pytest.param(["a" * 60, "b" * 60, "c"], "a" * 60 + " and 2 more checklists", id="too long"),
    ],
)
def test_a_page_is_named_after_its_checklists(titles, shown):
    assert page_title(records(*titles)) == shown


def test_charts_of_one_checklist_name_metrics_without_it(make_run):
    first = drop("deep", "visual", 0.3)
    second = first.model_copy(update={"file": "b.yaml", "id": "b.yaml::deep"})
    shown = make_page(make_run([first, second]))

    assert [line.name for chart in shown.noise for line in chart.chart.lines] == ["deep", "deep"]
    assert [chart.source for chart in shown.noise] == ["noise", "b"]
    assert [chart.source for chart in shown.drops] == ["noise", "b"]
    assert {mark.full_name for chart in shown.drops for mark in chart.chart.marks} == {"deep"}


def test_of_many_metrics_the_first_rows_are_shown_and_the_rest_are_folded(make_run):
    run = make_run(many_metrics(20))
    board = make_page(run).scoreboard

    assert (len(board.rows), len(board.folded)) == (15, 5)
    assert "5 more metrics" in render(run)


def test_every_metric_has_its_verdict(make_run):
    good, bad = many_metrics(10, level=0.05), many_metrics(20)[10:]
    text = render(make_run([*good, *bad]))

    assert text.count("Loses agreement with human ratings") == 10


def test_texts_of_many_metrics_are_left_to_their_checks(make_run):
    shown = make_page(make_run(many_metrics(15)))

    assert (len(shown.texts), shown.metrics_left_out) == (12, 3)


def test_a_tall_chart_keeps_the_worst_level_of_each_metric(make_run):
    metrics, levels = ("deep", "chrf"), [n / 20 for n in range(1, 10)]
    run = make_run([drop(metric, "visual", level) for metric in metrics for level in levels])
    (chart,) = make_page(run).drops

    assert [(result.metric, result.level) for result in chart.results] == [
        ("deep", 0.45),
        ("chrf", 0.45),
    ]
    assert chart.left_out == 16
    assert "the worst level of each metric" in render(run)


def test_of_many_charts_those_closest_to_their_bounds_are_shown(make_run):
    families = [f"f{number}" for number in range(14)]
    run = make_run([drop("deep", family, 0.2) for family in families])
    shown = make_page(run)

    assert (len(shown.drops), shown.drops_left_out, len(shown.noise)) == (12, 2, 14)
