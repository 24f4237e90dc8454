"""The section about judges: bias map, stability, cost."""

import pytest
from built_judges import (
    answers,
    bias,
    consistent,
    judge_record,
    judges_demo,
    run_with,
    stable,
    usage,
)
from built_results import plain_result
from built_runs import demo

from shakeproof.reports import render
from shakeproof.reports.page import make_page
from shakeproof.results import Outcome


@pytest.fixture(scope="module")
def judges_run():
    return judges_demo()


@pytest.fixture(scope="module")
def found(judges_run):
    return make_page(judges_run).judges


def test_families_of_judges_are_rows_and_metrics_stand_side_by_side(found):
    assert found.metrics == ("judge", "deep")
    assert [row.family for row in found.biases] == [
        "flattery",
        "fake-citation",
        "injected-instruction",
        "master-key",
    ]
    assert found.quantity == "mean rise (spreads)"


def test_judges_stand_before_other_metrics():
    results = [bias("deep", "flattery", 0.1), bias("judge", "flattery", 0.1)]
    run = run_with(results, judge_record(usage()))

    assert make_page(run).judges.metrics == ("judge", "deep")


def test_a_cell_has_the_estimate_its_interval_and_its_outcome(found):
    judge, deep = found.biases[0].cells

    assert (judge.text, judge.interval, judge.sign.word) == ("0.62", "[0.53, 0.71]", "failed")
    assert deep.sign.word == "passed"


def test_only_the_worst_level_of_a_family_is_in_its_cell():
    weak, strong = bias("judge", "filler", 0.05), bias("judge", "filler", 0.9)
    ((row,),) = (make_page(run_with([weak, strong])).judges.biases,)

    assert [cell.text for cell in row.cells] == ["0.90"]


def test_a_row_with_another_quantity_than_most_names_it():
    keys = bias("judge", "master-key", 0.1).model_copy(update={"quantity": "share", "unit": ""})
    run = run_with([keys, bias("judge", "flattery", 0.1), bias("judge", "filler", 0.1)])
    section = render(run).split('<section id="judges"')[1].split("</section>")[0]

    assert make_page(run).judges.quantity == "mean rise (spreads)"
    assert section.count("mean rise (spreads)") == 1
    assert "master-key <small>share</small>" in section


def test_a_metric_without_a_check_of_a_family_has_an_empty_cell():
    run = run_with([bias("judge", "flattery", 0.1), bias("deep", "filler", 0.1)])
    first, second = make_page(run).judges.biases

    assert (first.cells[1], second.cells[0]) == (None, None)


def test_stability_shows_the_judged_number_and_those_beside_it(found):
    judged = [row for row in found.stability if row.sign]
    beside = [row.quantity for row in found.stability if not row.sign]

    assert [(row.metric, row.value, row.bound) for row in judged] == [
        ("judge", "0.310", "≤\N{NO-BREAK SPACE}0.1"),
        ("duel", "0.880", "≥\N{NO-BREAK SPACE}0.9"),
    ]
    assert beside[:2] == [
        "share of the variance that is the judge's own noise: one answer",
        "the same share: mean of all answers",
    ]


def test_a_number_that_is_not_defined_says_why(found):
    *_, undefined = found.stability

    assert (undefined.value, undefined.note) == ("", "none")


def test_a_check_that_broke_says_how():
    broken = stable().model_copy(
        update={"estimate": None, "parts": (), "outcome": Outcome.ERROR, "message": "no server"}
    )
    (row,) = make_page(run_with([broken])).judges.stability

    assert (row.value, row.note, row.sign.word) == ("", "no server", "error")


def test_costs_are_listed_by_judge_and_together(found):
    assert [(row.metric, row.in_run) for row in found.costs] == [
        ("judge", "1,260 calls, 138,600 tokens, 12.60"),
        ("duel", "0 calls, 0 tokens, 0.00"),
        ("", "1,260 calls, 138,600 tokens, 12.60"),
    ]
    assert found.costs[0].asked == "big"
    assert found.costs[0].reported == "big-1"


def test_answers_that_two_judges_share_are_paid_for_once():
    shared = usage(answers("draw:1", calls=5, cached=5))
    run = run_with([], judge_record(shared, "one"), judge_record(shared, "other"))
    *_, together = make_page(run).judges.costs

    assert together.in_run.startswith("5 calls, ")


@pytest.mark.parametrize(
    "run",
    [
        pytest.param(run_with([bias("deep", "flattery", 0.1)]), id="family"),
        pytest.param(run_with([stable()]), id="repeats"),
        pytest.param(run_with([consistent()]), id="order"),
        pytest.param(run_with([], judge_record(usage())), id="judge"),
    ],
)
def test_one_thing_about_judges_is_enough_for_the_section(run):
    assert ("judges", "Judges") in make_page(run).sections
    assert '<section id="judges"' in render(run)


def test_other_runs_have_no_such_section():
    assert '<section id="judges"' not in render(demo())


def test_skipped_checks_of_stability_are_left_out():
    skipped = plain_result("deep", "twice", Outcome.SKIPPED, expectation="stable", family=None)

    assert not make_page(run_with([skipped])).judges


def test_names_that_servers_report_are_escaped():
    record = judge_record(usage(answers("draw:1", calls=1, model="<script>alert(1)</script>")))
    page = render(run_with([], record))

    assert "<script>alert" not in page
    assert "&lt;script&gt;alert" in page
