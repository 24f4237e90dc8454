"""Files that are not kept in memory are read as those that are, with the same mistakes."""

import json
import os

import pytest

from shakeproof.data import large_files, lazy
from shakeproof.data.large_files import read_large_file
from shakeproof.data.loading import load_data, parse_data
from shakeproof.errors import SpecError
from shakeproof.files import Limit

LINE = '{"id": "%s", "references": ["r"], "candidates": [{"text": "%s", "rating": 1}]}'
LINES = "\n".join(LINE % (number, "text " * (number % 5)) for number in range(30))


@pytest.fixture(autouse=True)
def nothing_in_memory(monkeypatch):
    monkeypatch.setattr(large_files, "IN_MEMORY", Limit("SHAKEPROOF_IN_MEMORY_MB", 0, "MB"))
    monkeypatch.setattr(lazy, "BLOCK", 4)


@pytest.fixture
def write(tmp_path, monkeypatch):
    """Write a data file into the working folder."""
    monkeypatch.chdir(tmp_path)

    def write(content):
        path = tmp_path / "d.jsonl"
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return path

    return write


def problem(read):
    """Return the message of the error that reading raises."""
    with pytest.raises(SpecError) as caught:
        read()
    return str(caught.value)


@pytest.mark.parametrize(
    "content",
    [
        pytest.param(LINES, id="lines"),
        pytest.param(f"\n \n{LINES}\n\r\n\t\n", id="blank lines"),
        pytest.param("\ufeff" + LINES, id="byte order mark"),
        pytest.param(LINES.replace("\n", "\r\n"), id="line ends of Windows"),
        pytest.param(LINES.replace("text ", r"\ud800 \u2028 é"), id="lone surrogates"),
    ],
)
def test_a_file_has_the_same_segments_as_in_memory(write, content):
    path = write(content)
    data, kept = (
        load_data("d.jsonl", folder=path.parent),
        parse_data(path.read_bytes(), "", name=""),
    )

    assert not isinstance(data.segments, tuple)
    assert tuple(data.segments) == kept.segments
    assert (data.sha256, data.surrogates) == (kept.sha256, kept.surrogates)


@pytest.mark.parametrize(
    "content",
    [
        pytest.param("", id="empty"),
        pytest.param("\n \n", id="blank"),
        pytest.param(f'{LINES}\n\n[]\n{{"id": 3}}\nnonsense', id="mistakes"),
        pytest.param("[]\n" * 50, id="many mistakes"),
        pytest.param(f"{LINES}\n\n{LINES}", id="many duplicate ids"),
        pytest.param(f"[]\n{LINES}\n{LINES[: LINES.index('}]}') + 3]}", id="a duplicate id"),
        pytest.param(LINES.encode() + b'\n{"id": "caf\xe9"}', id="not UTF-8"),
        pytest.param(LINES + "\n\ufeff{}", id="byte order mark inside"),
    ],
)
def test_mistakes_are_told_as_in_memory(write, content):
    path = write(content)

    assert problem(lambda: read_large_file(path, name="d")) == problem(
        lambda: parse_data(path.read_bytes(), "d.jsonl", name="d")
    )


def test_a_line_that_is_too_long_is_not_read_whole(write, monkeypatch):
    monkeypatch.setenv("SHAKEPROOF_MAX_LINE_MB", "6")
    monkeypatch.setattr(large_files, "MAX_BYTES", 1)
    path = write(LINE % ("1", "x" * 6_100_000) + "\n" + LINES + "\n[]")

    assert problem(lambda: read_large_file(path, name="d")).splitlines() == [
        "d.jsonl:1: the line is too long: more than 6 MB; to read it, set SHAKEPROOF_MAX_LINE_MB "
        "to a larger number",
        "d.jsonl:32: a segment must be an object, got a list; write "
        '{"id": "1", "references": ["…"], "candidates": [{"text": "…"}]}',
    ]


def test_a_file_that_changes_during_a_run_is_an_error(write):
    path = write(LINES)
    segments = read_large_file(path, name="d").segments
    assert segments[0].id == "0"
    os.utime(path, ns=(0, 0))

    assert problem(lambda: segments[20]) == "d.jsonl: the file changed during the run; run again"


def test_a_file_that_goes_away_during_a_run_is_an_error(write):
    path = write(LINES)
    segments = read_large_file(path, name="d").segments
    path.unlink()

    assert problem(lambda: segments[20]).startswith("d.jsonl: cannot be read: no such file")


@pytest.mark.parametrize("parts", [1, 2, 7])
def test_parts_are_disjoint_and_together_complete(write, parts):
    path = write(LINES)
    found = [
        segment.id
        for number in range(1, parts + 1)
        for segment in read_large_file(path, name="d", part=(number, parts)).segments
    ]

    assert found == [str(number) for number in range(30)]


def test_of_a_part_no_other_lines_are_read(write, monkeypatch):
    path, texts = write(LINES), []
    read_line = large_files.read_line
    monkeypatch.setattr(
        large_files, "read_line", lambda number, text: texts.append(text) or read_line(number, text)
    )
    segments = read_large_file(path, name="d", part=(2, 3)).segments

    assert [json.loads(text)["id"] for text in texts] == [segment.id for segment in segments]
    assert 8 <= len(segments) <= 12


def test_mistakes_in_a_part_have_the_lines_of_the_file(write):
    path = write(LINES + "\n[]")

    assert problem(lambda: read_large_file(path, name="d", part=(3, 3))).startswith("d.jsonl:31: ")
