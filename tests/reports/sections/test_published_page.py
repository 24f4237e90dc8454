from built_results import drop, estimate

from shakeproof.reports import render
from shakeproof.reports.sections.published import published_tables, summarise_agreement
from shakeproof.reports.wording.names import anchor
from shakeproof.results import Published


def published(value=0.31, **kwargs):
    kwargs = {"paper": "Vu et al. 2022", "table": "Table 6", "row": "r", "column": "c"} | kwargs
    return Published(value=value, **kwargs)


def test_tables_come_in_the_order_of_their_papers():
    found = [
        published(table=table, paper=paper)
        for paper in ("B", "A")
        for table in ("Table 10", "Figure 3", "Table 9", "Table 10")
    ]
    tables = published_tables(found, ())

    assert [(table.paper, table.table) for table in tables] == [
        (paper, table) for paper in ("B", "A") for table in ("Figure 3", "Table 9", "Table 10")
    ]
    assert len(tables[2].rows) == 2


def test_the_summary_counts_how_numbers_agree():
    measured = [published(measured=estimate(value)) for value in (0.31, 0.32, 0.4, 0.3101)]
    tables = published_tables(
        [*measured, published(), published(measured=estimate(1), instead="x")], ()
    )

    assert summarise_agreement(tables) == (
        "2 of 4 measured numbers equal the published one to the printed digits, "
        "1 more within the interval; 1 measured with a substitute; 1 not measured."
    )


def test_the_summary_counts_what_was_measured_on_part_of_the_data():
    part = [published(measured=estimate(value), part_of_data=True) for value in (0.31, 0.4)]
    tables = published_tables([*part, published()], ())

    assert {row.tone for row in tables[0].rows} == {"skipped"}
    assert summarise_agreement(tables) == "2 measured on part of the data; 1 not measured."


def test_a_measurement_leads_to_its_check(make_run):
    result = drop("deep", "visual", 0.3)
    found = [published(measured=estimate(0.3), result=name) for name in (result.id, "gone")]
    page = render(make_run([result], published=found))

    assert page.count(f'<a href="#{anchor(result.id)}">0.300</a>') == 1
    assert page.count("<td>0.300<td>") == 1


def test_a_note_on_many_numbers_appears_once(make_run):
    found = [
        published(note="a mistake; no such model"),
        published(note="no such model"),
        published(instead="minilm"),
    ]
    (table,) = published_tables(found, ())
    page = render(make_run([], published=found))

    assert table.notes == ["a mistake", "no such model", "measured: minilm"]
    assert [table.note_numbers(row) for row in table.rows] == [[1, 2], [2], [3]]
    assert page.count("no such model") == 1


def test_the_section_is_hidden_when_empty(make_run):
    assert "Published and measured numbers" not in render(make_run([drop("deep", "visual", 0.3)]))
