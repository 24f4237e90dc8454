"""The numbers of a paper: how they are read, and found in a run."""

from pathlib import Path

import pytest
from pydantic import ValidationError

from shakeproof.results import (
    ChecklistRecord,
    DataRecord,
    Estimate,
    MetricRecord,
    Outcome,
    Part,
    Realised,
    Result,
    Run,
    agreement,
)
from shakeproof.spec.read import build_checklist
from shakeproof.studies import STUDIES
from shakeproof.studies.published import compare_with_run, published_numbers, read_tables

STUDY = STUDIES["robust-bertscore"]
FILE = "small.checklist.yaml"


def an_estimate(value):
    return Estimate(value=value, low=value - 0.1, high=value + 0.1)


def a_result(metric="deep", check="agrees", **more):
    given = {
        "id": f"{FILE}::{metric}::{check}::clean",
        "file": FILE,
        "line": 1,
        "metric": metric,
        "check": check,
        "expectation": "correlation",
        "statement": "",
        "quantity": "correlation",
        "outcome": Outcome.PASSED,
        "estimate": an_estimate(0.5),
    }
    return Result(**(given | more))


def a_run(*results, groups=("a", "b"), facts=None, limit=None):
    data = tuple(
        DataRecord(name=name, sha256="", segments=4, candidates=10, rated=7, preferences=20)
        for name in groups
    )
    metrics = tuple(
        MetricRecord(name=name, kind="k", settings={}, signature="s", facts=facts or {})
        for name in dict.fromkeys(one.metric for one in results)
    )
    record = ChecklistRecord(
        file=FILE, title="", sha256="", text="", seed=0, data=data, metrics=metrics
    )
    return Run(
        shakeproof="0",
        started="",
        seconds=0,
        command="",
        environment={},
        settings={"limit": limit},
        checklists=(record,),
        results=results,
    )


def written(source, value="0.5", more=""):
    return f"""\
paper: A et al. 2000
tables:
  - table: Table 1
    columns: {{one: {{}}}}
    rows:
      - {{row: r, from: {source}, values: [{value}]{more}}}
"""


def compare(text, run, left_out=None):
    (number,) = compare_with_run(read_tables(text), run, left_out or {})
    return number


def test_the_details_nearest_to_a_number_win():
    text = """\
paper: A et al. 2000
x-note: &why the reason
tables:
  - table: Table 1
    digits: 2
    note: of the table
    from: {check: agrees, metric: m}
    columns:
      one: {from: {group: a}}
      two: {from: {group: b, metric: n}, digits: 1, note: *why}
    rows:
      - {row: first, from: {metric: o}, values: [0.12, 0.3]}
      - row: second
        values: [null, {value: 0.4, from: {metric: p}, digits: 4, mistake: counted twice}]
"""
    numbers = list(published_numbers(read_tables(text)))

    assert [(number.row, number.column, number.value, number.digits) for number in numbers] == [
        ("first", "one", 0.12, 2),
        ("first", "two", 0.3, 1),
        ("second", "two", 0.4, 4),
    ]
    assert [(number.source.metric, number.source.group) for number in numbers] == [
        ("o", "a"),
        ("o", "b"),
        ("p", "b"),
    ]
    assert numbers[2].remarks == (
        "of the table",
        "the reason",
        "computed with a mistake: counted twice",
    )


def test_an_unknown_key_is_refused():
    with pytest.raises(ValidationError, match="colour"):
        read_tables(written("{}", more=", colour: red"))


def test_a_row_has_as_many_values_as_there_are_columns():
    with pytest.raises(ValueError, match="longer"):
        list(published_numbers(read_tables(written("{}", "0.1, 0.2"))))


def test_a_table_may_be_of_another_paper():
    text = written("{}").replace("  - table: Table 1", "  - table: Table 1\n    paper: B 1999")

    assert next(published_numbers(read_tables(text))).paper == "B 1999"


PARTS = (
    Part(name="clean", level=0.0, estimate=an_estimate(0.6)),
    Part(name="perturbed", level=0.1, estimate=an_estimate(0.41)),
    Part(name="perturbed", level=0.3, estimate=an_estimate(0.43)),
    Part(name="correlation", group="a", estimate=an_estimate(0.2)),
    Part(name="correlation", group="b", estimate=an_estimate(0.3)),
)
REALISED = Realised(letters=0.1, words=0.2, segments=1, edits=0.3, unknown=4.5)


@pytest.mark.parametrize(
    ("source", "value"),
    [
        pytest.param("{metric: deep, check: agrees}", 0.5, id="the estimate"),
        pytest.param("{metric: deep, check: agrees, group: b}", 0.3, id="a group"),
        pytest.param("{metric: deep, check: agrees, part: clean}", 0.6, id="a part"),
        pytest.param(
            "{metric: deep, check: agrees, part: perturbed, at: 0.3}", 0.43, id="a part at a level"
        ),
        pytest.param("{metric: deep, check: agrees, realised: unknown}", 4.5, id="realised"),
        pytest.param("{metric: deep, check: agrees, family: visual}", 0.5, id="a family"),
        pytest.param("{metric: deep, fact: omega}", 0.35, id="a fact"),
        pytest.param("{data: a, count: preferences}", 20, id="a count"),
        pytest.param("{data: b, count: candidates per segment}", 2.5, id="a ratio of counts"),
        pytest.param(
            "{checklist: small, metric: deep, check: agrees, level: 0.3}", 0.5, id="a checklist"
        ),
    ],
)
def test_a_number_is_found_where_it_stands_in_the_run(source, value):
    result = a_result(parts=PARTS, realised=REALISED, family="visual", level=0.3)

    assert compare(written(source), a_run(result, facts={"omega": 0.35})).measured.value == value


@pytest.mark.parametrize(
    ("source", "why"),
    [
        pytest.param("{metric: deep, check: other}", "the run has no such result", id="check"),
        pytest.param("{metric: deep, check: agrees, family: x}", "no such result", id="family"),
        pytest.param("{metric: deep, check: agrees, part: x}", "has no such part", id="part"),
        pytest.param("{metric: deep, check: agrees, group: c}", "no c.jsonl", id="group"),
        pytest.param("{metric: gone, check: agrees}", "bert was not run", id="metric"),
        pytest.param("{metric: broken, check: agrees}", "out of memory", id="error"),
        pytest.param("{metric: deep, check: agrees, realised: unknown}", "not say", id="realised"),
        pytest.param("{metric: deep, fact: omega}", "no fact 'omega'", id="fact"),
        pytest.param("{data: z, count: rated}", "the run has no data 'z'", id="data"),
        pytest.param("{elsewhere: by another command}", "by another command", id="elsewhere"),
        pytest.param(
            "{checklist: large, metric: deep, check: agrees}", "no such result", id="file"
        ),
    ],
)
def test_what_is_not_found_says_why(source, why):
    broken = a_result("broken", outcome=Outcome.ERROR, estimate=None, message="out of memory")
    left_out = {"c": "no c.jsonl in data", "gone": "bert was not run"}
    number = compare(written(source), a_run(a_result(), broken), left_out)

    assert number.measured is None
    assert why in number.note
    assert agreement(number) == "not measured"


def test_the_only_group_is_the_whole_run():
    source = "{metric: deep, check: agrees, group: a}"
    alone, among_others = (a_run(a_result(), groups=names) for names in (("a",), ("a", "b")))

    assert compare(written(source), alone).measured.value == 0.5
    assert compare(written(source), among_others).measured is None


def test_a_substitute_is_used_only_if_needed_and_named():
    source = "{metric: large, check: agrees, otherwise: {metric: deep}}"
    run, both = a_run(a_result()), a_run(a_result(), a_result("large", estimate=an_estimate(0.7)))
    number = compare(written(source), run, {"large": "bert was not run"})

    assert (number.measured.value, number.instead) == (0.5, "deep, because bert was not run")
    assert agreement(number) == "measured with a substitute"
    assert compare(written(source), both).measured.value == 0.7
    assert compare(written(source), both).instead == ""
    assert compare(written(source), a_run(a_result("other"))).measured is None


def test_a_number_measured_on_a_part_of_the_data_says_so():
    source = "{metric: deep, check: agrees}"
    whole, part = (compare(written(source), a_run(a_result(), limit=n)) for n in (None, 40))
    missing = compare(written("{elsewhere: there}"), a_run(a_result(), limit=40))

    assert part.note == "measured on the first 40 segments of each file"
    assert agreement(part) == "measured on part of the data"
    assert agreement(whole) != agreement(part)
    assert "40" not in missing.note
    assert agreement(missing) == "not measured"


@pytest.fixture(scope="module")
def tables():
    return read_tables(STUDY.published_text())


@pytest.fixture(scope="module")
def checklists():
    return {name: build_checklist(STUDY.content(name), Path(FILE)) for name in STUDY.checklists}


def test_every_published_number_points_at_something_the_study_measures(tables, checklists):
    for number in published_numbers(tables):
        source, others = number.source, number.source.otherwise
        if source.elsewhere:
            continue
        checklist = checklists[source.checklist]
        checks = {check.name: check for check in checklist.checks}
        for metric in filter(None, (source.metric, others.get("metric"))):
            assert metric in checklist.metrics
            assert source.check is None or metric in checks[source.check].metrics
        assert {source.group, source.data} - {None} <= set(checklist.data)
        if source.family:
            assert source.family in {perturb.family for perturb in checks[source.check].perturb}


def test_all_tables_with_numbers_are_there(tables):
    vu = [table for table in tables.tables if not table.paper]
    counted = {table.table: sum(len(row.values) for row in table.rows) for table in vu}

    assert counted == {
        "Table 1": 6,
        "Table 2": 7,
        "Table 4": 4,
        "Table 5": 40,
        "Table 6": 12,
        "Table 7": 4,
        "Table 8": 96,
        "Table 9": 96,
    }


def test_printed_averages_are_those_of_the_printed_pairs(tables):
    for table in tables.tables:
        for row in table.rows if "Average" in table.columns else ():
            *pairs, average = row.values

            assert sum(pairs) / 7 == pytest.approx(average, abs=0.0006), (table.table, row.row)


def test_the_default_rows_of_table_8_are_those_of_table_5(tables):
    by_name = {table.table: table for table in tables.tables}
    table_5 = {row.row: row.values for row in by_name["Table 5"].rows}
    default = [row for row in by_name["Table 8"].rows if row.row.startswith("Default, ")]

    assert len(default) == 4
    assert all(row.values == table_5[row.row.removeprefix("Default, ")] for row in default)
