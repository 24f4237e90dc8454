import pytest
from built_results import drop, estimate

from shakeproof.reports import render
from shakeproof.reports.sections.published import agreement, published_tables, signed, told
from shakeproof.reports.wording.anchors import anchor
from shakeproof.reports.wording.format import MINUS
from shakeproof.results import Estimate, Published


def one(value=0.31, **kwargs):
    kwargs = {"paper": "Vu et al. 2022", "table": "Table 6", "row": "r", "column": "c"} | kwargs
    return Published(value=value, **kwargs)


@pytest.mark.parametrize(
    ("published", "word"),
    [
        pytest.param(one(), "not measured", id="nothing"),
        pytest.param(one(measured=Estimate(value=None)), "not measured", id="undefined"),
        pytest.param(one(measured=estimate(0.3104)), "equal", id="rounded"),
        pytest.param(one(measured=estimate(0.3109)), "equal", id="cut off"),
        pytest.param(one(-0.31, measured=estimate(-0.3109)), "equal", id="cut off below zero"),
        pytest.param(one(measured=estimate(0.3111, 0.03)), "within", id="within the interval"),
        pytest.param(one(measured=estimate(0.35, 0.03)), "outside", id="outside"),
        pytest.param(one(measured=Estimate(value=0.35)), "differs", id="no interval"),
        pytest.param(one(measured=Estimate(value=0.31)), "equal", id="equal without interval"),
        pytest.param(one(0.3, digits=1, measured=estimate(0.34, 0.01)), "equal", id="one digit"),
        pytest.param(
            one(measured=estimate(0.31), instead="minilm, because bert was not run"),
            "stands in",
            id="another model",
        ),
    ],
)
def test_a_measurement_agrees_as_printed_or_by_its_interval(published, word):
    assert agreement(published) == word


def test_tables_come_in_the_order_of_their_papers():
    found = [
        one(table=table, paper=paper)
        for paper in ("B", "A")
        for table in ("Table 10", "Figure 3", "Table 9", "Table 10")
    ]
    tables = published_tables(found, ())

    assert [(table.paper, table.table) for table in tables] == [
        (paper, table) for paper in ("B", "A") for table in ("Figure 3", "Table 9", "Table 10")
    ]
    assert len(tables[2].lines) == 2


def test_differences_have_their_sign_and_the_printed_digits():
    assert (signed(0.0412, 3), signed(-0.04, 2), signed(-0.0001, 3)) == (
        "+0.041",
        f"{MINUS}0.04",
        "0.000",
    )


def test_the_lead_counts_what_comes_out():
    measured = [one(measured=estimate(value)) for value in (0.31, 0.32, 0.4, 0.3101)]
    tables = published_tables([*measured, one(), one(measured=estimate(1), instead="x")], ())

    assert told(tables) == (
        "2 of 4 numbers come out as printed, 1 more within the interval; "
        "1 was measured with something else; 1 was not measured."
    )


def test_a_measurement_leads_to_its_check(make_run):
    result = drop("deep", "visual", 0.3)
    found = [one(measured=estimate(0.3), result=name) for name in (result.id, "gone")]
    page = render(make_run([result], published=found))

    assert page.count(f'<a href="#{anchor(result.id)}">0.300</a>') == 1
    assert page.count("<td>0.300<td>") == 1


def test_what_is_said_of_many_numbers_is_said_once(make_run):
    found = [one(note="a mistake; no such model"), one(note="no such model"), one(instead="minilm")]
    (table,) = published_tables(found, ())
    page = render(make_run([], published=found))

    assert table.notes == ["a mistake", "no such model", "measured: minilm"]
    assert [table.numbers(line) for line in table.lines] == [[1, 2], [2], [3]]
    assert page.count("no such model") == 1


def test_the_section_is_hidden_when_empty(make_run):
    assert "Published beside measured" not in render(make_run([drop("deep", "visual", 0.3)]))
