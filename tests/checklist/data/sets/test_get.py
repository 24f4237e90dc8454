"""Public data sets are brought here whole or not at all, and checklists find them by name."""

import hashlib
import json
from pathlib import Path

import pytest

from shakeproof.cli.main import main
from shakeproof.data.loading import load_data
from shakeproof.data.sets import get, records
from shakeproof.data.sets.catalogue import SETS, collections
from shakeproof.data.sets.records import COMMITS, OriginFile, files_of
from shakeproof.errors import SpecError
from shakeproof.metrics.settings import Settings
from shakeproof.plan.items import make_plan
from shakeproof.runs.assemble import checklist_record
from shakeproof.spec.read import parse

NAME = "evalbiasbench"
FILE = "data/evalbiasbench/biasbench.json"
PAIR = {"instruction": "i", "response1": "a", "response2": "b", "label": 1}
CONTENT = json.dumps({"length bias": [PAIR]}).encode()
CHECKLIST = """\
data: evalbiasbench
metrics: {overlap: {chrf-free: {}}}
checks:
  - check: the better answer wins
    expect: {prefers_better: {at_least: 0.5}}
"""


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    """An empty cache, and an invented file instead of that of EvalBiasBench."""
    digest = f"sha256:{hashlib.sha256(CONTENT).hexdigest()}"
    file = OriginFile("ncsoft/offsetbias", FILE, digest, len(CONTENT))
    for module in (get, records):
        monkeypatch.setattr(module, "files_of", lambda _name: (file,))
    monkeypatch.setenv("SHAKEPROOF_DATA", str(tmp_path / "cache"))
    monkeypatch.setenv("SHAKEPROOF_DATA_URL", "http://127.0.0.1:1")
    monkeypatch.setenv("no_proxy", "127.0.0.1")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def clone(folder, content=CONTENT):
    path = folder / FILE
    path.parent.mkdir(parents=True)
    path.write_bytes(content)


def kept(folder):
    names = (path for path in (folder / "cache").glob("**/*") if path.is_file())
    return sorted(path.name for path in names if path.name != ".lock")


@pytest.mark.parametrize(
    "place",
    [
        pytest.param(".", id="the clone itself"),
        pytest.param("offsetbias", id="a folder of clones"),
        pytest.param("ncsoft/offsetbias", id="clones by owner"),
        pytest.param("ncsoft+offsetbias", id="owner and name"),
        pytest.param("offsetbias-0bd16e4", id="an unpacked archive"),
    ],
)
def test_a_copy_at_hand_needs_no_network(folder, capsys, place):
    clone(folder / "clones" / place)

    code = main(["data", "get", NAME, "--from", "clones"])

    assert code == 0
    assert capsys.readouterr().out.splitlines() == [
        "evalbiasbench: 1 segments, 2 candidates, 0 ratings, 1 preferences",
        "  licence: BSD-3-Clause",
        f"  cite: {SETS[NAME].citation}",
        "  kept in cache/evalbiasbench.jsonl, with evalbiasbench.licence.txt",
        "  in a checklist: data: evalbiasbench",
    ]
    assert kept(folder) == ["evalbiasbench.jsonl", "evalbiasbench.licence.txt"]


def test_the_second_get_does_nothing_unless_it_is_told_to(folder, capsys):
    clone(folder / "clone")
    main(["data", "get", NAME, "--from", "clone"])
    path = folder / "cache" / f"{NAME}.jsonl"
    path.write_text("changed")
    capsys.readouterr()

    assert main(["data", "get", NAME]) == 0  # needs no network either

    assert capsys.readouterr().out == "evalbiasbench: already here, cache/evalbiasbench.jsonl\n"
    assert path.read_text() == "changed"
    assert main(["data", "get", NAME, "--from", "clone", "--again"]) == 0
    assert path.read_text() != "changed"


def test_licence_and_citation_are_beside_the_data_and_in_the_run(folder):
    clone(folder / "clone")
    main(["data", "get", NAME, "--from", "clone"])

    notice = (folder / "cache" / f"{NAME}.licence.txt").read_text()
    plan = make_plan(parse(CHECKLIST, folder / "c.checklist.yaml"), Settings(offline=True))
    (record,) = checklist_record(plan).data

    assert "Licence: BSD-3-Clause\n" in notice
    assert f"ncsoft/offsetbias at commit {COMMITS['ncsoft/offsetbias']}" in notice
    assert (record.licence, record.citation) == ("BSD-3-Clause", SETS[NAME].citation)
    assert (record.name, record.language) == (NAME, "en")


def test_a_checklist_for_the_set_is_written_once(folder, capsys):
    clone(folder / "clone")
    main(["data", "get", NAME, "--from", "clone", "--checklist"])
    path = folder / f"{NAME}.checklist.yaml"
    written = path.read_text()
    path.write_text("mine")

    main(["data", "get", NAME, "--checklist"])

    assert parse(written, path).data == {"": NAME}
    assert path.read_text() == "mine"
    assert capsys.readouterr().out.endswith(
        "evalbiasbench.checklist.yaml exists already; left as it is\n"
    )


@pytest.mark.parametrize(
    ("name", "line"),
    [
        ("wmt19-lt-en", "wmt19-lt-en: not downloaded yet; run shakeproof data get wmt19-lt-en"),
        ("wmt19", "wmt19-gu-en: not downloaded yet; run shakeproof data get wmt19"),
    ],
)
def test_data_that_are_not_here_name_the_command_that_gets_them(name, line):
    with pytest.raises(SpecError) as caught:
        load_data(name, folder=Path())

    assert str(caught.value) == line


def test_an_unknown_name_is_one_line_with_a_suggestion(capsys):
    assert main(["data", "get", "wmt19-ltt-en"]) == 2

    assert capsys.readouterr().err == (
        "unknown data set 'wmt19-ltt-en'; did you mean 'wmt19-lt-en'?\n"
    )


def test_without_network_the_command_fails_in_one_line_and_keeps_nothing(folder, capsys):
    assert main(["data", "get", NAME]) == 2

    error = capsys.readouterr().err
    assert error.startswith("http://127.0.0.1:1/ncsoft/offsetbias/0bd16e4")
    assert error.count("\n") == 1
    assert "--from DIR" in error
    assert kept(folder) == []


def test_a_copy_of_another_commit_is_refused_in_one_line(folder, capsys):
    clone(folder / "clone", b"[]")

    assert main(["data", "get", NAME, "--from", "clone"]) == 2

    error = capsys.readouterr().err
    assert error.startswith(f"clone/{FILE}: not the file of ncsoft/offsetbias at commit 0bd16e4: ")
    assert error.endswith("; run git checkout 0bd16e4 there\n")
    assert kept(folder) == []


@pytest.mark.parametrize(
    ("place", "line"),
    [
        ("absent", "--from absent: no such folder\n"),
        (".", f".: no {FILE} of ncsoft/offsetbias, neither here nor in a folder offsetbias\n"),
    ],
)
def test_a_copy_without_the_file_is_one_line(capsys, place, line):
    assert main(["data", "get", NAME, "--from", place]) == 2

    assert capsys.readouterr().err == line


def test_a_cache_that_cannot_be_written_is_one_line(folder, capsys):
    clone(folder / "clone")
    (folder / "cache").write_text("a file")

    assert main(["data", "get", NAME, "--from", "clone"]) == 2

    error = capsys.readouterr().err
    assert error.startswith("cache: cannot be written: ")
    assert error.endswith("; SHAKEPROOF_DATA names another folder\n")


def test_downloads_are_removed_once_they_are_converted_and_kept_if_one_fails(folder, monkeypatch):
    first = OriginFile("ncsoft/offsetbias", FILE, "", len(CONTENT))
    second = OriginFile("ncsoft/offsetbias", "other.json", "", 1)
    monkeypatch.setattr(get, "files_of", lambda _name: (first, second))
    monkeypatch.setattr(get, "wrong_digest", lambda _content, _file: "")
    here = {FILE: CONTENT}

    def receive(file, path, _progress):
        if file.path not in here:
            raise SpecError("broken")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(here[file.path])

    monkeypatch.setattr(get, "download", receive)
    assert main(["data", "get", NAME]) == 2
    after_failure = kept(folder)
    here = {"other.json": b"x"}  # the first file is not asked for again
    assert main(["data", "get", NAME]) == 0

    assert after_failure == ["biasbench.json"]
    assert kept(folder) == ["evalbiasbench.jsonl", "evalbiasbench.licence.txt"]


def test_a_collection_is_read_with_each_set_as_a_group(folder):
    (folder / "cache").mkdir()
    for record in collections()["wmt19"]:
        row = {"id": "1", "candidates": [{"text": record.name}]}
        (folder / "cache" / f"{record.name}.jsonl").write_text(json.dumps(row) + "\n")

    data = load_data("wmt19", folder=Path())

    assert [(segment.group, segment.id) for segment in data.segments] == [
        ("gu-en", "1"),
        ("kk-en", "1"),
        ("lt-en", "1"),
    ]
    assert data.licence == SETS["wmt19-gu-en"].licence


def test_the_list_shows_what_is_here_and_what_a_download_takes(folder, capsys, monkeypatch):
    monkeypatch.setattr(records, "files_of", files_of)
    clone(folder / "clone")
    main(["data", "get", NAME, "--from", "clone"])
    capsys.readouterr()

    assert main(["data", "list"]) == 0

    lines = capsys.readouterr().out.splitlines()
    rows = {line.split()[0]: line.split()[1:] for line in lines if not line.startswith(" ")}
    assert rows["evalbiasbench"] == ["80", "en", "72.2", "kB", "yes"]
    assert rows["summedits"] == ["6,348", "en", "over", "14.5", "MB", "no"]
    assert "wmt19: wmt19-gu-en, wmt19-kk-en, wmt19-lt-en, each as a group" in lines


def test_only_sets_that_are_here_are_among_the_data_of_checklists(folder, capsys):
    clone(folder / "clone")
    main(["data", "get", NAME, "--from", "clone"])
    capsys.readouterr()

    assert main(["list", "data"]) == 0

    shown = capsys.readouterr().out
    assert "\nevalbiasbench  " in shown
    assert "wmt19" not in shown
    assert shown.endswith("shakeproof data list shows public data sets that can be downloaded\n")
