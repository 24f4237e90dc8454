"""The scoreboard: one row per metric, whatever was tested."""

import re

from built_copies import copy_penalty
from built_results import drop, plain_result
from built_runs import checklist_record, demo, metric_record, wrap

from shakeproof.reports import render
from shakeproof.reports.page import make_page
from shakeproof.reports.wording.format import MINUS
from shakeproof.results import Outcome


def rows(results, **kwargs):
    return {row.metric: row for row in make_page(wrap(results, **kwargs)).scoreboard.every_row}


def in_file(result, file):
    return result.model_copy(update={"file": file, "id": f"{file}::{result.id}"})


def test_a_row_shows_the_noise_that_lowers_agreement_most_with_the_interval_of_the_drop():
    results = [
        drop("deep", family, level) for family in ("phonetic", "visual") for level in (0.1, 0.3)
    ]
    cell = rows(results)["deep"].agreement

    assert (cell.clean, cell.perturbed, cell.drop) == ("0.43", "0.16", "0.27 [0.24, 0.30]")
    assert cell.condition == "visual 0.3 in references"
    assert cell.curve.path.count("L") == 2


def test_a_row_shows_what_a_copy_costs_and_how_often_it_wins():
    cell = rows([copy_penalty("deep")])["deep"].copying

    assert (cell.penalty, cell.interval, cell.unit, cell.wins) == (
        f"{MINUS}0.85",
        f"[{MINUS}0.94, {MINUS}0.76]",
        "spreads",
        "93%",
    )


def test_a_row_says_what_was_tested_on_other_metrics_only():
    found = rows([drop("deep", "visual", 0.3), copy_penalty("deep"), copy_penalty("para-free")])

    assert (found["deep"].untested, found["para-free"].untested) == ("", "noise")


def test_the_best_agreement_on_clean_texts_comes_first_then_the_lowest_penalty():
    results = [
        copy_penalty("para-free"),
        copy_penalty("para-similar"),
        drop("chrf", "visual", 0.3),
        drop("deep", "visual", 0.3),
    ]

    assert list(rows(results)) == ["deep", "chrf", "para-similar", "para-free"]


def test_the_same_metric_in_two_checklists_is_one_row():
    records = [
        checklist_record(["deep"]).model_copy(update={"file": file})
        for file in ("a.yaml", "b.yaml")
    ]
    results = [
        in_file(drop("deep", "visual", 0.3), "a.yaml"),
        in_file(copy_penalty("deep"), "b.yaml"),
    ]
    found = rows(results, checklists=records)

    assert list(found) == ["deep"]
    assert found["deep"].agreement
    assert found["deep"].copying


def test_metrics_of_one_name_with_other_settings_are_two_rows():
    other = metric_record("deep").model_copy(update={"signature": "another"})
    records = [
        checklist_record(["deep"]).model_copy(update={"file": "a.yaml"}),
        checklist_record([]).model_copy(update={"file": "b.yaml", "metrics": (other,)}),
    ]
    results = [in_file(drop("deep", "visual", 0.3), file) for file in ("a.yaml", "b.yaml")]

    assert sorted(rows(results, checklists=records)) == ["deep (a)", "deep (b)"]


def test_coefficients_are_named_in_the_rows_if_there_are_several():
    first, second = drop("deep", "visual", 0.3), drop("chrf", "visual", 0.3)
    found = rows([first, second.model_copy(update={"coefficient": "pearson"})])
    same = rows([first, second])

    assert [found[name].agreement.coefficient for name in found] == ["wmt-kendall", "pearson"]
    assert [same[name].agreement.coefficient for name in same] == ["", ""]


def test_agreement_on_clean_texts_alone_is_shown_without_a_curve():
    clean = drop("deep", "visual", 0.3).model_copy(
        update={"family": None, "expectation": "correlation"}
    )
    cell = rows([clean])["deep"].agreement

    assert (cell.clean, cell.perturbed, cell.curve) == ("0.43", "", None)


def test_columns_that_nobody_needs_are_left_out():
    page = render(wrap([plain_result("a", "c", Outcome.PASSED)]))
    board = page[page.index('id="scoreboard"') : page.index('id="map"')]

    assert re.findall(r'<th scope="col">([^<]*)', board) == ["metric", "checks"]


def test_the_chart_on_the_first_screen_is_about_the_first_finding():
    leads = [
        make_page(wrap(results)).lead
        for results in (
            demo().results,
            [copy_penalty("deep")],
            [plain_result("a", "c", Outcome.ERROR)],
        )
    ]

    assert leads[0].title == "Agreement with people under visual in references"
    assert leads[1].kind == "forest"
    assert leads[2] is None


def test_the_first_chart_of_forty_metrics_shows_the_best_of_them():
    result = drop("deep", "visual", 0.3)
    many = [result.model_copy(update={"metric": f"m{n}", "id": f"m{n}"}) for n in range(40)]
    lead = make_page(wrap(many)).lead

    assert len(lead.chart.lines) == 8
    assert (
        lead.caption == "The 8 metrics that agree best on clean texts. Bars: interval of the drop."
    )


def test_the_map_has_one_unit_per_column_and_shows_estimates(demo_run):
    table = make_page(demo_run).overview
    first = dict(zip(table.columns, dict(table.rows)["deep"], strict=True))

    assert table.columns[0] == ("visual", "drop of wmt-kendall")
    assert ("upper-case", "mean |change| (spreads)") in table.columns
    assert first["visual", "drop of wmt-kendall"].text == "0.27"
