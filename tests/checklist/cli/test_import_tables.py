"""`shakeproof import csv` and `tsv`: a table becomes JSON Lines, or one line says why not."""

import json
from pathlib import Path

import pytest
from import_command import import_data

from shakeproof.data.imports.tables import read_table
from shakeproof.data.json_lines import json_lines
from shakeproof.errors import SpecError

pytestmark = pytest.mark.usefixtures("folder")

CSV = """\
source,reference,reference_2,output,rating,system,domain
x,r,s,a,1,A,news
x,r,s,"b, quoted
over lines",0.5,B,news
y,t,,c,,A,talk
"""


def test_rows_of_a_table_with_the_same_texts_are_one_segment(folder):
    (folder / "t.csv").write_text(CSV)

    code, (first, second) = import_data("csv", "t.csv", "--column", "candidate=output")

    assert code == 0
    assert (first.id, first.source, first.references) == ("1", "x", ("r", "s"))
    assert [(candidate.text, candidate.rating) for candidate in first.candidates] == [
        ("a", 1.0),
        ("b, quoted\nover lines", 0.5),
    ]
    assert first.candidates[1].systems == ("B",)
    assert first.candidates[0].extra == {"domain": "news"}
    assert second.references == ("t",)
    assert second.candidates[0].rating is None


SEMICOLONS = """\
source;"reference; or, none";output;rating
x;r;"a; quoted
over lines, ""so"" it is";1
x;r;b, not quoted;0.5
"""


def test_a_table_may_be_separated_by_semicolons(folder):
    (folder / "t.csv").write_text(SEMICOLONS)
    columns = ("--column", "candidate=output", "--column", "reference=reference; or, none")

    code, (segment,) = import_data("csv", "t.csv", *columns)

    assert code == 0
    assert (segment.source, segment.references) == ("x", ("r",))
    assert [(candidate.text, candidate.rating) for candidate in segment.candidates] == [
        ('a; quoted\nover lines, "so" it is', 1.0),
        ("b, not quoted", 0.5),
    ]


@pytest.mark.parametrize(
    ("text", "texts"),
    [
        pytest.param('candidate,"a;b"\nx;y,1\n', ["x;y"], id="beside a comma"),
        pytest.param('"candidate"\nx;y\n', ["x;y"], id="below the header"),
    ],
)
def test_semicolons_in_cells_separate_nothing(folder, text, texts):
    (folder / "t.csv").write_text(text)

    _, (segment,) = import_data("csv", "t.csv")

    assert [candidate.text for candidate in segment.candidates] == texts


def test_a_name_in_quotes_is_one_column_despite_semicolons(folder):
    (folder / "t.csv").write_text('"my;text"\nx;y\n')

    _, (segment,) = import_data("csv", "t.csv", "--column", "candidate=my;text")

    assert [candidate.text for candidate in segment.candidates] == ["x;y"]


@pytest.mark.parametrize(
    ("layout", "text", "columns", "line"),
    [
        pytest.param(
            "csv",
            "id\tcandidate\n1\ta\n",
            [],
            "t.txt:1: no column 'candidate': the header is one column, with tabs in it; "
            "use shakeproof import tsv",
            id="tabs in CSV",
        ),
        pytest.param(
            "tsv",
            "id,output\n1,a\n",
            ["--column", "candidate=output"],
            "t.txt:1: no column 'output': the header is one column, with commas in it; "
            "use shakeproof import csv",
            id="commas in TSV",
        ),
        pytest.param(
            "tsv",
            "id;candidate\n1;a\n",
            [],
            "t.txt:1: no column 'candidate': the header is one column, with semicolons in it; "
            "use shakeproof import csv",
            id="semicolons in TSV",
        ),
        pytest.param(
            "csv",
            "candidate;rating\na;4,5\n",
            [],
            "t.txt:2: rating must be a number, got '4,5'; write a decimal point, as in 4.5",
            id="decimal comma",
        ),
    ],
)
def test_the_message_says_what_to_do_with_another_layout(
    folder, capsys, layout, text, columns, line
):
    (folder / "t.txt").write_text(text)

    code, _ = import_data(layout, "t.txt", *columns)

    assert code == 2
    assert capsys.readouterr().err == f"{line}\n"


def test_rows_with_the_same_id_are_one_segment(folder):
    (folder / "t.tsv").write_text('id\tcandidate\n7\t"a\n8\tb\n7\tc\n')

    _, segments = import_data("tsv", "t.tsv")

    assert [(segment.id, len(segment.candidates)) for segment in segments] == [("7", 2), ("8", 1)]
    assert segments[0].candidates[0].text == '"a'


@pytest.mark.parametrize(
    ("text", "columns", "line"),
    [
        pytest.param(
            "text\na\n",
            [],
            "t.csv:1: no column 'candidate'; say --column candidate=NAME; columns are: text",
            id="no candidate",
        ),
        pytest.param(
            "text\na\n",
            ["candidate=texts"],
            "t.csv:1: no column 'texts'; did you mean 'text'?",
            id="unknown column",
        ),
        pytest.param(
            "text\na\n",
            ["candidat=text"],
            "t.csv: unknown column 'candidat'; did you mean 'candidate'?",
            id="unknown column of ours",
        ),
        pytest.param("text\na\n", ["x"], "--column must be OURS=THEIRS, got 'x'", id="no equals"),
        pytest.param(
            "candidate,rating\na,good\n",
            [],
            "t.csv:2: rating must be a number, got 'good'",
            id="rating a word",
        ),
        pytest.param(
            "candidate,rating\na,1,2\n", [], "t.csv:2: 3 cells, but the header has 2", id="ragged"
        ),
        pytest.param('candidate\n"a"b\n', [], "t.csv:2: broken table: ", id="bad quotes"),
        pytest.param("", [], "t.csv:1: no column 'candidate'", id="empty"),
        pytest.param("candidate\n", [], "out.jsonl:1: no segments", id="only a header"),
        pytest.param(
            "candidate,rating\na,nan\n",
            [],
            "out.jsonl:1: rating of candidate 0 must be a finite number, got nan",
            id="rating not a number",
        ),
    ],
)
def test_a_bad_table_is_one_line_and_nothing_is_written(folder, capsys, text, columns, line):
    (folder / "t.csv").write_text(text)

    code, _ = import_data(
        "csv", "t.csv", *(word for column in columns for word in ("--column", column))
    )

    assert code == 2
    assert capsys.readouterr().err.startswith(line)
    assert not (folder / "out.jsonl").exists()


def test_odd_characters_survive_writing():
    odd = "a\u2028b\u0085c\ud800"

    text = json_lines([{"id": "1", "candidates": [{"text": odd}]}, {"id": "\u2029"}])

    assert text.isascii()
    assert text.count("\n") == 2
    assert json.loads(text.split("\n")[0])["candidates"][0]["text"] == odd


def test_a_table_of_another_encoding_is_refused(folder):
    (folder / "t.csv").write_bytes("candidate\ncaf\xe9\n".encode("latin-1"))

    with pytest.raises(SpecError, match=r"t\.csv:2:4: not UTF-8"):
        read_table(Path("t.csv"), "csv")
