"""Data of other formats become JSON Lines that load."""

import io
import json
import pickle
from pathlib import Path

import pytest

from shakeproof.cli.main import main
from shakeproof.data.imports.parascore import read_pickle
from shakeproof.data.imports.tables import read_table
from shakeproof.data.json_lines import json_lines
from shakeproof.data.loading import load_data
from shakeproof.errors import SpecError

pytestmark = pytest.mark.usefixtures("folder")


def write_files(folder, **files):
    for name, text in files.items():
        path = folder / name.replace("__", "/")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8", newline="")


def import_data(*arguments):
    code = main(["import", *arguments, "-o", "out.jsonl"])
    return code, (load_data("out.jsonl", folder=Path()).segments if code == 0 else ())


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


def mtme(folder, **changes):
    files = {
        "set__sources__hi-bn.txt": "x1\nx2\n",
        "set__references__hi-bn.refA.txt": "r1\nr2\n",
        "set__references__hi-bn.refB.txt": "s1\ns2\n",
        "set__system-outputs__hi-bn__M1.txt": "a1\na2\n",
        "set__system-outputs__hi-bn__M2.txt": "b1\nb\u20282\n",
        "set__system-outputs__hi-bn__refA.txt": "r1\nr2\n",
        "set__human-scores__hi-bn.wmt-raw.seg.score": "M1\t70\nM1\tNone\nM2\t1.5\nM2\t2\n",
        "set__metric-scores__hi-bn__BLEURT-refA.seg.score": "M1 0.1\nM1 0.2\nM2 0.3\nM2 0.4\n",
        "set__documents__hi-bn.docs": "news d1\nnews d2\n",
    }
    write_files(folder, **{**files, **changes})


def test_a_folder_of_mt_metrics_eval_is_read(folder):
    mtme(folder)

    code, (first, second) = import_data(
        "mt-metrics-eval", "set", "--pair", "hi-bn", "--reference", "refA", "--score", "BLEURT"
    )

    assert code == 0
    assert (first.source, first.references) == ("x1", ("r1",))
    assert first.extra == {"document": "d1"}
    assert [candidate.systems for candidate in first.candidates] == [("M1",), ("M2",)]
    assert [candidate.rating for candidate in second.candidates] == [None, 2.0]
    assert second.candidates[1].scores == {"BLEURT": 0.4}
    assert second.candidates[1].text == "b\u20282"


def test_several_human_scores_of_mt_metrics_eval_become_ratings_by_aspect(folder):
    mtme(folder, **{"set__human-scores__hi-bn.mqm.seg.score": "M1 1\nM1 2\n"})
    chosen = ("--ratings", "mqm", "--ratings", "wmt-raw")

    _, segments = import_data("mt-metrics-eval", "set", "--pair", "hi-bn", *chosen)

    assert [[one.ratings for one in segment.candidates] for segment in segments] == [
        [{"mqm": 1.0, "wmt-raw": 70.0}, {"wmt-raw": 1.5}],
        [{"mqm": 2.0}, {"wmt-raw": 2.0}],
    ]
    assert {one.rating for segment in segments for one in segment.candidates} == {None}


def test_all_references_are_taken_unless_one_is_chosen(folder):
    mtme(folder)

    _, segments = import_data("mt-metrics-eval", "set", "--pair", "hi-bn")

    assert segments[0].references == ("r1", "s1")


@pytest.mark.parametrize(
    ("changes", "options", "line"),
    [
        (
            {},
            ["--pair", "hi-bnn"],
            "set/sources/hi-bnn.txt: no such file; did you mean 'hi-bn.txt'",
        ),
        (
            {},
            ["--pair", "hi-bn", "--ratings", "mqm"],
            "no human scores 'mqm' for hi-bn; known",
        ),
        ({}, ["--pair", "hi-bn", "--reference", "refC"], "no reference 'refC' for hi-bn; did you"),
        (
            {},
            ["--pair", "hi-bn", "--score", "COMET"],
            "no scores of 'COMET' for hi-bn; known",
        ),
        (
            {"set__human-scores__hi-bn.mqm.seg.score": "M1 1\nM1 2\n"},
            ["--pair", "hi-bn"],
            "several human scores for hi-bn; say which with --ratings: mqm, wmt-raw",
        ),
        (
            {"set__system-outputs__hi-bn__M1.txt": "a1\n"},
            ["--pair", "hi-bn"],
            "'M1' of hi-bn has 1 lines, the source 2",
        ),
        (
            {"set__human-scores__hi-bn.wmt-raw.seg.score": "M1 1\n"},
            ["--pair", "hi-bn"],
            "set/human-scores/hi-bn.wmt-raw.seg.score: 1 scores of 'M1', 2 segments",
        ),
        (
            {"set__human-scores__hi-bn.wmt-raw.seg.score": "M1 good\nM1 2\n"},
            ["--pair", "hi-bn"],
            "set/human-scores/hi-bn.wmt-raw.seg.score:1: score must be a number, got 'good'",
        ),
    ],
)
def test_a_bad_folder_is_one_line(folder, capsys, changes, options, line):
    mtme(folder, **changes)

    code, _ = import_data("mt-metrics-eval", "set", *options)

    assert code == 2
    assert capsys.readouterr().err.startswith(line)


def darr(folder, **changes):
    files = {
        "rr.csv": "LP DATA SID BETTER WORSE\nkk-en t 1 A B\nkk-en t 1 A C\nkk-en t 2 C B\n"
        "kk-en t 2 A C\ngu-en t 1 A B\n",
        "out__t.A.kk-en": "a1\nsame\n",
        "out__t.B": "b1\nb2\n",
        "out__C.txt": "b1\nsame\n",
        "ref": "r1\nr2\nr3\n",
    }
    write_files(folder, **{**files, **changes})


DARR = ("darr", "rr.csv", "--pair", "kk-en", "--outputs", "out", "--references", "ref")


def test_preferences_are_read_with_equal_outputs_shared(folder):
    darr(folder, out__A="", **{"out__t.A.kk-en": "a1\nsame\n\n", "out__t.B": "b1\nb2\n\n"})
    write_files(folder, **{"out__C.txt": "b1\nsame\n\n"})

    code, (first, second, third) = import_data(*DARR)

    assert code == 0
    assert [(candidate.text, candidate.systems) for candidate in first.candidates] == [
        ("a1", ("A",)),
        ("b1", ("B", "C")),
    ]
    assert first.preferences == ((0, 1), (0, 1))
    assert second.preferences == ((0, 1),)
    assert (third.candidates, third.preferences) == ((), ())


@pytest.mark.parametrize(
    ("changes", "line"),
    [
        ({"rr.csv": "kk-en t one A B\n"}, "rr.csv:1: must be LP DATA SID BETTER WORSE, got"),
        ({"rr.csv": "gu-en t 1 A B\n"}, "rr.csv: no preferences for 'kk-en'; did you mean"),
        ({"rr.csv": "kk-en t 1 A Z\n"}, "out: no output of 'Z', such as t.Z.kk-en"),
        ({}, "A: 2 lines, but the references have 3"),
        ({"ref": "r1\nr2\n", "rr.csv": "kk-en t 9 A B\n"}, "rr.csv: no segment 9 in kk-en"),
    ],
)
def test_bad_preferences_are_one_line(folder, capsys, changes, line):
    darr(folder, **changes)

    code, _ = import_data(*DARR)

    assert code == 2
    assert capsys.readouterr().err.startswith(line)


def release(folder, candidates=None):
    references = {f"x{i}": [f"r{i}"] for i in range(6)}
    given = candidates or {f"x{i}": [(f"c{i}", "0.8"), (f"d{i}", 0.2)] for i in range(6)}
    for name, value in (("source-reference", references), ("source-candidate", given)):
        (folder / f"{name}.pickle").write_bytes(pickle.dumps(value))


def test_the_parascore_release_is_read(folder):
    release(folder)

    code, segments = import_data("parascore", ".")

    assert code == 0
    assert len(segments) == 6
    assert (segments[0].source, segments[0].references) == ("x0", ("r0",))
    assert [(candidate.text, candidate.rating) for candidate in segments[0].candidates] == [
        ("c0", 0.8),
        ("d0", 0.2),
    ]


def test_a_reference_of_the_release_is_a_pair_of_text_and_rating(folder):
    release(folder)
    references = {f"x{i}": (f"r{i}", 1.0) for i in range(6)}
    (folder / "source-reference.pickle").write_bytes(pickle.dumps(references))

    code, segments = import_data("parascore", ".")

    assert code == 0
    assert [segment.references for segment in segments] == [(f"r{i}",) for i in range(6)]
    assert [segment.id for segment in segments] == ["0", "1", "2", "3", "4", "5"]


def test_the_extended_version_copies_every_fifth_input(folder):
    release(folder)

    _, segments = import_data("parascore", ".", "--extend")

    assert [len(segment.candidates) for segment in segments] == [3, 2, 2, 2, 2, 3]
    assert (segments[5].candidates[2].text, segments[5].candidates[2].rating) == ("x5", 0.0)


class Evil:
    def __reduce__(self):
        return (print, ("owned",))


@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
def test_a_pickle_that_calls_something_is_refused_unrun(folder, capsys, protocol):
    (folder / "evil.pickle").write_bytes(pickle.dumps({"a": Evil()}, protocol))

    with pytest.raises(SpecError, match="only plain containers are read"):
        read_pickle(Path("evil.pickle"))

    assert capsys.readouterr().out == ""


def test_a_pickle_with_outside_references_is_refused(folder):
    stream = io.BytesIO()
    pickler = pickle.Pickler(stream)
    pickler.persistent_id = lambda value: "outside" if value == "x" else None
    pickler.dump(["x"])
    (folder / "p.pickle").write_bytes(stream.getvalue())

    with pytest.raises(SpecError, match="only plain containers are read"):
        read_pickle(Path("p.pickle"))


@pytest.mark.parametrize("content", [b"", b"nonsense", b"\x80\x05", b"\x80\x04\x95\xff"])
def test_a_broken_pickle_is_one_line(folder, content):
    (folder / "p.pickle").write_bytes(content)

    with pytest.raises(SpecError, match=r"^p\.pickle: cannot be read as a pickle: [^\n]+$"):
        read_pickle(Path("p.pickle"))


@pytest.mark.parametrize(
    ("candidates", "line"),
    [
        ({"x0": [("c", 1)]}, "source-candidate.pickle: no candidates for input 'x1'"),
        ({f"x{i}": ["c"] for i in range(6)}, "source-candidate.pickle: each candidate must be"),
        ([1], "source-candidate.pickle: must be a mapping from inputs to lists"),
    ],
)
def test_a_release_of_another_shape_is_one_line(folder, capsys, candidates, line):
    release(folder, candidates)

    code, _ = import_data("parascore", ".")

    assert code == 2
    assert capsys.readouterr().err.startswith(line)


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
