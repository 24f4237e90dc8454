"""Runs with many metrics or several checklists stay readable."""

import pytest
from built_results import drop
from built_runs import small_print

from shakeproof.reports import render
from shakeproof.reports.page import page
from shakeproof.reports.sections.header import title
from shakeproof.reports.sections.overview import matrix
from shakeproof.reports.wording.names import bare, labels, short, told_apart
from shakeproof.reports.wording.sentences import headline, verdict


def records(*titles):
    return [small_print([]).model_copy(update={"title": one, "file": one}) for one in titles]


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
    assert short(file) == name


def test_checklists_of_one_name_keep_their_folders():
    assert labels(["a/x.yaml", "b/x.yaml", "b/y.yaml"]) == {
        "a/x.yaml": "a/x.yaml",
        "b/x.yaml": "b/x.yaml",
        "b/y.yaml": "y",
    }


@pytest.mark.parametrize("file", ["a/x.checklist.yaml", "a/x.yaml", ""])
def test_a_metric_gets_its_own_name_back(make_run, file):
    first = drop("deep", "visual", 0.3).model_copy(update={"file": file})
    other = first.model_copy(update={"file": "b/x.yaml"})
    told = told_apart(make_run([first, other]))

    assert told[0].metric != told[1].metric
    assert [bare(one.metric, one.file) for one in told] == ["deep", "deep"]


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
    assert title(records(*titles)) == shown


def test_charts_of_one_checklist_name_metrics_without_it(make_run):
    first = drop("deep", "visual", 0.3)
    second = first.model_copy(update={"file": "b.yaml", "id": "b.yaml::deep"})
    shown = page(make_run([first, second]))

    assert [line.name for panel in shown.panels for line in panel.chart.lines] == ["deep", "deep"]
    assert [panel.source for panel in shown.panels] == ["noise", "b"]
    assert [forest.source for forest in shown.drops] == ["noise", "b"]
    assert {mark.full for forest in shown.drops for mark in forest.chart.marks} == {"deep"}


def test_a_dozen_metrics_have_their_cards(make_run):
    shown = page(make_run(many_metrics(12)))

    assert (len(shown.verdicts), len(shown.more_verdicts)) == (12, 0)


def test_of_more_metrics_the_worst_have_cards_and_all_have_a_sentence(make_run):
    good, bad = many_metrics(10, level=0.05), many_metrics(20)[10:]
    run = make_run([*good, *bad])
    shown = page(run)
    told = render(run)

    assert [one.sign.slug for one in shown.verdicts] == ["failed"] * 9
    assert len(shown.more_verdicts) == 11
    assert told.count("Loses agreement with people") == 10
    assert "11 more metrics" in told


def test_many_metrics_stand_in_the_rows_of_the_map():
    results = many_metrics(11)
    wide = matrix(results[:10], [one.metric for one in results[:10]])
    tall = matrix(results, [one.metric for one in results])

    assert (wide.turned, len(wide.rows), wide.columns[:2]) == (False, 1, ("m00", "m01"))
    assert (tall.turned, len(tall.rows), tall.columns) == (True, 11, ("visual",))
    assert tall.rows[0][1][0] == wide.rows[0][1][0]


def test_texts_of_many_metrics_are_left_to_their_checks(make_run):
    shown = page(make_run(many_metrics(15)))

    assert (len(shown.dossiers), shown.more_dossiers) == (12, 3)


def test_more_than_three_good_metrics_are_counted_not_named():
    bad = verdict("bad", [drop("deep", "visual", 0.3)])
    good = [verdict(f"good{n}", [drop("chrf", "visual", 0.1)]) for n in range(4)]

    assert headline([bad, *good]) == "1 of 5 metrics does not hold up; 4 hold up throughout."
    assert headline([bad, *good[:3]]) == (
        "1 of 4 metrics does not hold up; `good0`, `good1` and `good2` hold up throughout."
    )


def test_a_tall_chart_keeps_the_worst_level_of_each_metric(make_run):
    metrics, levels = ("deep", "chrf"), [n / 20 for n in range(1, 10)]
    run = make_run([drop(metric, "visual", level) for metric in metrics for level in levels])
    (forest,) = page(run).drops

    assert [(one.metric, one.level) for one in forest.results] == [("deep", 0.45), ("chrf", 0.45)]
    assert forest.left_out == 16
    assert "the worst level of each metric" in render(run)


def test_of_many_charts_those_with_the_narrowest_margins_are_shown(make_run):
    families = [f"f{number}" for number in range(14)]
    run = make_run([drop("deep", one, 0.2) for one in families])
    shown = page(run)

    assert (len(shown.drops), shown.more_drops, len(shown.panels)) == (12, 2, 14)
