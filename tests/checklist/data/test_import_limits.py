"""Files made to harm are refused in one line before they fill the memory or take for ever."""

import pickle

import pytest

from shakeproof.data.imports import limits
from shakeproof.data.imports.darr import read_darr
from shakeproof.data.imports.mtme import read_folder
from shakeproof.data.imports.parascore import CANDIDATES, REFERENCES, read_release
from shakeproof.data.imports.tables import MAX_HEADER, read_table
from shakeproof.errors import SpecError

LARGE = b"x" * 10_000_001
TOO_LARGE = "more than 10 MB; to read it, set SHAKEPROOF_MAX_IMPORT_MB to a larger number"
TOO_MANY = "more than 100 values .*; to read it, set SHAKEPROOF_MAX_IMPORT_VALUES to a larger"
RATED = {"a": [("b", 1.0)]}


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SHAKEPROOF_MAX_IMPORT_VALUES", "100")
    return tmp_path


def release(folder, references, candidates=RATED):
    for name, content in ((REFERENCES, references), (CANDIDATES, candidates)):
        written = content if isinstance(content, bytes) else pickle.dumps(content)
        (folder / name).write_bytes(written)
    return read_release(folder)


def table(folder, content):
    path = folder / "table.csv"
    path.write_bytes(content)
    return read_table(path, "csv")


def eval_folder(folder, *, systems=1, lines=1):
    files = ["sources/a-b.txt", "references/a-b.r.txt"]
    files += [f"system-outputs/a-b/{number}.txt" for number in range(systems)]
    for file in files:
        (folder / file).parent.mkdir(parents=True, exist_ok=True)
        (folder / file).write_bytes(b"a\n" * lines)
    return read_folder(folder, "a-b")


def test_a_large_table_is_refused(folder):
    with pytest.raises(SpecError, match=TOO_LARGE):
        table(folder, LARGE)


@pytest.mark.parametrize(
    "content",
    [
        pytest.param(b"candidate\n" + b"a\n" * 11, id="rows"),
        pytest.param(
            b"candidate,b" + b",c" * 48 + b"\n" + (b"a" + b"," * 49 + b"\n") * 3, id="cells"
        ),
    ],
)
def test_a_table_of_many_values_is_refused(folder, monkeypatch, content):
    with pytest.raises(SpecError, match=TOO_MANY):
        table(folder, content)
    monkeypatch.setenv("SHAKEPROOF_MAX_IMPORT_VALUES", "200")

    assert len(table(folder, content)) == 1


def test_separators_are_looked_for_at_the_beginning_of_a_header(folder, monkeypatch):
    monkeypatch.setattr("shakeproof.data.imports.tables.MAX_HEADER", 20)

    with pytest.raises(SpecError, match="no column 'candidate'"):
        table(folder, b"x" * 30 + b";" * 10)
    assert MAX_HEADER <= 1_000_000


def test_a_header_of_many_columns_is_not_listed_in_full(folder):
    with pytest.raises(SpecError) as caught:
        table(folder, b"column," * 10_000)

    assert len(str(caught.value)) < 400


def test_a_large_folder_is_refused(folder):
    eval_folder(folder)
    (folder / "system-outputs/a-b/0.txt").write_bytes(LARGE[:6_000_000])
    (folder / "system-outputs/a-b/1.txt").write_bytes(LARGE[:6_000_000])

    with pytest.raises(SpecError, match=TOO_LARGE):
        read_folder(folder, "a-b")


@pytest.mark.parametrize("size", [{"lines": 101}, {"systems": 10}])
def test_a_folder_of_many_lines_is_refused(folder, size):
    with pytest.raises(SpecError, match=TOO_MANY):
        eval_folder(folder, **size)


def judgements(folder, content, *, texts=b"a\n"):
    (folder / "rr").write_bytes(content)
    (folder / "ref").write_bytes(b"a\n")
    for system in "AB":
        (folder / system).write_bytes(texts)
    return read_darr(folder / "rr", "a-b", outputs=folder, references=folder / "ref")


def test_many_judgements_are_refused(folder):
    with pytest.raises(SpecError, match=TOO_MANY):
        judgements(folder, b"a-b t 1 A B\n" * 21)

    assert len(judgements(folder, b"a-b t 1 A B\n" * 20)) == 1


def test_large_files_of_judgements_and_outputs_are_refused(folder, monkeypatch):
    with pytest.raises(SpecError, match=TOO_LARGE):
        judgements(folder, b"a-b t 1 A ./A\n", texts=LARGE[:6_000_000])
    monkeypatch.setenv("SHAKEPROOF_MAX_DARR_MB", "1")

    with pytest.raises(SpecError, match=r"rr: more than 1 MB; .* SHAKEPROOF_MAX_DARR_MB"):
        judgements(folder, LARGE)


@pytest.mark.parametrize("number", ["²", "9" * 5000])
def test_a_segment_that_is_no_number_is_refused(folder, number):
    with pytest.raises(SpecError, match="rr:1: must be LP DATA SID BETTER WORSE"):
        judgements(folder, f"a-b t {number} A B\n".encode())


TUPLES = b"".join(b"q%ch%c\x86" % (n, n) for n in range(24))  # each holds the last one twice
BOMBS = [
    pytest.param(LARGE, TOO_LARGE, id="large"),
    pytest.param(b"\x80\x04(" + b"\x8f" * 200 + b"l.", TOO_MANY, id="many sets"),
    pytest.param(b"\x80\x04]r\xff\xff\xff\x7f.", "numbers its values", id="a far number"),
    pytest.param(b"\x80\x04}K\x01" + b"2\x86" * 40 + b"K\x01s.", "repeats a tuple", id="doubled"),
    pytest.param(b"\x80\x04}K\1K\1\x86" + TUPLES + b"K\1s.", "repeats a tuple", id="named twice"),
    pytest.param({"a": ["x" * 500] * 3}, TOO_MANY, id="one text many times"),
    pytest.param({"a": [b"x"]}, "must hold texts, got b'x'", id="bytes"),
    pytest.param({1: ["x"]}, "must hold texts, got 1", id="a number as input"),
]


@pytest.mark.parametrize(("references", "message"), BOMBS)
def test_a_pickle_made_to_harm_is_refused(folder, references, message):
    with pytest.raises(SpecError, match=message):
        release(folder, references)


@pytest.mark.parametrize("candidate", [("b", 10**400), (b"b", 1.0), ("b",)])
def test_a_candidate_that_is_not_a_text_and_a_number_is_refused(folder, candidate):
    with pytest.raises(SpecError, match=CANDIDATES):
        release(folder, {"a": ["x"]}, {"a": [candidate]})


@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
def test_honest_pickles_of_every_protocol_are_read(folder, protocol):
    rated = {"a": [("b", 1.0), ("b", 2.0)], "c": []}
    rows = release(
        folder, pickle.dumps({"a": ["x"], "c": ["x"]}, protocol), pickle.dumps(rated, protocol)
    )

    assert [len(row["candidates"]) for row in rows] == [2, 0]


def test_the_limits_are_those_of_the_documentation(monkeypatch):
    monkeypatch.delenv("SHAKEPROOF_MAX_IMPORT_VALUES")

    assert (limits.MAX_FILE.value(), limits.MAX_VALUES.value()) == (10, 800_000)
